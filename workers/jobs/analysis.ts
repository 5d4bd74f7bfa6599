import type { Embedder } from "@isnad/lib/models";
import type { QueueJob } from "@isnad/lib/work/queue";
import type { IndexedArticle, Store } from "@isnad/lib/store";
import { cutPassages, embedPassages, KEYWORD_ROW_FIELDS, type KeywordWriter } from "@isnad/lib/search/sync";
import type { ArticleSummaries } from "../summaries.ts";
import type { ArticleTexts } from "../texts.ts";
import { type Outcome, Stages } from "./outcome.ts";

/** What the job needs. */
export type AnalysisDeps = {
  store: Pick<Store, "articles" | "indexing">;
  writer: Pick<KeywordWriter, "write">;
  /** Without an embedder, no passages are written. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  texts: Pick<ArticleTexts, "of">;
  /** Without this, articles get no summary. */
  summaries?: ArticleSummaries | undefined;
  /** Whether the relations of Arabic articles are to be found afterwards. */
  relations?: boolean;
  /** Whether articles are to be read for the reranker afterwards. */
  rerankVectors?: boolean;
};

/**
 * The `analysis` job: cuts those of its articles that are still `normalized` into passages, embeds these, writes the
 * keyword index, and then, in one transaction, passages, event and state `indexed`. Doing it again changes nothing. An
 * article that is deleted meanwhile is in no index afterwards. Without an embedding model articles are indexed by word
 * alone.
 */
export async function analyse(
  job: Pick<QueueJob, "data">,
  { store, writer, embedder, texts, summaries, ...next }: AnalysisDeps,
  signal: AbortSignal,
): Promise<Outcome> {
  const stages = new Stages();
  const rows = await stages.time("load", async () => {
    const waiting = await store.articles.inState(job.data.articleIds, "normalized", KEYWORD_ROW_FIELDS);
    const byId = new Map(waiting.map((row) => [row.articleId, row]));
    return (await texts.of([...byId.keys()])).flatMap((text) => {
      const row = byId.get(text.articleId);
      return row === undefined ? [] : [{ ...row, ...text }];
    });
  });
  const { articles, broken } = await stages.time("cut", () => cutPassages(rows));
  const whole = new Set(articles.map(({ articleId }) => articleId));
  const embed = (): Promise<IndexedArticle[]> =>
    embedder === undefined
      ? Promise.resolve(articles.map(({ articleId }) => ({ articleId, chunks: [] })))
      : embedPassages(embedder, articles, signal);
  const kept = rows.filter(({ articleId }) => whole.has(articleId));
  const summarise = async (): Promise<ReadonlyMap<number, string>> =>
    summaries === undefined ? new Map() : await summaries(kept, signal);
  // Both have a thread of their own. The document comes before the state: what says `indexed` is in both indexes.
  const [passages, written, made] = await Promise.all([
    stages.time("embed", embed),
    stages.time("keyword", () => writer.write(kept)),
    stages.time("summaries", summarise),
  ]);
  signal.throwIfAborted();
  const batch = passages.map((article) => ({ ...article, summary: made.get(article.articleId) }));
  const modelId = embedder?.modelId;
  const { relations = false, rerankVectors = false } = next;
  const options = { modelId, relations, rerankVectors };
  const indexed = await stages.time("commit", () => store.indexing.commit(batch, options));
  const chunks = passages.reduce((sum, article) => sum + article.chunks.length, 0);
  const counts = { taken: rows.length, indexed: indexed.length, gone: whole.size - written.length, chunks };
  return { counts: { ...counts, ...stages.times() }, broken };
}
