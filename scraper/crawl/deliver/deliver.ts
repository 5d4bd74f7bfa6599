import { randomUUID } from "node:crypto";
import type { Deliveries } from "@isnad/lib/ingest/client";
import { backoffMs } from "@isnad/lib/std";
import type { ItemSettlement, PendingItem } from "@isnad/lib/store";
import type { CrawlParts } from "../parts.ts";
import type { DeliveryCounts } from "../types.ts";
import { type SentItem, sendItems } from "./send-items.ts";

/** Which items to deliver, and on whose behalf. */
export interface DeliverOptions {
  readonly signal: AbortSignal;
  readonly requestId?: string | undefined;
  readonly profileId?: string | undefined;
  readonly runId?: string | undefined;
}

const BATCH = 100;
const LONGEST_DELAY_MS = 30_000;

/**
 * Sends the items that are due, oldest first, until none is left or the API is out of reach; what it did not answer
 * stays pending and is due again after a while. Rejects only when the database fails or the signal aborts: what was in
 * hand then is due again when its lease ends, and sent again, which the ingest route takes for a duplicate.
 */
export async function deliver(
  { store, ingest, sendLeaseS, restS }: Pick<CrawlParts, "store" | "ingest" | "sendLeaseS" | "restS">,
  { signal, requestId, profileId, runId }: DeliverOptions,
): Promise<DeliveryCounts> {
  const counts = { accepted: 0, duplicate: 0, conflict: 0, failed: 0, pending: 0 };
  for (;;) {
    signal.throwIfAborted();
    const owner = randomUUID();
    const items = await store.items.pending({ limit: BATCH, owner, leaseS: sendLeaseS, profileId, runId });
    if (items.length === 0) return { ...counts, error: null };
    const { outcomes, error } = await sendItems(ingest, items, {
      signal,
      ...(requestId !== undefined && { requestId }),
    });
    await store.items.settle(items.flatMap((item, i) => settlementOf(item, outcomes[i], { error, restS })));
    for (const { status } of outcomes) if (status !== "gone") counts[status === "undelivered" ? "pending" : status]++;
    if (error !== undefined) return { ...counts, error: error.message };
  }
}

function settlementOf(
  { id, revision, attempts }: PendingItem,
  outcome: SentItem | undefined,
  { error, restS }: { error: Deliveries["error"]; restS: number },
): ItemSettlement[] {
  if (outcome === undefined || outcome.status === "undelivered") {
    const backoff = backoffMs(attempts, { baseMs: restS * 1000, maxMs: LONGEST_DELAY_MS });
    const delayS = Math.max(backoff, error?.retryAfterMs ?? 0) / 1000;
    return [{ id, revision, state: "pending", delayS, reason: error?.message }];
  }
  const reason = reasonOf(outcome);
  if (outcome.status === "gone") return [{ id, revision, state: "sent", reason }];
  const state = outcome.status === "accepted" ? "sent" : outcome.status;
  return [{ id, revision, state, articleId: outcome.articleId, reason }];
}

function reasonOf(outcome: Exclude<SentItem, { status: "undelivered" }>): string | undefined {
  if (outcome.status === "conflict") return "updated_at_source";
  if (outcome.status === "gone" && outcome.error === undefined) return "deleted_at_source";
  return outcome.error === undefined ? undefined : `${outcome.error.type}: ${outcome.error.detail}`;
}
