import { type PassageReader, passagesOf } from "@isnad/lib/models";
import type { LeasedWork, Logger } from "@isnad/lib/service/process";
import type { Queues } from "@isnad/lib/work/queue";
import { backoffMs } from "@isnad/lib/std";
import type { ArticleWork, Store } from "@isnad/lib/store";
import { articlesWait, restAfter } from "../entities/work.ts";
import type { ArticleText } from "../texts.ts";

/** What reading articles for the reranker needs. */
export type RerankVectorDeps = {
  store: Pick<Store, "articles" | "entities" | "rerank">;
  reader: Pick<PassageReader, "read" | "modelId">;
  queues: Pick<Queues, "counts">;
  /** Whether entities are found beside it, and first. */
  afterEntities: boolean;
  logger: Logger;
  /** Called with every article. */
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
};

/** Articles of a batch while nothing else waits, and while articles wait to become searchable. */
const BATCH = 16;
const BUSY_BATCH = 2;

/** Seconds after which the batch of a process that died is taken by another. */
export const RERANK_LEASE_S = 30;

const BACKOFF = { baseMs: 60_000, maxMs: 600_000 };

type Batch = { articles: ArticleWork[]; isBusy: boolean };

/**
 * Reads articles once they are indexed, for the reranker: behind the jobs and behind the finding of entities. What is
 * still to be done is kept in the database, so nothing is lost with a process.
 */
export function rerankVectorWork(deps: RerankVectorDeps): LeasedWork<Batch> {
  const { store, reader, afterEntities, logger, onBatch } = deps;
  const lease = (owner: string) => ({ owner, leaseS: RERANK_LEASE_S });
  return {
    name: "rerank-vectors",
    async claim(owner) {
      if (afterEntities && (await store.entities.newArticlesWait())) return undefined;
      const isBusy = await articlesWait(deps);
      const articles = await store.rerank.claim({ ...lease(owner), limit: isBusy ? BUSY_BATCH : BATCH });
      return articles.length === 0 ? undefined : { articles, isBusy };
    },
    heartbeat: async (owner) => (await store.rerank.heartbeat(lease(owner))) > 0,
    async perform({ articles, isBusy }, { owner, signal }) {
      const batchStartedAt = performance.now();
      const attempts = new Map(articles.map((article) => [article.articleId, article.attempts]));
      // Not those kept for the jobs: one that was changed since is read anew.
      for (const article of await store.articles.byIds([...attempts.keys()], ["articleId", "title", "content"])) {
        const { articleId } = article;
        const startedAt = performance.now();
        const outcome = await readArticle(reader, article, signal);
        if ("vectors" in outcome) {
          const stored = await store.rerank.put(owner, [{ articleId, ...outcome }], { modelId: reader.modelId });
          onBatch("done", stored.length, (performance.now() - startedAt) / 1000);
        } else {
          const delayS = backoffMs((attempts.get(articleId) ?? 1) - 1, BACKOFF) / 1000;
          await store.rerank.retry(owner, { ids: [articleId], delayS });
          onBatch("failed", 1, 0);
          logger.warn({ article_id: articleId, err: outcome.error }, "an article could not be read for the reranker");
        }
      }
      return isBusy ? restAfter(performance.now() - batchStartedAt) : 0;
    },
    release: (owner) => store.rerank.release(owner),
    fields: ({ articles }) => ({ articles: articles.length }),
  };
}

/** The vectors of the article's first chunks, or why it could not be read. Rejects only once the signal aborts. */
async function readArticle(
  reader: Pick<PassageReader, "read">,
  article: ArticleText,
  signal: AbortSignal,
): Promise<{ vectors: Int8Array[] } | { error: unknown }> {
  try {
    return { vectors: await reader.read(passagesOf(article), signal) };
  } catch (error) {
    signal.throwIfAborted();
    return { error };
  }
}
