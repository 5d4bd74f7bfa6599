import type { Discovery } from "./frontier.ts";
import type { NewItem, ScrapedItem } from "./items.ts";

/** An article as the scraper makes it. */
export function scrapedItem(id: string, fields: Partial<ScrapedItem> = {}): ScrapedItem {
  return {
    id,
    sourceId: "desk",
    source: "The Desk",
    url: `https://desk.example/${id}`,
    canonicalUrl: null,
    title: `عنوان ${id}`,
    content: `نص المقال ${id}`,
    publishedAt: "2026-11-20T10:00:00.000Z",
    language: "ar",
    category: "politics",
    categoryLabel: "سياسة",
    provider: "desk",
    authors: ["كاتب"],
    images: [],
    details: { quality: 0.9 },
    ...fields,
  };
}

/** The same, to be kept and delivered. */
export function newItem(profileId: string, id: string, fields: Partial<NewItem> = {}): NewItem {
  const item = scrapedItem(id);
  return { profileId, runId: null, url: item.url, item, contentHash: `hash of ${id}`, deliver: true, ...fields };
}

/** An article that a feed names. */
export function discovery(id: string, fields: Partial<Discovery> = {}): Discovery {
  return { url: `https://desk.example/${id}`, entry: { title: id }, category: null, stamp: "1", ...fields };
}
