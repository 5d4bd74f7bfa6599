import type { Sql, Tx } from "../client.ts";
import { storableText } from "../json.ts";
import { type Alias, type Known, type KnownArticle, pairKey } from "./decide.ts";
import type { AdmissionItem } from "../articles/columns.ts";

type Row = { sourceId: string | null; externalId: string | null; articleId: number; contentHash: string };

/**
 * What the database knows of the items, by pair and by content, with one statement. Articles in `fresh` were inserted
 * by this transaction: their own pairs are left out, for the status table to find them by content.
 */
export async function lookUp(
  tx: Tx | Sql,
  items: readonly AdmissionItem[],
  fresh: ReadonlySet<number>,
): Promise<Known> {
  const rows = await tx<Row[]>`
    select p.source_id as "sourceId", p.external_id as "externalId", article_id as "articleId",
      encode(content_hash, 'hex') as "contentHash"
    from unnest(${items.map((i) => i.sourceId)}::text[], ${items.map((i) => i.externalId)}::text[]) as i (source_id, external_id)
      join article_pairs p on (p.source_id, p.external_id) = (i.source_id, i.external_id)
      join articles using (article_id)
    union all
    select null, null, article_id, encode(content_hash, 'hex')
    from articles
    where content_hash in (select decode(hash, 'hex') from unnest(${items.map((i) => i.contentHash)}::text[]) as t (hash))`;
  const lookup: Known = { pairs: new Map(), hashes: new Map() };
  for (const { sourceId, externalId, articleId, contentHash } of rows) {
    const article: KnownArticle = { articleId, contentHash, fresh: fresh.has(articleId) };
    if (sourceId === null || externalId === null) lookup.hashes.set(contentHash, article);
    else if (!article.fresh) lookup.pairs.set(pairKey({ sourceId, externalId }), article);
  }
  return lookup;
}

/**
 * Remembers the aliases. Returns false when one of them could not be: its article was deleted, or its pair was
 * taken by another transaction, since `lookUp` ran.
 */
export async function insertAliases(tx: Tx, aliases: readonly Alias[]): Promise<boolean> {
  if (aliases.length === 0) return true;
  const sorted = [...aliases].sort((a, b) => (pairKey(a) < pairKey(b) ? -1 : 1));
  const [row] = await tx<{ stored: number }[]>`
    with alias as (
      select * from unnest(${sorted.map((a) => a.sourceId)}::text[], ${sorted.map((a) => a.externalId)}::text[],
        ${sorted.map((a) => storableText(a.url))}::text[], ${sorted.map((a) => a.articleId)}::bigint[])
        as t (source_id, external_id, url, article_id)
    ), article as (
      -- Holds off a deletion until this transaction ends.
      select article_id from articles where article_id in (select article_id from alias) order by article_id for key share
    ), stored as (
      insert into article_pairs (source_id, external_id, article_id, alias_url)
      select source_id, external_id, article_id, url from alias join article using (article_id)
      order by source_id, external_id
      on conflict do nothing
      returning 1
    )
    select count(*)::int as stored from stored`;
  return row?.stored === aliases.length;
}
