import { randomUUID } from "node:crypto";
import { jsonText, storableText } from "../json.ts";
import type { AdmissionItem } from "./types.ts";

/** The columns of `articles` that an item fills, as a list for `insert`. */
export const insertColumns = `source_id, external_id, url, canonical_url, domain, title, content, content_hash, lang,
  published_at, authors, images, raw, category_label, provider, category_id, category_source, category_confidence,
  taxonomy_version`;

/** The same columns of the rows of `itemRows`. */
export const insertValues = insertColumns.replace("content_hash", "decode(content_hash, 'hex')");

/**
 * The items as a table expression for a `from` clause, over the parameters that `itemParameters` makes: its columns are
 * `insertColumns`, with `content_hash` in hex, and `n`, the number of the item from 1.
 */
export const itemRows = `rows from (
    json_to_recordset($1::text::json) as (source_id text, external_id text, url text, canonical_url text, domain text,
      title text, content_hash text, lang text, published_at timestamptz, authors text[], images text[], raw jsonb,
      category_label text, provider text, category_id text, category_source text, category_confidence real,
      taxonomy_version text),
    unnest(string_to_array($2::text, $3::text))
  ) with ordinality as item (source_id, external_id, url, canonical_url, domain, title, content_hash, lang,
    published_at, authors, images, raw, category_label, provider, category_id, category_source, category_confidence,
    taxonomy_version, content, n)`;

/**
 * The parameters of `itemRows`. The statement is the same whatever the number of items. Short fields travel as JSON;
 * bodies, which are costly to take out of JSON or of an array, as one text with a separator that nobody can guess. All
 * together costs what multi-row parameters cost.
 */
export function itemParameters(items: readonly AdmissionItem[]): [fields: string, contents: string, separator: string] {
  const separator = `\u001e${randomUUID()}\u001e`;
  const contents = items.map((item) => item.content).join(separator);
  return [jsonText(items.map(shortFields)), storableText(contents), separator];
}

/** Puts items into the order of their hashes, in which all requests store them: none waits for another crosswise. */
export function inOrder(items: readonly AdmissionItem[]): AdmissionItem[] {
  return [...items].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
}

/** All fields but the body, under the names of their columns. What is left out becomes null. */
function shortFields(item: AdmissionItem): object {
  return {
    source_id: item.sourceId,
    external_id: item.externalId,
    url: item.url,
    canonical_url: item.canonicalUrl,
    domain: item.domain,
    title: item.title,
    content_hash: item.contentHash,
    lang: item.lang ?? undefined,
    published_at: item.publishedAt ?? undefined,
    authors: item.authors,
    images: item.images,
    raw: item.raw ?? undefined,
    category_label: item.categoryLabel ?? undefined,
    provider: item.provider ?? undefined,
    category_id: item.categoryId ?? undefined,
    category_source: item.categorySource ?? undefined,
    category_confidence: item.categoryConfidence ?? undefined,
    taxonomy_version: item.taxonomyVersion ?? undefined,
  };
}
