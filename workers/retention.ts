import type { Logger } from "@isnad/lib/service/process";
import type { Store } from "@isnad/lib/store";

/** What the retention needs; articles from longer ago than `days` go. */
export type RetentionDeps = {
  store: { articles: Pick<Store["articles"], "removeBefore"> };
  logger: Logger;
  days: number;
  signal: AbortSignal;
};

/** Articles deleted in one go at most; the next one is some minutes later. */
const MOST = 10_000;

const DAY_MS = 86_400_000;

/**
 * Deletes articles that are too old, each as any other is deleted: indexes and webhooks hear of it by their events.
 * Returns how many were deleted by this worker; others may be at it too.
 */
export async function pruneAged({ store, logger, days, signal }: RetentionDeps): Promise<number> {
  const before = new Date(Date.now() - days * DAY_MS).toISOString();
  const deleted = await store.articles.removeBefore(before, { limit: MOST, signal });
  if (deleted > 0) logger.info({ deleted, before }, "articles beyond their retention were deleted");
  return deleted;
}
