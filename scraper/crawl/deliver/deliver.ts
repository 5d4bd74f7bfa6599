import { randomUUID } from "node:crypto";
import type { Deliveries, Delivery, IngestItem } from "@isnad/lib/ingest-client";
import { backoffMs } from "@isnad/lib/std";
import type { ItemSettlement, PendingItem, ScrapedItem } from "@isnad/lib/store";
import type { CrawlParts } from "../parts.ts";
import type { DeliveryCounts } from "../types.ts";

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
 * Sends the items that are due, oldest first, until none is left or the API is out of reach; what it did not answer stays
 * pending and is due again after a while. Rejects only when the database fails or the signal aborts: what was in hand then is
 * due again when its lease ends, and sent again, which the ingest route takes for a duplicate.
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
    const { outcomes, error } = await ingest.send(
      items.map(({ item }) => toIngestItem(item)),
      { signal, ...(requestId !== undefined && { requestId }) },
    );
    await store.items.settle(items.flatMap((item, i) => settlementOf(item, outcomes[i], { error, restS })));
    for (const { status } of outcomes) counts[status === "undelivered" ? "pending" : status]++;
    if (error !== undefined) return { ...counts, error: error.message };
  }
}

/** An article as the ingest route takes it. The canonical category goes in place of the label, where it is known. */
export function toIngestItem(item: ScrapedItem): IngestItem {
  const label = item.category ?? item.categoryLabel;
  const { language } = item;
  return {
    source_id: item.sourceId,
    external_id: item.id,
    url: item.url,
    ...(item.canonicalUrl !== null && { canonical_url: item.canonicalUrl }),
    title: item.title,
    content: item.content,
    lang: language === "ar" || language === "en" ? language : null,
    published_at: item.publishedAt,
    authors: item.authors,
    images: item.images,
    provider: item.provider,
    ...(label !== null && { category_label: label }),
    raw: {
      provider: item.provider,
      ...(item.categoryLabel !== null && { category_label: item.categoryLabel }),
      ...item.details,
    },
  };
}

function settlementOf(
  { id, revision, attempts }: PendingItem,
  outcome: Delivery | undefined,
  { error, restS }: { error: Deliveries["error"]; restS: number },
): ItemSettlement[] {
  if (outcome === undefined || outcome.status === "undelivered") {
    const backoff = backoffMs(attempts, { baseMs: restS * 1000, maxMs: LONGEST_DELAY_MS });
    const delayS = Math.max(backoff, error?.retryAfterMs ?? 0) / 1000;
    return [{ id, revision, state: "pending", delayS, reason: error?.message }];
  }
  const state = outcome.status === "accepted" ? "sent" : outcome.status;
  const reason = reasonOf(outcome);
  return [{ id, revision, state, articleId: outcome.articleId, reason }];
}

function reasonOf(outcome: Exclude<Delivery, { status: "undelivered" }>): string | undefined {
  if (outcome.status === "conflict") return "updated_at_source";
  return outcome.error === undefined ? undefined : `${outcome.error.type}: ${outcome.error.detail}`;
}
