import { randomUUID } from "node:crypto";
import { at } from "../../std/collections.ts";
import { type AdmissionItem, admittedFields, columnDefinition, columnOf, columnValue } from "../articles/columns.ts";
import { codeOf, isRetryable, type Sql, type Tx } from "../client.ts";
import { type Json, jsonText, storableReal, storableText } from "../values.ts";

export type { AdmissionItem } from "../articles/columns.ts";

/** An article that the database knows, or that this request has just inserted (`fresh`). */
type KnownArticle = { articleId: number; contentHash: string; fresh: boolean };

/** Articles that were known before or inserted by this request, by pair (see `pairKey`) and by content hash. */
export type Known = { pairs: Map<string, KnownArticle>; hashes: Map<string, KnownArticle> };

/** A further pair under which an article is now known. */
type Alias = {
  sourceId: string;
  externalId: string;
  url: string;
  publishedAt: string | null;
  articleId: number;
};

/** The verdicts on the items of a request, and what goes with them into the database. */
type Verdict = {
  results: AdmissionResult[];
  conflict: boolean;
  /** Items that are to be stored and are not yet. */
  missing: number;
  aliases: Alias[];
};

/** The pair (`source_id`, `external_id`) as one string; U+0000 occurs in neither. */
export function pairKey(item: { sourceId: string; externalId: string }): string {
  return `${item.sourceId}\u0000${item.externalId}`;
}

/**
 * The status table, first match wins: pair known with this content: duplicate; pair known with other content:
 * conflict; content known under another pair: duplicate, and the pair becomes an alias; else accepted. The same holds
 * among the items. An item of a source in `unknownSources` fails.
 *
 * With a conflict nothing is to be stored, and no result names an article that was.
 */
export function decide(
  items: readonly AdmissionItem[],
  known: Known,
  unknownSources: ReadonlySet<string> = new Set(),
): Verdict {
  const pairs = new Map(known.pairs);
  const hashes = new Map<string, { articleId: number | undefined; contentHash: string; fresh: boolean }>(known.hashes);
  const accepted = new Set<string>();
  const results: AdmissionResult[] = [];
  const aliases: Alias[] = [];
  const batchPairs = new Map<string, string>();
  let missing = 0;
  for (const item of items) {
    if (unknownSources.has(item.sourceId)) {
      results.push({ status: "failed" });
      continue;
    }
    const key = pairKey(item);
    const paired = pairs.get(key);
    const knownHash = paired?.contentHash ?? batchPairs.get(key);
    if (knownHash !== undefined && knownHash !== item.contentHash) {
      results.push({ status: "conflict", articleId: paired?.articleId });
      continue;
    }
    const article = paired ?? hashes.get(item.contentHash);
    const isFirst = (article === undefined || article.fresh) && !accepted.has(item.contentHash);
    if (isFirst) {
      accepted.add(item.contentHash);
      if (article === undefined) {
        missing++;
        hashes.set(item.contentHash, { articleId: undefined, contentHash: item.contentHash, fresh: true });
      }
      results.push({ status: "accepted", articleId: article?.articleId });
    } else {
      results.push({ status: "duplicate", articleId: article?.articleId });
      if (knownHash === undefined && article?.articleId !== undefined) {
        const { url, publishedAt } = item;
        aliases.push({ ...pairOf(item), url, publishedAt, articleId: article.articleId });
      }
    }
    batchPairs.set(key, item.contentHash);
  }
  if (!results.some((result) => result.status === "conflict")) return { results, conflict: false, missing, aliases };
  const fresh = new Set([...known.hashes.values()].flatMap((article) => (article.fresh ? [article.articleId] : [])));
  return { results: results.map((result) => withoutId(result, fresh)), conflict: true, missing: 0, aliases: [] };
}

function pairOf({ sourceId, externalId }: AdmissionItem): { sourceId: string; externalId: string } {
  return { sourceId, externalId };
}

function withoutId(result: AdmissionResult, fresh: ReadonlySet<number>): AdmissionResult {
  if (!("articleId" in result) || result.articleId === undefined || !fresh.has(result.articleId)) return result;
  return { ...result, articleId: undefined };
}

/**
 * The verdict on one item. `failed` here means only that its source is not known (and has to be). With `conflict` it is
 * the article that the pair belongs to; undefined where that is an item of the same batch.
 */
export type AdmissionResult =
  | { status: "accepted"; articleId: number | undefined }
  | { status: "duplicate"; articleId: number | undefined }
  | { status: "conflict"; articleId: number | undefined }
  | { status: "failed" };

/**
 * An Idempotency-Key with its scope. Hashes in hex. `memo` is kept with the verdicts: what the caller needs to say them
 * again.
 */
export type IdempotencyKey = { tokenHash: string; key: string; bodyHash: string; ttlS: number; memo: string };

/** Holds what goes with the items of one request. */
export type AdmissionContext = {
  requireKnownSource: boolean;
  idempotency?: IdempotencyKey | undefined;
};

/**
 * The verdicts, in the order of the items. With `conflict` nothing was stored: no result names an article that
 * would have been accepted.
 */
export type Decided = { conflict: boolean; results: AdmissionResult[] };

/** Holds what became of the request. */
export type AdmissionOutcome =
  | ({ kind: "decided" } & Decided)
  /** The key was used before for the same body: these are the verdicts of then, with the memo of then. */
  | ({ kind: "replayed"; memo: string } & Decided)
  /** The key was used before for another body. `results`: what the items would have got; nothing was stored. */
  | ({ kind: "key-reuse" } & Decided);

/** The columns of `articles` that an item fills, as a list for `insert`. */
const insertColumns = admittedFields.map(columnOf).join(", ");

