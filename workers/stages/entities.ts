import { articleEntities, modelName, type Tagger } from "@isnad/lib/models";
import type { ClassifyMetrics } from "@isnad/lib/service/process";
import { isUnavailable, type Step, type Store, type TaggedArticle } from "@isnad/lib/store";
import type { Stage, StageFailure } from "@isnad/lib/work";
import type { ArticleText, ArticleTexts } from "./run.ts";

type EntityDeps = {
  store: Pick<Store, "entities">;
  texts: Pick<ArticleTexts, "of">;
  /** Without a tagger articles wait. */
  tagger: Pick<Tagger, "tag" | "modelId"> | undefined;
};

/** UTF-16 units that a second attempt reads of an article; each further one reads a quarter. */
const SECOND_READ = 50_000;

/** Text that the model is given at a time, in UTF-16 units; more may take longer than it has. */
const MAX_UNITS = 100_000;

/** Makes the stage `entities`: finds who and what articles name, once they can be searched. */
export function entities({ store, texts, tagger }: EntityDeps): Stage {
  return {
    name: "entities",
    after: "analysis",
    batch: 32,
    leaseS: 30,
    concurrency: 2,
    retry: { baseMs: 60_000, maxMs: 600_000 },
    version: tagger?.modelId,
    run:
      tagger &&
      (async (items, { signal, step }) => {
        const attempts = new Map(items.map((item) => [item.articleId, item.attempts]));
        const articles = (await texts.of([...attempts.keys()])).map((text) => ({
          ...text,
          content: readable(text.content, attempts.get(text.articleId) ?? 1),
        }));
        const { done, entities, failures } = await tagArticles({ store, tagger, step }, articles, signal);
        return { counts: { done, entities }, failures };
      }),
  };
}

/**
 * Returns what an attempt, counted from 1, reads of a content: the first one all of it. A long one that took too long,
 * or ended its process, gets the entities of its beginning instead of none, and does not occupy the model five times as
 * long.
 */
function readable(content: string, attempt: number): string {
  const units = attempt === 1 ? Number.POSITIVE_INFINITY : Math.floor(SECOND_READ / 4 ** (attempt - 2));
  return content.length <= units ? content : content.slice(0, units).toWellFormed();
}

/** Counts and times each call of a tagger as a classification. */
export function measuredTagger(
  tagger: Pick<Tagger, "tag" | "modelId">,
  metrics: ClassifyMetrics,
): Pick<Tagger, "tag" | "modelId"> {
  const upstream = modelName(tagger.modelId);
  return {
    modelId: tagger.modelId,
    tag: (texts, signal) => metrics.measure("entities", upstream, () => tagger.tag(texts, signal)),
  };
}

/** Finds the entities of each article in its title and its content; offsets are those in the content. */
export async function entitiesOf(
  tagger: Pick<Tagger, "tag">,
  articles: readonly ArticleText[],
  signal: AbortSignal,
): Promise<TaggedArticle[]> {
  const entityLists = await tagger.tag(
    articles.flatMap(({ title, content }) => [title, content]),
    signal,
  );
  return articles.map((article, i) => ({
    articleId: article.articleId,
    entities: articleEntities(article, { title: entityLists[2 * i] ?? [], content: entityLists[2 * i + 1] ?? [] }),
  }));
}

/** Holds what became of a batch: articles done, entities found in them, and the articles that failed. */
type Tagged = { done: number; entities: number; failures: StageFailure[] };

/** Says who finds entities, where they are stored, and the step that ends with it. */
type TagDeps = {
  store: Pick<Store, "entities">;
  tagger: Pick<Tagger, "tag" | "modelId">;
  step?: Step | undefined;
};

/** Finds and stores the entities of articles. One that fails does not stop the others. */
export async function tagArticles(deps: TagDeps, work: readonly ArticleText[], signal: AbortSignal): Promise<Tagged> {
  return await inTurn(groupsOf(work), (group) => tagGroup(deps, group, signal));
}

/** Groups articles in their order, a few long ones or many short ones together. */
function groupsOf(work: readonly ArticleText[]): ArticleText[][] {
  const groups: ArticleText[][] = [];
  let room = 0;
  for (const article of work) {
    const length = article.title.length + article.content.length;
    const last = groups.at(-1);
    if (last !== undefined && length <= room) last.push(article);
    else {
      groups.push([article]);
      room = MAX_UNITS;
    }
    room -= length;
  }
  return groups;
}

async function tagGroup(
  { store, tagger, step }: TagDeps,
  work: readonly ArticleText[],
  signal: AbortSignal,
): Promise<Tagged> {
  try {
    const entityLists = await entitiesOf(tagger, work, signal);
    const done = await store.entities.put(entityLists, { modelId: tagger.modelId, step });
    return {
      done: done.length,
      entities: entityLists.reduce((sum, { entities }) => sum + entities.length, 0),
      failures: [],
    };
  } catch (error) {
    const [only] = work;
    if (only === undefined || signal.aborted || isUnavailable(error)) throw error;
    if (work.length === 1) return { done: 0, entities: 0, failures: [{ articleId: only.articleId, error }] };
    return await inTurn(work, (article) => tagGroup({ store, tagger, step }, [article], signal));
  }
}

/** Adds up what became of all parts, done one after the other. */
async function inTurn<T>(parts: readonly T[], tag: (part: T) => Promise<Tagged>): Promise<Tagged> {
  const total: Tagged = { done: 0, entities: 0, failures: [] };
  for (const part of parts) {
    const { done, entities, failures } = await tag(part);
    total.done += done;
    total.entities += entities;
    total.failures.push(...failures);
  }
  return total;
}
