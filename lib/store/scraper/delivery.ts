import type { Sql } from "../client.ts";
import { jsonText } from "../json.ts";
import { claiming, free, type Lease, type LeaseTable } from "../lease.ts";
import { itemFields } from "./items.ts";
import type { ItemSettlement, PendingItem } from "./types.ts";

const ITEMS: LeaseTable = { name: "scraper_items", key: ["item_no"], open: "w.state = 'pending'" };

const REASON_LENGTH = 1000;

/**
 * Hands out up to `limit` items that are to be sent, oldest first. One that is not settled within `leaseS` seconds is
 * handed out again.
 */
export async function takePending(
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
export async function settleItems(sql: Sql, settlements: readonly ItemSettlement[]): Promise<void> {
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
