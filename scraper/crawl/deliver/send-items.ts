import type { DeletionReport, ItemDraft } from "@isnad/lib/contract";
import type { Deliveries, Delivery, DeliveryOptions, ReportStatus } from "@isnad/lib/ingest/client";
import type { ScrapedItem, StoredItem } from "@isnad/lib/store";
import type { CrawlParts } from "../parts.ts";

/**
 * What became of a kept article: what the ingest route said of it, or that its deletion was reported (`gone`). One that
 * the platform has with other content counts as delivered once what it says now is reported.
 */
export type SentItem =
  | Delivery
  | { readonly externalId: string; readonly status: "gone"; readonly error?: { type: string; detail: string } };

/** What became of all, in their order. */
export interface SentItems {
  readonly outcomes: readonly SentItem[];
  /** Why some are undelivered. */
  readonly error: Deliveries["error"] | undefined;
}

/**
 * Sends kept articles to the platform. What it answers `conflict` to, what went back to an earlier text, and the
 * deletions go to its revisions. `again` sends the articles that are gone, too. Rejects only with the signal's reason.
 */
export async function sendItems(
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

/** An article as the ingest route takes it. The canonical category goes in place of the label, where it is known. */
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
