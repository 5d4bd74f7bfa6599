/** Fields of an item that `--map` and `--set` can name. */
export const FIELDS = [
  "source_id",
  "external_id",
  "url",
  "canonical_url",
  "title",
  "content",
  "lead",
  "lang",
  "published_at",
  "authors",
  "images",
  "category_label",
  "provider",
] as const;

export type Field = (typeof FIELDS)[number];

/** Where each field is looked for in a row, first present one first. */
export const COLUMNS: Readonly<Record<Field, readonly string[]>> = {
  source_id: ["source_id", "source"],
  external_id: ["external_id", "id", "guid"],
  url: ["url", "link"],
  canonical_url: ["canonical_url"],
  title: ["title", "headline"],
  content: ["content", "text", "body"],
  lead: ["lead", "abstract", "summary", "description"],
  lang: ["lang", "language"],
  published_at: ["published_at", "published", "date", "pubDate"],
  authors: ["authors", "author"],
  images: ["images", "image"],
  category_label: ["category_label", "category"],
  provider: ["provider"],
};
