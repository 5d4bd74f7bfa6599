import type { AdmissionItem } from "@isnad/lib/store";

/** The body of an ingest request with these items. */
export function toBody(items: readonly AdmissionItem[]): string {
  const articles = items.map((item) => ({
    source_id: item.sourceId,
    external_id: item.externalId,
    url: item.url,
    title: item.title,
    content: item.content,
    lang: item.lang,
    published_at: item.publishedAt,
    authors: item.authors,
    images: item.images,
    raw: item.raw,
    category_label: item.categoryLabel,
    provider: item.provider,
  }));
  return JSON.stringify({ articles });
}
