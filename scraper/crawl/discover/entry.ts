import { createHash } from "node:crypto";
import type { Discovery, JsonObject } from "@isnad/lib/store";
import { canonicalUrl } from "@isnad/lib/text";
import type { DiscoveredEntry } from "../../../lib/extraction/discovery/mod.ts";

const MAX_TEXT = 250_000;

/** Where an entry was found: a list page says nothing of an article's version. */
export type ListingKind = "feed" | "sitemap" | "list";

/**
 * A discovered entry as the frontier keeps it, under its canonical address. Its stamp names what the listing says of
 * the article's version, by title and times. Undefined for an address that is none.
 */
export function toDiscovery(entry: DiscoveredEntry, kind: ListingKind, category: string | null): Discovery | undefined {
  const url = canonicalOrNull(entry.url);
  if (url === null) return undefined;
  const version = [entry.title, entry.updatedAt ?? entry.publishedAt ?? ""].join("\n");
  return {
    url,
    category,
    stamp: kind === "list" ? "" : createHash("sha256").update(version).digest("hex").slice(0, 16),
    entry: {
      ...entry,
      // The text of a link may be anything.
      title: kind === "list" ? "" : entry.title,
      categories: [...entry.categories],
      content: entry.content.slice(0, MAX_TEXT).toWellFormed(),
    },
  };
}

/** Reads an entry back; what is missing or of another type counts as unknown. */
export function fromDiscovery(url: string, entry: JsonObject): DiscoveredEntry {
  const text = (key: string): string => (typeof entry[key] === "string" ? entry[key] : "");
  const categories = Array.isArray(entry.categories) ? entry.categories : [];
  return {
    url: text("url") || url,
    title: text("title"),
    publishedAt: text("publishedAt") || null,
    updatedAt: text("updatedAt") || null,
    author: text("author"),
    categories: categories.filter((name) => typeof name === "string"),
    summary: text("summary"),
    content: text("content"),
    image: text("image") || null,
  };
}

/** The canonical form of an address, null for what is none. */
export function canonicalOrNull(address: string): string | null {
  try {
    return canonicalUrl(address);
  } catch {
    return null;
  }
}
