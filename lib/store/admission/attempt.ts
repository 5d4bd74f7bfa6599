import { at } from "../../std/collections.ts";
import type { Sql } from "../client.ts";
import { codeOf, isRetryable } from "../errors.ts";
import { type Known, pairKey } from "./decide.ts";
import { insertColumns, insertValues, itemParameters, itemRows } from "./rows.ts";
import type { AdmissionItem } from "../articles/columns.ts";

type Row = { n: number; stored: number | null; byHash: number | null; byPair: number | null; pairHash: string | null };

// The limits keep the look-ups from being turned into joins over the whole table, planned while it was small. Pairs are
// looked up only when some content is known: with content that is new, a known pair is a conflict, and its unique
// constraint stops the statement.
const statement = `
  with item as materialized (
    select item.*, h.article_id as by_hash
    from ${itemRows}
      left join lateral (
        select article_id from articles a where a.content_hash = decode(item.content_hash, 'hex') limit 1
      ) as h on true
  ), clash as materialized (
    select exists (select from item where by_hash is not null) as found
  ), stored as (
    insert into articles (${insertColumns})
    select ${insertValues} from item, clash where not found
    returning article_id, source_id, external_id, content_hash
  ), paired as (
    insert into article_pairs (source_id, external_id, article_id)
    select source_id, external_id, article_id from stored order by source_id, external_id
  )
  select n, stored.article_id as stored, by_hash as "byHash", p.article_id as "byPair", p.content_hash as "pairHash"
  from item cross join clash
    left join stored on stored.content_hash = decode(item.content_hash, 'hex')
    left join lateral (
      select article_id, encode(a.content_hash, 'hex') as content_hash
      from article_pairs p join articles a using (article_id)
      where found and p.source_id = item.source_id and p.external_id = item.external_id limit 1
    ) as p on true`;

/** What an attempt came to: it stored all items (their ids, in the order of the items), or it found some of them. */
export type Attempt = { stored: number[] } | { known: Known };

/**
 * The way of most requests: one statement that looks the items up and, when none of them is known, stores them all.
 * Returns undefined when a unique constraint undid the statement (a pair is known with other content, or another
 * request stored one of them in the same instant), or a deadlock with another request did. The items must have distinct
 * hashes and pairs.
 */
export async function attempt(sql: Sql, items: readonly AdmissionItem[]): Promise<Attempt | undefined> {
  const order = [...items.keys()].sort((a, b) => (hashAt(items, a) < hashAt(items, b) ? -1 : 1));
  const ordered = order.flatMap((index) => items[index] ?? []);
  let rows: Row[];
  try {
    rows = await sql.unsafe<Row[]>(statement, itemParameters(ordered), { prepare: true });
  } catch (error) {
    if (codeOf(error) === "23505" || isRetryable(error)) return undefined;
    throw error;
  }
  const stored = new Array<number>(items.length);
  for (const row of rows) {
    if (row.stored === null) return { known: knownFrom(ordered, rows) };
    stored[at(order, row.n - 1)] = row.stored;
  }
  return { stored };
}

function hashAt(items: readonly AdmissionItem[], index: number): string {
  return items[index]?.contentHash ?? "";
}

/** What was found, when nothing was stored. */
function knownFrom(items: readonly AdmissionItem[], rows: readonly Row[]): Known {
  const lookup: Known = { pairs: new Map(), hashes: new Map() };
  for (const { n, byHash, byPair, pairHash } of rows) {
    const item = items[n - 1];
    if (item === undefined) continue;
    const { contentHash } = item;
    if (byHash !== null) lookup.hashes.set(contentHash, { articleId: byHash, contentHash, fresh: false });
    if (byPair !== null && pairHash !== null) {
      lookup.pairs.set(pairKey(item), { articleId: byPair, contentHash: pairHash, fresh: false });
    }
  }
  return lookup;
}
