import type { Sql, Tx } from "../client.ts";
import { jsonText } from "../json.ts";
import { RunAgain, transaction } from "../transaction.ts";
import { urlKey } from "../url-key.ts";
import { settleRow } from "./frontier.ts";
import { addToRun } from "./run-counts.ts";
import type { ItemState, KeepOutcome, NewItem } from "./types.ts";

/**
 * Keeps an article and settles the frontier row that it came from, in one transaction. Unchanged content is not to be
 * sent again, changed content is. An item that is still to be sent stays so, also with `deliver` false.
 */
export async function keepItem(sql: Sql, item: NewItem): Promise<KeepOutcome> {
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
export async function markItemGone(sql: Sql, profileId: string, url: string): Promise<boolean> {
  const result = await sql`
    update scraper_items set gone_at = now(), state = 'pending', attempts = 0, due_at = now()
    where profile_id = ${profileId} and url_key = ${urlKey(url)} and gone_at is null
      and state in ('sent', 'duplicate', 'conflict')`;
  return result.count > 0;
}
