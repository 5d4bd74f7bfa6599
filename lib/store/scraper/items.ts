import { iso } from "../articles/columns.ts";
import type { Sql, Tx } from "../client.ts";
import { claiming, free, type Lease, type LeaseTable } from "../lease.ts";
import { onceConnected, repeating, RunAgain, transaction } from "../transaction.ts";
import { isUuid, jsonText, urlKey } from "../values.ts";
import { settleRow } from "./frontier.ts";
import { addToRun, type JsonObject, type RunCounts } from "./runs.ts";

/** A normalized article, as it is pushed and replayed. */
export type ScrapedItem = {
  /** Stable: derived from source and canonical URL. The `external_id` of the ingest endpoint. */
  id: string;
  /** The `source_id` of the ingest endpoint. */
  sourceId: string;
  /** Name of the source. */
  source: string;
  url: string;
  canonicalUrl: string | null;
  title: string;
  content: string;
  /** ISO 8601 in UTC. */
  publishedAt: string | null;
  language: string | null;
  /** Canonical category. */
  category: string | null;
  /** The source's own label. */
  categoryLabel: string | null;
  provider: string;
  authors: string[];
  images: string[];
  /** Says how the article was extracted, and further facts. */
  details: JsonObject;
};

/**
 * `kept`: not to be sent. `pending`: to be sent. The others say what the platform answered; `conflict` is an article
 * that had been sent with other content.
 */
export type ItemState = "kept" | "pending" | "sent" | "duplicate" | "conflict" | "failed";

/** An article to be kept. */
export type NewItem = {
  profileId: string;
  runId: string | null;
  /** The frontier row that it came from is settled as `done` with it, where there is one. */
  url: string;
  item: ScrapedItem;
  /** Names the content: an item of the same hash is unchanged. */
  contentHash: string;
  /** True when the item is to be sent to the platform. */
  deliver: boolean;
  /**
   * Holds what this adds to the counts of its run, in the same transaction; an unchanged one counts as skipped besides.
   */
  counts?: Partial<RunCounts>;
};

/** A kept article. `id` orders items by when they were first kept. */
export type StoredItem = {
  id: number;
  profileId: string;
  runId: string | null;
  url: string;
  item: ScrapedItem;
  contentHash: string;
  /** Grows with each change of content. */
  revision: number;
  state: ItemState;
  articleId: number | null;
  reason: string | null;
  /** Says when this content was kept. */
  keptAt: string;
  /** Since when its page is gone; null while it is there. */
  goneAt: string | null;
};

/** An item handed out to be sent. `attempts` counts the times that it was handed out before. */
export type PendingItem = StoredItem & { attempts: number };

/**
 * Holds what became of an item that was handed out. `pending` gives it back, to be handed out again after `delayS` (0)
 * seconds. When the item has changed since (its revision is another one) it stays pending, whatever is said here.
 */
export type ItemSettlement = {
  id: number;
  revision: number;
  state: Exclude<ItemState, "kept">;
  articleId?: number | undefined;
  reason?: string | undefined;
  delayS?: number | undefined;
};

/** Says which items to find, newest first. `since` and `until` are inclusive and apply to `keptAt`. */
export type ItemFilter = {
  profileId?: string | undefined;
  runId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  state?: ItemState | undefined;
  limit: number;
  /** `id` of the last item of the page before. */
  afterId?: number | undefined;
};

/** `new` also for an item that was kept without being sent and is to be sent now. */
type KeepOutcome = "new" | "unchanged" | "changed";

/** Makes the statements over articles that are kept until they are sent. */
export function itemStore(sql: Sql) {
  return {
    keep: (item: NewItem) => keepItem(sql, item),
    markGone: (profileId: string, url: string) => repeating(() => markItemGone(sql, profileId, url)),
    get: (profileId: string, url: string) => repeating(() => getItem(sql, profileId, url)),
    pending: (options: Parameters<typeof takePending>[1]) => onceConnected(() => takePending(sql, options)),
    settle: (settlements: readonly ItemSettlement[]) => repeating(() => settleItems(sql, settlements)),
    find: (filter: ItemFilter) => repeating(() => findItems(sql, filter)),
    counts: () => repeating(() => countItems(sql)),
    countsOfRun: (runId: string) => repeating(() => countItemsOfRun(sql, runId)),
  };
}

