import type { ScrapedItem } from "@isnad/lib/store";
import type { NormalizedItem } from "@isnad/lib/contract";

/** A kept article as the scraper hands it out. */
export function toNormalized(item: ScrapedItem): NormalizedItem {
  return {
    id: item.id,
    title: item.title,
    content: item.content,
    url: item.url,
    published_at: item.publishedAt,
    source: item.sourceId,
    category: item.category ?? item.categoryLabel ?? "",
    language: item.language ?? "",
    canonical_url: item.canonicalUrl ?? item.url,
    authors: item.authors,
    images: item.images,
    provider: item.provider,
  };
}
