import { isAuthor, type ItemDraft, type NormalizedItem } from "@isnad/lib/contract";

/**
 * A normalized item of the scraper as an article. It has the same source and identifier as when the scraper pushes it,
 * so that pull and push of one source never take an article twice.
 */
export function scrapedItem(item: NormalizedItem): ItemDraft {
  const { source, id, url, title, content, canonical_url, language, published_at, authors, images, category } = item;
  const { provider } = item;
  return {
    source_id: source,
    external_id: id,
    url,
    title,
    content,
    canonical_url,
    lang: language === "" ? null : language,
    published_at,
    authors: authors.filter(isAuthor),
    images,
    ...(category !== "" && { category_label: category }),
    provider,
    raw: { provider },
  };
}