/** The columns of a stored item in table `i`. */
function itemFields(sql: Sql) {
  return sql.unsafe(`i.item_no as id, i.profile_id as "profileId", i.run_id as "runId", i.url, i.item,
    i.content_hash as "contentHash", i.revision, i.state, i.article_id as "articleId", i.reason,
    ${iso("i.kept_at")} as "keptAt", ${iso("i.gone_at")} as "goneAt"`);
}

/** The item that was kept last from an address, undefined when there is none. */
async function getItem(sql: Sql, profileId: string, url: string): Promise<StoredItem | undefined> {
  const [item] = await sql<StoredItem[]>`
    select ${itemFields(sql)} from scraper_items i
    where profile_id = ${profileId} and url_key = ${urlKey(url)} order by kept_at desc, item_no desc limit 1`;
  return item;
}

/** Kept items, those first that were first kept last, page by page. */
async function findItems(sql: Sql, filter: ItemFilter): Promise<StoredItem[]> {
  const { profileId, runId, since, until, state, limit, afterId } = filter;
  if (runId !== undefined && !isUuid(runId)) return [];
  return await sql<StoredItem[]>`
    select ${itemFields(sql)} from scraper_items i
    where true
      ${profileId === undefined ? sql`` : sql`and profile_id = ${profileId}`}
      ${runId === undefined ? sql`` : sql`and run_id = ${runId}`}
      ${since === undefined ? sql`` : sql`and kept_at >= ${since}::text::timestamptz`}
      ${until === undefined ? sql`` : sql`and kept_at <= ${until}::text::timestamptz`}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${afterId === undefined ? sql`` : sql`and item_no < ${afterId}`}
    order by item_no desc limit ${limit}`;
}

/** Counts how many items are in each state, by profile. */
async function countItems(sql: Sql): Promise<{ profileId: string; state: ItemState; count: number }[]> {
  return await sql<{ profileId: string; state: ItemState; count: number }[]>`
    select profile_id as "profileId", state, count(*)::int as count
    from scraper_items group by profile_id, state order by profile_id, state`;
}

