import type { Sql, Tx } from "../client.ts";

/** Every column of an article under the name that `Article` gives it. */
const columns = {
  articleId: "article_id",
  docId: "doc_id",
  sourceId: "source_id",
  externalId: "external_id",
  url: "url",
  canonicalUrl: "canonical_url",
  domain: "domain",
  title: "title",
  content: "content",
  contentHash: "encode(content_hash, 'hex')",
  lang: "lang",
  publishedAt: iso("published_at"),
  authors: "authors",
  images: "images",
  raw: "raw",
  categoryLabel: "category_label",
  provider: "provider",
  categoryId: "category_id",
  categorySource: "category_source",
  categoryConfidence: "category_confidence",
  taxonomyVersion: "taxonomy_version",
  state: "state",
  stateReason: "state_reason",
  queuedAt: iso("queued_at"),
  createdAt: iso("created_at"),
  updatedAt: iso("updated_at"),
} as const;

/** The name of an article's field. */
export type ArticleField = keyof typeof columns;

/** Every field, in the order of `Article`. */
export const everyField = Object.keys(columns).filter((name): name is ArticleField => name in columns);

/** A timestamp as ISO 8601 in UTC with milliseconds. */
export function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A select list of these fields of table `articles`. */
export function select(sql: Sql | Tx, fields: readonly ArticleField[]) {
  return sql.unsafe(fields.map((field) => `${columns[field]} as "${field}"`).join(", "));
}
