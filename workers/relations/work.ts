import { AppError, type ServiceClient } from "@isnad/lib/service/http";
import type { LeasedWork, Logger } from "@isnad/lib/service/process";
import { backoffMs } from "@isnad/lib/std";
import type { ArticleWork, Store } from "@isnad/lib/store";
import type { ArticleText, ArticleTexts } from "../texts.ts";
import { findRelations } from "./find.ts";
import { reportOf } from "./report-of.ts";

/** What finding relations needs. */
export type RelationDeps = {
  store: Pick<Store, "relations">;
  texts: Pick<ArticleTexts, "of">;
  /** The linguistic service. */
  nlp: Pick<ServiceClient, "post">;
  logger: Logger;
  /** Called with every article. */
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
};

/** Articles of a batch. */
const BATCH = 8;

/** Seconds after which the batch of a process that died is taken by another. */
export const RELATION_LEASE_S = 60;

const BACKOFF = { baseMs: 60_000, maxMs: 600_000 };

/**
 * Finds the relations of Arabic articles once they are indexed, and stores them as `POST /ingest/relations` does. What
 * is still to be done is kept in the database: while the service is away nothing is lost, and no attempt counted.
 */
export function relationWork(deps: RelationDeps): LeasedWork<ArticleWork[]> {
  const { store, texts, logger, onBatch } = deps;
  const lease = (owner: string) => ({ owner, leaseS: RELATION_LEASE_S });
  return {
    name: "relations",
    async claim(owner) {
      const articles = await store.relations.claim({ ...lease(owner), limit: BATCH });
      return articles.length === 0 ? undefined : articles;
    },
    heartbeat: async (owner) => (await store.relations.heartbeat(lease(owner))) > 0,
    async perform(articles, { owner, signal }) {
      const attempts = new Map(articles.map((article) => [article.articleId, article.attempts]));
      for (const article of await texts.of([...attempts.keys()])) {
        const startedAt = performance.now();
        try {
          await extract(deps, article, { owner, signal });
          onBatch("done", 1, (performance.now() - startedAt) / 1000);
        } catch (error) {
          if (signal.aborted || !isRefusal(error)) throw error;
          const { articleId } = article;
          const delayS = backoffMs((attempts.get(articleId) ?? 1) - 1, BACKOFF) / 1000;
          await store.relations.retry(owner, { ids: [articleId], delayS });
          onBatch("failed", 1, 0);
          logger.warn({ article_id: articleId, err: error }, "relations could not be found");
        }
      }
      return 0;
    },
    release: (owner) => store.relations.release(owner),
    fields: (articles) => ({ articles: articles.length }),
  };
}

async function extract(
  { store, nlp }: RelationDeps,
  { articleId, content }: ArticleText,
  { owner, signal }: { owner: string; signal: AbortSignal },
): Promise<void> {
  const requestId = `relations-${articleId}`;
  const startedAt = performance.now();
  const relations = await findRelations(nlp, content, { requestId, signal });
  const report = await reportOf(relations, { articleId, requestId, tookMs: performance.now() - startedAt });
  const outcome = await store.relations.put(articleId, report);
  if (outcome.status === "outside") throw new AppError("validation-error", "relations lie outside the content");
  await store.relations.end(owner, articleId);
}

/** Whether the article is the cause of the failure, rather than a service that is away. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}