/** Counts how many of the items that a run kept are in each state. */
async function countItemsOfRun(sql: Sql, runId: string): Promise<Record<ItemState, number>> {
  const counts: Record<ItemState, number> = { kept: 0, pending: 0, sent: 0, duplicate: 0, conflict: 0, failed: 0 };
  if (!isUuid(runId)) return counts;
  const rows = await sql<{ state: ItemState; count: number }[]>`
    select state, count(*)::int as count from scraper_items where run_id = ${runId} group by state`;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/**
 * Keeps an article and settles the frontier row that it came from, in one transaction. Unchanged content is not to be
 * sent again, changed content is. An item that is still to be sent stays so, also with `deliver` false.
 */
async function keepItem(sql: Sql, item: NewItem): Promise<KeepOutcome> {
  return await transaction(
    sql,
    async (tx) => {
      const outcome = (await insert(tx, item)) ? "new" : await merge(tx, item);
      await settleRow(tx, item.profileId, item.url, { state: "done" });
      const { runId, counts } = item;
      if (runId !== null && counts !== undefined) {
        await addToRun(tx, runId, { ...counts, ...(outcome === "unchanged" && { skipped: 1 }) });
      }
      return outcome;
    },
    { exactlyOnce: true },
  );
}

async function insert(tx: Tx, { profileId, runId, url, item, contentHash, deliver }: NewItem): Promise<boolean> {
  const rows = await tx`
    insert into scraper_items (profile_id, item_id, url_key, url, run_id, item, content_hash, state)
    values (${profileId}, ${item.id}, ${urlKey(url)}, ${url}, ${runId}::uuid, ${jsonText(item)}::text::jsonb,
      ${contentHash}, ${deliver ? "pending" : "kept"})
    on conflict (profile_id, item_id) do nothing
    returning 1`;
  return rows.length > 0;
}

async function merge(tx: Tx, { profileId, runId, url, item, contentHash, deliver }: NewItem): Promise<KeepOutcome> {
  const [known] = await tx<{ id: number; contentHash: string; state: ItemState; gone: boolean }[]>`
    select item_no as id, content_hash as "contentHash", state, gone_at is not null as gone from scraper_items
    where profile_id = ${profileId} and item_id = ${item.id} for update`;
  // It was dropped between the two statements.
  if (known === undefined) throw new RunAgain();
  if (known.contentHash === contentHash && known.gone) {
    // It is there again: the platform is to be told that the source says this once more.
    await tx`
      update scraper_items set gone_at = null, state = ${deliver ? "pending" : known.state}, revision = revision + 1,
        attempts = 0, due_at = now()
      where item_no = ${known.id}`;
    return deliver ? "changed" : "unchanged";
  }
  if (known.contentHash === contentHash) {
    if (known.state !== "kept" || !deliver) return "unchanged";
    await tx`
      update scraper_items set state = 'pending', run_id = ${runId}::uuid, attempts = 0, due_at = now()
      where item_no = ${known.id}`;
    return "new";
  }
  // Who is sending the old content keeps its lease: the new one must not overtake it.
  await tx`
    update scraper_items set
      (item, content_hash, revision, run_id, url_key, url, kept_at, settled_at)
        = (${jsonText(item)}::text::jsonb, ${contentHash}, revision + 1, ${runId}::uuid, ${urlKey(url)}, ${url}, now(), null),
      state = ${deliver || known.state === "pending" ? "pending" : "kept"},
      (reason, attempts, gone_at) = (null, 0, null),
      due_at = case when state = 'pending' then due_at else now() end
    where item_no = ${known.id}`;
  return "changed";
}

/**
 * Takes note that the page of an article which the platform was sent is gone, and has that reported. False where there
 * is no such article, or it was gone already.
 */
async function markItemGone(sql: Sql, profileId: string, url: string): Promise<boolean> {
  const result = await sql`
    update scraper_items set gone_at = now(), state = 'pending', attempts = 0, due_at = now()
    where profile_id = ${profileId} and url_key = ${urlKey(url)} and gone_at is null
      and state in ('sent', 'duplicate', 'conflict')`;
  return result.count > 0;
}

const ITEMS: LeaseTable = { name: "scraper_items", key: ["item_no"], open: "w.state = 'pending'" };

const REASON_LENGTH = 1000;

/**
 * Hands out up to `limit` items that are to be sent, oldest first. One that is not settled within `leaseS` seconds is
 * handed out again.
 */
async function takePending(
  sql: Sql,
  options: Lease & {
    limit: number;
    profileId?: string | undefined;
    runId?: string | undefined;
  },
): Promise<PendingItem[]> {
  const { limit, profileId, runId, ...lease } = options;
  const rows = await sql<PendingItem[]>`
    with ${claiming(sql, ITEMS, lease, {
      where: sql`and w.due_at <= now()
        ${profileId === undefined ? sql`` : sql`and w.profile_id = ${profileId}`}
        ${runId === undefined ? sql`` : sql`and w.run_id = ${runId}`}`,
      orderBy: "w.item_no",
      limit,
    })}
    select ${itemFields(sql)}, i.attempts - 1 as attempts from claimed i`;
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Says what became of items that were handed out. One that is no longer pending stays as it is. */
async function settleItems(sql: Sql, settlements: readonly ItemSettlement[]): Promise<void> {
  if (settlements.length === 0) return;
  const rows = jsonText(
    settlements
      .toSorted((a, b) => a.id - b.id)
      .map((row) => ({ delayS: 0, ...row, reason: row.reason?.slice(0, REASON_LENGTH) })),
  );
  await sql`
    update scraper_items i set
      state = case when s.changed then i.state else s.state end,
      article_id = coalesce(s."articleId", i.article_id),
      reason = case when s.changed then null else s.reason end,
      settled_at = case when s.changed or s.state = 'pending' then null else now() end,
      ${free(sql)},
      due_at = case when s.changed then now() else now() + make_interval(secs => s."delayS") end
    from (
      select s.*, i.revision <> s.revision as changed
      from json_to_recordset(${rows}::text::json) as s (
        id bigint, revision integer, state text, "articleId" bigint, reason text, "delayS" float8)
      join scraper_items i on i.item_no = s.id and i.state = 'pending'
      order by i.item_no
      for update of i
    ) s
    where i.item_no = s.id`;
}
