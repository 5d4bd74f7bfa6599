import type { Sql } from "../client.ts";
import { iso } from "./columns.ts";
import { removeArticle } from "./remove.ts";

/** How many articles are older than a moment, and from when the oldest and the newest of them are. */
export type Aged = { articles: number; oldest: string | null; newest: string | null };

/** The moment that counts for the age of an article: when it was published, else when it came in. */
const MOMENT = "coalesce(published_at, created_at)";

/** How deleting many articles is bounded, stopped and watched. */
export type RemoveOptions = { limit?: number; signal?: AbortSignal; onProgress?(removed: number): void };

const BATCH = 500;

/**
 * Deletes up to `limit` articles that are from before `before` (ISO time), each as {@link removeArticle} does. Where
 * several do so at the same time, each article is deleted once. Stops when the signal aborts. Returns how many were
 * deleted here.
 */
export async function removeBefore(sql: Sql, before: string, options: RemoveOptions = {}): Promise<number> {
  const { limit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
  let removed = 0;
  for (let afterId = 0; ; ) {
    const rows = await sql<{ id: number }[]>`
      select article_id as id from articles
      where ${sql.unsafe(MOMENT)} < ${before}::timestamptz and article_id > ${afterId}
      order by article_id limit ${BATCH}`;
    for (const { id } of rows) {
      if (removed >= limit || signal?.aborted) return removed;
      if ((await removeArticle(sql, id)) !== undefined) removed += 1;
      afterId = id;
      onProgress?.(removed);
    }
    if (rows.length < BATCH) return removed;
  }
}

/** Counts the articles that are from before `before` (ISO time). */
export async function countBefore(sql: Sql, before: string): Promise<Aged> {
  const [row] = await sql<Aged[]>`
    select count(*)::int as articles, ${sql.unsafe(iso("min(at)"))} as oldest, ${sql.unsafe(iso("max(at)"))} as newest
    from (select ${sql.unsafe(MOMENT)} as at from articles) a where at < ${before}::timestamptz`;
  return row ?? { articles: 0, oldest: null, newest: null };
}
