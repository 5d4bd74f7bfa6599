import { articleEntities, type Tagger } from "@isnad/lib/models";
import type { Store, TaggedArticle } from "@isnad/lib/store";
import type { ArticleText } from "../texts.ts";

/** The entities of each article, from its title and its content; offsets are those in the content. */
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

/** What became of a batch: articles done, entities found in them, and the articles that could not be worked on. */
export type Tagged = { done: number; entities: number; broken: { articleId: number; error: unknown }[] };

/** Text that the model is given at a time, in UTF-16 units; more may take longer than it has. */
const MOST_UNITS = 100_000;

/**
 * Finds and stores the entities of leased articles. An article that cannot be worked on does not stop the others: it is
 * tried again when its lease ends.
 */
export async function tagArticles(
  deps: { store: Pick<Store, "entities">; tagger: Pick<Tagger, "tag" | "modelId"> },
  work: readonly ArticleText[],
  signal: AbortSignal,
): Promise<Tagged> {
  return await inTurn(groupsOf(work), (group) => tagGroup(deps, group, signal));
}

/** Articles in their order, a few long ones or many short ones together. */
function groupsOf(work: readonly ArticleText[]): ArticleText[][] {
  const groups: ArticleText[][] = [];
  let room = 0;
  for (const article of work) {
    const length = article.title.length + article.content.length;
    const last = groups.at(-1);
    if (last !== undefined && length <= room) last.push(article);
    else {
      groups.push([article]);
      room = MOST_UNITS;
    }
    room -= length;
  }
  return groups;
}

async function tagGroup(
  { store, tagger }: Parameters<typeof tagArticles>[0],
  work: readonly ArticleText[],
  signal: AbortSignal,
): Promise<Tagged> {
  try {
    const entityLists = await entitiesOf(tagger, work, signal);
    const done = await store.entities.put(entityLists, { modelId: tagger.modelId });
    return {
      done: done.length,
      entities: entityLists.reduce((sum, { entities }) => sum + entities.length, 0),
      broken: [],
    };
  } catch (error) {
    const [only] = work;
    if (only === undefined || signal.aborted) throw error;
    if (work.length === 1) return { done: 0, entities: 0, broken: [{ articleId: only.articleId, error }] };
    return await inTurn(work, (article) => tagGroup({ store, tagger }, [article], signal));
  }
}

/** What became of all parts, done one after the other. */
async function inTurn<T>(parts: readonly T[], tag: (part: T) => Promise<Tagged>): Promise<Tagged> {
  const total: Tagged = { done: 0, entities: 0, broken: [] };
  for (const part of parts) {
    const { done, entities, broken } = await tag(part);
    total.done += done;
    total.entities += entities;
    total.broken.push(...broken);
  }
  return total;
}
