import { iso } from "../articles/columns.ts";
import type { Sql } from "../client.ts";
import { urlKey } from "../url-key.ts";
import { isUuid } from "../uuid.ts";
import type { ItemFilter, ItemState, StoredItem } from "./types.ts";

/** The columns of a stored item in table `i`. */
export function itemFields(sql: Sql) {
  return sql.unsafe(`i.item_no as id, i.profile_id as "profileId", i.run_id as "runId", i.url, i.item,
    i.content_hash as "contentHash", i.revision, i.state, i.article_id as "articleId", i.reason,
    ${iso("i.kept_at")} as "keptAt", ${iso("i.gone_at")} as "goneAt"`);
}

/** The item that was kept last from an address, undefined when there is none. */
export async function getItem(sql: Sql, profileId: string, url: string): Promise<StoredItem | undefined> {
  const [item] = await sql<StoredItem[]>`
    select ${itemFields(sql)} from scraper_items i
    where profile_id = ${profileId} and url_key = ${urlKey(url)} order by kept_at desc, item_no desc limit 1`;
  return item;
}

/** Kept items, those first that were first kept last, page by page. */
export async function findItems(sql: Sql, filter: ItemFilter): Promise<StoredItem[]> {
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

/** How many items are in each state, by profile. */
export async function countItems(sql: Sql): Promise<{ profileId: string; state: ItemState; count: number }[]> {
  return await sql<{ profileId: string; state: ItemState; count: number }[]>`
    select profile_id as "profileId", state, count(*)::int as count
    from scraper_items group by profile_id, state order by profile_id, state`;
}

/** How many of the items that a run kept are in each state. */
export async function countItemsOfRun(sql: Sql, runId: string): Promise<Record<ItemState, number>> {
  const counts: Record<ItemState, number> = { kept: 0, pending: 0, sent: 0, duplicate: 0, conflict: 0, failed: 0 };
  if (!isUuid(runId)) return counts;
  const rows = await sql<{ state: ItemState; count: number }[]>`
    select state, count(*)::int as count from scraper_items where run_id = ${runId} group by state`;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}
