import type { Sql } from "../client.ts";
import { CHUNKS_CHANNEL } from "../log.ts";
import { writeEvents } from "../outbox.ts";
import { lockStories } from "../stories/place.ts";
import { repeating, transaction } from "../transaction.ts";
import { iso } from "./columns.ts";
import { parseArticleId } from "../values.ts";

/** Makes the statements that remove articles. */
export function articleRemoval(sql: Sql) {
  return {
    remove: (idOrUuid: string | number) => removeArticle(sql, idOrUuid),
    removeBefore: (time: string, options?: RemoveOptions) => removeBefore(sql, time, options),
    countBefore: (time: string) => repeating(() => countBefore(sql, time)),
  };
}

/**
 * Deletes the article of this number or uuid everywhere: its row, pairs, chunks, entities, relations and the
 * idempotency keys that named it; leaves a tombstone for those who follow the chunks and an event `article.deleted`.
 * One transaction. Returns its number, undefined when there is none.
 */
async function removeArticle(sql: Sql, idOrUuid: string | number): Promise<number | undefined> {
  const parsed = parseArticleId(idOrUuid);
  if (parsed === undefined) return undefined;
  return await transaction(sql, async (tx) => {
    const key = typeof parsed === "number" ? tx`article_id = ${parsed}` : tx`doc_id = ${parsed}`;
    const [found] = await tx<{ id: number }[]>`select article_id as id from articles where ${key} for update`;
    if (found === undefined) return undefined;
    const { id } = found;
    await tx`delete from article_pairs where article_id = ${id} and alias_url is not null`;
    await tx`
      delete from article_pairs p using articles a
      where a.article_id = ${id} and (p.source_id, p.external_id) = (a.source_id, a.external_id) and p.article_id = ${id}`;
    await tx`delete from idempotency_keys where article_ids @> array[${id}]::bigint[]`;
    await writeEvents(tx, [{ type: "article.deleted", articleId: id, data: {} }]);
    await tx`delete from chunk_tombstones where article_id = ${id}`;
    await tx`insert into chunk_tombstones (article_id, seq) values (${id}, nextval('change_seq'))`;
    await tx`delete from chunks where article_id = ${id}`;
    await tx`delete from work where article_id = ${id}`;
    await lockStories(tx);
    await tx`delete from articles where article_id = ${id}`;
    await tx`select pg_notify(${CHUNKS_CHANNEL}, '')`;
    return id;
  });
}

/** Says how many articles are older than a moment, and from when the oldest and the newest of them are. */
type Aged = { articles: number; oldest: string | null; newest: string | null };

/** The moment that counts for the age of an article: when it was published, else when it came in. */
const MOMENT = "coalesce(published_at, created_at)";

/** Says how deleting many articles is bounded, stopped and watched. */
type RemoveOptions = { limit?: number; signal?: AbortSignal; onProgress?(removed: number): void };

const BATCH = 500;

/**
 * Deletes up to `limit` articles that are from before `before` (ISO time), each as {@link removeArticle} does. Where
 * several do so at the same time, each article is deleted once. Stops when the signal aborts. Returns how many were
 * deleted here.
 */
async function removeBefore(sql: Sql, before: string, options: RemoveOptions = {}): Promise<number> {
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
async function countBefore(sql: Sql, before: string): Promise<Aged> {
  const [row] = await sql<Aged[]>`
    select count(*)::int as articles, ${sql.unsafe(iso("min(at)"))} as oldest, ${sql.unsafe(iso("max(at)"))} as newest
    from (select ${sql.unsafe(MOMENT)} as at from articles) a where at < ${before}::timestamptz`;
  return row ?? { articles: 0, oldest: null, newest: null };
}
