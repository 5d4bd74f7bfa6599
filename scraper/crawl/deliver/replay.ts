import type { StoredItem } from "@isnad/lib/store";
import type { CrawlParts } from "../parts.ts";
import type { ReplayCounts, ReplayRequest } from "../types.ts";
import { sendItems } from "./send-items.ts";

const PAGE = 100;

/**
 * Sends kept items again, newest first, whatever became of them before; nothing is fetched. An item that was still to
 * be delivered is settled with the answer. Ends early when the API is out of reach. Rejects when the database fails or
 * the signal aborts.
 */
export async function replay(
  { store, ingest }: Pick<CrawlParts, "store" | "ingest">,
  { limit = Number.POSITIVE_INFINITY, sendToApi, ...filter }: ReplayRequest,
  { signal, requestId }: { readonly signal: AbortSignal; readonly requestId?: string },
): Promise<ReplayCounts> {
  const counts = { matched: 0, sent: 0, accepted: 0, duplicate: 0, conflict: 0, failed: 0 };
  let afterId: number | undefined;
  let reachable = sendToApi;
  while (counts.matched < limit) {
    signal.throwIfAborted();
    const items = await store.items.find({ ...filter, limit: Math.min(PAGE, limit - counts.matched), afterId });
    if (items.length === 0) break;
    counts.matched += items.length;
    afterId = items.at(-1)?.id;
    if (reachable) reachable = await sendAll(items);
  }
  return counts;

  async function sendAll(items: readonly StoredItem[]): Promise<boolean> {
    const delivery = { signal, again: true, ...(requestId !== undefined && { requestId }) };
    const { outcomes, error } = await sendItems(ingest, items, delivery);
    const settled = items.flatMap(({ id, revision, state }, i) => {
      const outcome = outcomes[i];
      if (outcome === undefined || outcome.status === "undelivered" || outcome.status === "gone") return [];
      counts.sent++;
      counts[outcome.status]++;
      if (state !== "pending") return [];
      const to = outcome.status === "accepted" ? ("sent" as const) : outcome.status;
      return [{ id, revision, state: to, articleId: outcome.articleId }];
    });
    await store.items.settle(settled);
    return error === undefined;
  }
}