/** The values of these columns, out of the rows of `itemRows`. */
const insertValues = admittedFields.map(columnValue).join(", ");

/** All but the body, which travels by itself. */
const SHORT_FIELDS = admittedFields.filter((field) => field !== "content");

/**
 * The items as a table expression for a `from` clause, over the parameters that `itemParameters` makes: its columns are
 * `insertColumns`, with `content_hash` in hex, and `n`, the number of the item from 1.
 */
const itemRows = `rows from (
    json_to_recordset($1::text::json) as (${SHORT_FIELDS.map(columnDefinition).join(", ")}),
    unnest(string_to_array($2::text, $3::text))
  ) with ordinality as item (${SHORT_FIELDS.map(columnOf).join(", ")}, content, n)`;

/**
 * The parameters of `itemRows`. The statement is the same whatever the number of items. Short fields travel as JSON;
 * bodies, which are costly to take out of JSON or of an array, as one text with a separator that nobody can guess. All
 * together costs what multi-row parameters cost.
 */
function itemParameters(items: readonly AdmissionItem[]): [fields: string, contents: string, separator: string] {
  const separator = `\u001e${randomUUID()}\u001e`;
  const contents = items.map((item) => item.content).join(separator);
  return [jsonText(items.map(shortFields)), storableText(contents), separator];
}

/** Puts items into the order of their hashes, in which all requests store them: none waits for another crosswise. */
function inOrder(items: readonly AdmissionItem[]): AdmissionItem[] {
  return [...items].sort((a, b) => (a.contentHash < b.contentHash ? -1 : 1));
}

const SHORT_COLUMNS = SHORT_FIELDS.map((field) => ({ field, column: columnOf(field) }));

/** All fields but the body, under the names of their columns. What is left out becomes null. */
function shortFields(item: AdmissionItem): Record<string, Json> {
  const row: Record<string, Json> = {};
  for (const { field, column } of SHORT_COLUMNS) row[column] = item[field] ?? undefined;
  if (item.categoryConfidence !== null) row.category_confidence = storableReal(item.categoryConfidence);
  return row;
}

type AttemptRow = {
  n: number;
  stored: number | null;
  byHash: number | null;
  byPair: number | null;
  pairHash: string | null;
};

// The limits keep the look-ups from being turned into joins over the whole table, planned while it was small. Pairs are
// looked up only when some content is known: with content that is new, a known pair is a conflict, and its unique
// constraint stops the statement.
const oneStatement = `
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

/**
 * Holds what an attempt came to: it stored all items (their ids, in the order of the items), or it found some of them.
 */
type Attempt = { stored: number[] } | { known: Known };

/**
 * The way of most requests: one statement that looks the items up and, when none of them is known, stores them all.
 * Returns undefined when a unique constraint undid the statement (a pair is known with other content, or another
 * request stored one of them in the same instant), or a deadlock with another request did. The items must have distinct
 * hashes and pairs.
 */
export async function attempt(sql: Sql, items: readonly AdmissionItem[]): Promise<Attempt | undefined> {
  const order = [...items.keys()].sort((a, b) => (hashAt(items, a) < hashAt(items, b) ? -1 : 1));
  const ordered = order.flatMap((index) => items[index] ?? []);
  let rows: AttemptRow[];
  try {
    rows = await sql.unsafe<AttemptRow[]>(oneStatement, itemParameters(ordered), { prepare: true });
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

/** Returns what was found, when nothing was stored. */
function knownFrom(items: readonly AdmissionItem[], rows: readonly AttemptRow[]): Known {
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

/** A row that this request inserted; `paired` unless its pair was known already. */
export type Inserted = { articleId: number; contentHash: string; paired: boolean };

const statement = `
  with stored as (
    insert into articles (${insertColumns})
    select ${insertValues} from ${itemRows}
    on conflict (content_hash) do nothing
    returning article_id, source_id, external_id, content_hash
  ), paired as (
    insert into article_pairs (source_id, external_id, article_id)
    select source_id, external_id, article_id from stored order by source_id, external_id
    on conflict do nothing
    returning article_id
  )
  select stored.article_id as "articleId", encode(content_hash, 'hex') as "contentHash",
    paired.article_id is not null as paired
  from stored left join paired using (article_id)`;

/**
 * Inserts the items' articles and their pairs with one statement, leaving out what is known by content. Waits for
 * other transactions that insert the same content or pair. The items must have distinct hashes.
 */
export async function insertArticles(tx: Tx, items: readonly AdmissionItem[]): Promise<Inserted[]> {
  if (items.length === 0) return [];
  return await tx.unsafe<Inserted[]>(statement, itemParameters(inOrder(items)), { prepare: true });
}

type Row = { sourceId: string | null; externalId: string | null; articleId: number; contentHash: string };

/**
 * Returns what the database knows of the items, by pair and by content, with one statement. Articles in `fresh` were
 * inserted by this transaction: their own pairs are left out, for the status table to find them by content.
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
        ${sorted.map((a) => storableText(a.url))}::text[], ${sorted.map((a) => a.publishedAt)}::timestamptz[],
        ${sorted.map((a) => a.articleId)}::bigint[]) as t (source_id, external_id, url, published_at, article_id)
    ), article as (
      -- Holds off a deletion until this transaction ends.
      select article_id from articles where article_id in (select article_id from alias) order by article_id for key share
    ), stored as (
      insert into article_pairs (source_id, external_id, article_id, alias_url, alias_published_at, alias_at)
      select source_id, external_id, article_id, url, published_at, now() from alias join article using (article_id)
      order by source_id, external_id
      on conflict do nothing
      returning 1
    )
    select count(*)::int as stored from stored`;
  return row?.stored === aliases.length;
}
