import type { Embedder } from "@isnad/lib/inference";
import type { QueueJob } from "@isnad/lib/queue";
import type { KeywordIndex } from "@isnad/lib/search";
import type { IndexedArticle, Store } from "@isnad/lib/store";
import { cutPassages, embedPassages, keywordDocs, removeGone } from "@isnad/lib/sync";
import { type Outcome, Stages } from "./outcome.ts";

/** What the job needs. */
export type AnalysisDeps = {
  store: Pick<Store, "articles" | "indexing">;
  keyword: Pick<KeywordIndex, "upsert" | "remove">;
  /** Without one no passages are written. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  /** The tier of every source. */
  tiers(): Promise<ReadonlyMap<string, number>>;
};

/**
 * The `analysis` job: cuts those of its articles that are still `normalized` into passages, embeds these, writes the keyword
 * index, and then, in one transaction, passages, event and state `indexed`. Doing it again changes nothing. The document
 * of an article that was deleted meanwhile is taken out again. Without an embedding model articles are indexed by word alone.
 */
export async function analyse(
  job: Pick<QueueJob, "data">,
  { store, keyword, embedder, tiers }: AnalysisDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  const stages = new Stages();
  const rows = await stages.time("load", () => store.articles.takeNormalized(job.data.articleIds));
  const { articles, broken } = await stages.time("cut", () => cutPassages(rows));
  const whole = new Set(articles.map(({ articleId }) => articleId));
  const documents = keywordDocs(
    rows.filter(({ articleId }) => whole.has(articleId)),
    await tiers(),
  );
  const embed = (): Promise<IndexedArticle[]> =>
    embedder === undefined
      ? Promise.resolve(articles.map(({ articleId }) => ({ articleId, chunks: [] })))
      : embedPassages(embedder, articles, signal);
  // Both have a thread of their own. The document comes before the state: what says `indexed` is in both indexes.
  const [passages] = await Promise.all([
    stages.time("embed", embed),
    stages.time("keyword", () => keyword.upsert(documents)),
  ]);
  signal.throwIfAborted();
  const indexed = await stages.time("commit", () => store.indexing.commit(passages, { modelId: embedder?.modelId }));
  const done = new Set(indexed);
  const left = [...whole].filter((id) => !done.has(id));
  const gone = await removeGone(store, keyword, left);
  const chunks = passages.reduce((sum, article) => sum + article.chunks.length, 0);
  const counts = { taken: rows.length, indexed: indexed.length, gone: gone.length, chunks };
  return { counts: { ...counts, ...stages.times() }, broken };
}
