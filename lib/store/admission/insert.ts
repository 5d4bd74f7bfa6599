import type { Sql, Tx } from "../client.ts";
import { jsonText } from "../json.ts";
import type { AdmissionItem } from "./types.ts";

/** A row that this request inserted; `paired` unless its pair was known already. */
export type Inserted = { articleId: number; contentHash: string; paired: boolean };

/**
 * Inserts the items' articles and their pairs with one statement, leaving out what is known by content. Waits for
 * other transactions that insert the same content or pair. The items must have distinct hashes; they are taken in the order of their hashes,
 * so that two such statements never wait for each other crosswise.
 */
export async function insertArticles(tx: Tx | Sql, items: readonly AdmissionItem[]): Promise<Inserted[]> {
  const sorted = [...items].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
  const rows = jsonText(sorted.map(row));
  return await tx<Inserted[]>`
    with stored as (
      insert into articles (
        source_id, external_id, url, canonical_url, domain, title, content, content_hash, lang, published_at, authors, images,
        raw, category_label, provider, category_id, category_source, category_confidence, taxonomy_version)
      select
        source_id, external_id, url, canonical_url, domain, title, content, decode(hash, 'hex'), lang, published_at, authors, images,
        raw, category_label, provider, category_id, category_source, category_confidence, taxonomy_version
      from json_to_recordset(${rows}::text::json) as item (
        source_id text, external_id text, url text, canonical_url text, domain text, title text, content text, hash text, lang text,
        published_at timestamptz, authors text[], images text[], raw jsonb, category_label text, provider text,
        category_id text, category_source text, category_confidence real, taxonomy_version text)
      on conflict (content_hash) do nothing
      returning article_id, source_id, external_id, content_hash
    ), paired as (
      insert into article_pairs (source_id, external_id, article_id)
      select source_id, external_id, article_id from stored order by source_id, external_id
      on conflict do nothing
      returning article_id
    )
    select stored.article_id as "articleId", encode(content_hash, 'hex') as "contentHash", paired.article_id is not null as paired
    from stored left join paired using (article_id)`;
}

function row(item: AdmissionItem): object {
  return {
    source_id: item.sourceId,
    external_id: item.externalId,
    url: item.url,
    canonical_url: item.canonicalUrl,
    domain: item.domain,
    title: item.title,
    content: item.content,
    hash: item.contentHash,
    lang: item.lang,
    published_at: item.publishedAt,
    authors: item.authors,
    images: item.images,
    raw: item.raw,
    category_label: item.categoryLabel,
    provider: item.provider,
    category_id: item.categoryId,
    category_source: item.categorySource,
    category_confidence: item.categoryConfidence,
    taxonomy_version: item.taxonomyVersion,
  };
}
