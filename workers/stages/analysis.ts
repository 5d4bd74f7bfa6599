import type { Embedder } from "@isnad/lib/models";
import { cutPassages, embedPassages } from "@isnad/lib/search/sync";
import type { IndexedArticle, Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { type ArticleTexts, isAway, Times } from "./run.ts";

/** Holds what the stage needs. */
export type AnalysisDeps = {
  store: Pick<Store, "articles" | "indexing">;
  /** Without an embedder, no passages are written. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  texts: Pick<ArticleTexts, "of">;
  concurrency?: number;
};

/**
 * Makes the stage `analysis`: cuts articles that are still `normalized` into passages, embeds these, and then, in one
 * transaction, writes passages, event and state `indexed`; indexes follow that. Idempotent. Without an embedding
 * model articles are indexed by word alone.
 */
export function analysis({ store, embedder, texts, concurrency = 1 }: AnalysisDeps): Stage {
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
        const waiting = await store.articles.inState(ids, "normalized", ["articleId", "lang"]);
        const langs = new Map(waiting.map(({ articleId, lang }) => [articleId, lang]));
        const read = await texts.of([...langs.keys()]);
        return read.map((text) => ({ ...text, lang: langs.get(text.articleId) ?? null }));
      });
      const { articles, broken } = await times.of("cut", () => cutPassages(rows));
      const whole = new Set(articles.map(({ articleId }) => articleId));
      const embed = (): Promise<IndexedArticle[]> =>
        embedder === undefined
          ? Promise.resolve(articles.map(({ articleId }) => ({ articleId, chunks: [] })))
          : embedPassages(embedder, articles, signal);
      const passages = await times.of("embed", embed);
      signal.throwIfAborted();
      const options = { modelId: embedder?.modelId, step };
      const indexed = await times.of("commit", () => store.indexing.commit(passages, options));
      const chunks = passages.reduce((sum, article) => sum + article.chunks.length, 0);
      const counts = { taken: rows.length, indexed: indexed.length, gone: whole.size - indexed.length, chunks };
      return { counts: { ...counts, ...times.all() }, failures: broken };
    },
  };
}
