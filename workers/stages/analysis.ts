import type { Embedder } from "@isnad/lib/models";
import { cutPassages, embedPassages, KEYWORD_ROW_FIELDS, type KeywordWriter } from "@isnad/lib/search/sync";
import type { IndexedArticle, Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import type { ArticleTexts } from "../texts.ts";
import { isAway } from "./faults.ts";
import { Times } from "./times.ts";

/** What the stage needs. */
export type AnalysisDeps = {
  store: Pick<Store, "articles" | "indexing">;
  writer: Pick<KeywordWriter, "write">;
  /** Without an embedder, no passages are written. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  texts: Pick<ArticleTexts, "of">;
  concurrency?: number;
};

/**
 * Makes the stage `analysis`: cuts articles that are still `normalized` into passages, embeds these, writes the keyword
 * index, and then, in one transaction, passages, event and state `indexed`. Idempotent. An article that is deleted
 * meanwhile is in no index afterwards. Without an embedding model articles are indexed by word alone.
 */
export function analysis({ store, writer, embedder, texts, concurrency = 1 }: AnalysisDeps): Stage {
  return {
    name: "analysis",
    after: "ingestion",
    batch: 100,
    leaseS: 20,
    concurrency,
    isAway,
    async run(items, { signal, step }) {
      const times = new Times();
      const rows = await times.of("load", async () => {
        const ids = items.map(({ articleId }) => articleId);
        const waiting = await store.articles.inState(ids, "normalized", KEYWORD_ROW_FIELDS);
        const byId = new Map(waiting.map((row) => [row.articleId, row]));
        return (await texts.of([...byId.keys()])).flatMap((text) => {
          const row = byId.get(text.articleId);
          return row === undefined ? [] : [{ ...row, ...text }];
        });
      });
      const { articles, broken } = await times.of("cut", () => cutPassages(rows));
      const whole = new Set(articles.map(({ articleId }) => articleId));
      const embed = (): Promise<IndexedArticle[]> =>
        embedder === undefined
          ? Promise.resolve(articles.map(({ articleId }) => ({ articleId, chunks: [] })))
          : embedPassages(embedder, articles, signal);
      // Both have a thread of their own. The document comes before the state: what says `indexed` is in both indexes.
      const [passages, written] = await Promise.all([
        times.of("embed", embed),
        times.of("keyword", () => writer.write(rows.filter(({ articleId }) => whole.has(articleId)))),
      ]);
      signal.throwIfAborted();
      const options = { modelId: embedder?.modelId, step };
      const indexed = await times.of("commit", () => store.indexing.commit(passages, options));
      const chunks = passages.reduce((sum, article) => sum + article.chunks.length, 0);
      const counts = { taken: rows.length, indexed: indexed.length, gone: whole.size - written.length, chunks };
      return { counts: { ...counts, ...times.all() }, failures: broken };
    },
  };
}
