import { mergeEntities, type Tagger } from "@isnad/lib/inference";
import type { Store, TaggedArticle } from "@isnad/lib/store";
import type { ArticleText } from "../texts.ts";

/** Entities less likely than this are not kept. */
const LEAST_CONFIDENCE = 0.5;

/** Longest name that is kept, in UTF-16 units: what is longer is no name. */
const LONGEST_NAME = 200;

/** The entities of each article, from its title and its content; offsets are those in the content. */
export async function entitiesOf(
  tagger: Pick<Tagger, "tag">,
  articles: readonly ArticleText[],
  signal: AbortSignal,
): Promise<TaggedArticle[]> {
  const found = await tagger.tag(
    articles.flatMap(({ title, content }) => [title, content]),
    signal,
  );
  return articles.map(({ articleId }, i) => {
    const titles = (found[2 * i] ?? []).map((mention) => ({ ...mention, start: -1, end: -1 }));
    const mentions = [...titles, ...(found[2 * i + 1] ?? [])].filter(
      ({ confidence, name }) => confidence >= LEAST_CONFIDENCE && name.length <= LONGEST_NAME,
    );
    const entities = mergeEntities(mentions).map((entity) => ({
      ...entity,
      spans: entity.spans.filter((offset) => offset >= 0),
    }));
    return { articleId, entities };
  });
}

/** What became of a batch: articles done, entities found in them, and the articles that could not be worked on. */
export type Tagged = { done: number; entities: number; broken: { articleId: number; error: unknown }[] };

/**
 * Finds and stores the entities of leased articles. An article that cannot be worked on does not stop the others: it is
 * tried again when its lease ends.
 */
export async function tagArticles(
  { store, tagger }: { store: Pick<Store, "entities">; tagger: Pick<Tagger, "tag" | "modelId"> },
  work: readonly ArticleText[],
  signal: AbortSignal,
): Promise<Tagged> {
  try {
    const tagged = await entitiesOf(tagger, work, signal);
    const done = await store.entities.put(tagged, { modelId: tagger.modelId });
    return { done: done.length, entities: tagged.reduce((sum, { entities }) => sum + entities.length, 0), broken: [] };
  } catch (error) {
    const [only] = work;
    if (only === undefined || signal.aborted) throw error;
    if (work.length === 1) return { done: 0, entities: 0, broken: [{ articleId: only.articleId, error }] };
    const total: Tagged = { done: 0, entities: 0, broken: [] };
    for (const article of work) {
      const one = await tagArticles({ store, tagger }, [article], signal);
      total.done += one.done;
      total.entities += one.entities;
      total.broken.push(...one.broken);
    }
    return total;
  }
}
