import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeletionReport, ItemDraft } from "@isnad/lib/contract";
import type { Deliveries, Delivery, DeliveryOptions, ReportStatus } from "@isnad/lib/ingest/client";
import { backoffMs } from "@isnad/lib/std";
import type { ItemSettlement, ItemState, PendingItem, ScrapedItem, StoredItem } from "@isnad/lib/store";
import type { CrawlParts, DeliveryCounts, ReplayCounts, ReplayRequest } from "./types.ts";

/**
 * Holds what became of a kept article: what the ingest route said of it, or that its deletion was reported (`gone`).
 * One that the platform has with other content counts as delivered once what it says now is reported.
 */
type SentItem =
  | Delivery
  | { readonly externalId: string; readonly status: "gone"; readonly error?: { type: string; detail: string } };

/** Holds what became of all, in their order. */
interface SentItems {
  readonly outcomes: readonly SentItem[];
  /** Why some are undelivered. */
  readonly error: Deliveries["error"] | undefined;
}

/**
 * Sends kept articles to the platform. What it answers `conflict` to, what went back to an earlier text, and the
 * deletions go to its revisions. `again` sends the articles that are gone, too. Rejects only with the signal's reason.
 */
async function sendItems(
  ingest: CrawlParts["ingest"],
  items: readonly Pick<StoredItem, "item" | "goneAt" | "revision">[],
  { again = false, ...options }: DeliveryOptions & { again?: boolean },
): Promise<SentItems> {
  const articles = items.filter(({ goneAt }) => again || goneAt === null);
  const sent = await ingest.send(
    articles.map(({ item }) => toIngestItem(item)),
    options,
  );
  const answers = new Map(articles.map((article, i) => [article, sent.outcomes[i]]));
  const toReport = items.filter((item) => {
    const status = answers.get(item)?.status;
    return item.goneAt !== null || status === "conflict" || (status === "duplicate" && item.revision > 1);
  });
  const reports = toReport.map(({ item, goneAt }) => (goneAt === null ? toIngestItem(item) : deletionOf(item)));
  // While the API is away, they wait like the others.
  const reported: Deliveries<ReportStatus> =
    sent.error === undefined ? await ingest.report(reports, options) : { outcomes: [], error: sent.error };
  const verdicts = new Map(toReport.map((item, i) => [item, reported.outcomes[i]]));
  const outcomes = items.map((item): SentItem => {
    const externalId = item.item.id;
    const undelivered = { externalId, status: "undelivered" as const };
    if (!verdicts.has(item)) return answers.get(item) ?? undelivered;
    const verdict = verdicts.get(item);
    if (verdict === undefined || verdict.status === "undelivered") return undelivered;
    const error = verdict.error === undefined ? {} : { error: verdict.error };
    return answers.get(item) ?? { externalId, status: "gone", ...error };
  });
  return { outcomes, error: sent.error ?? reported.error };
}

/**
 * Returns an article as the ingest route takes it. The canonical category goes in place of the label, where it is
 * known.
 */
function toIngestItem(item: ScrapedItem): ItemDraft {
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

function deletionOf({ sourceId, id, url }: ScrapedItem): DeletionReport {
  return { kind: "deleted_at_source", source_id: sourceId, external_id: id, url };
}

/** Says which items to deliver, and on whose behalf. */
interface DeliverOptions {
  readonly signal: AbortSignal;
  readonly requestId?: string | undefined;
  readonly profileId?: string | undefined;
  readonly runId?: string | undefined;
}

const BATCH = 100;
const MAX_DELAY_MS = 30_000;

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
    const backoff = backoffMs(attempts, { baseMs: restS * 1000, maxMs: MAX_DELAY_MS });
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

/** Delivers the items of a run while it goes on, and at its end. */
interface Push {
  /** Says that an item was kept. Every so many are sent at once, one delivery at a time. */
  kept(): void;
  /** Sends the rest; the run's items by state, and why some are still to be delivered. */
  end(): Promise<{ readonly items: Record<ItemState, number>; readonly error: string | null }>;
}

const SEND_EVERY = 50;
const POLL = { baseMs: 20, maxMs: 500 };

/** Makes the push of a run. */
export function createPush(parts: CrawlParts, runId: string, options: DeliverOptions): Push {
  let waiting = 0;
  let error: string | null = null;
  let sending: Promise<void> | undefined;
  const send = async () => {
    ({ error } = await deliver(parts, options));
    sending = undefined;
  };
  return {
    kept() {
      // While the API is away, what there is to send waits for the end of the run.
      if (++waiting < SEND_EVERY || sending !== undefined || error !== null) return;
      waiting = 0;
      sending = send();
      // It is thrown at the end.
      sending.catch(() => undefined);
    },
    async end() {
      await sending;
      const until = performance.now() + parts.drainMs;
      for (let polls = 0; ; polls++) {
        await send();
        const items = await parts.store.items.countsOfRun(runId);
        // Without an error, what is pending is in the hands of another sender: the run ends when that is done.
        if (items.pending === 0 || error !== null || performance.now() > until) return { items, error };
        await sleep(backoffMs(polls, POLL), undefined, { signal: options.signal });
      }
    },
  };
}

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
