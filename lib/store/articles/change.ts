import type { Sql, Tx } from "../client.ts";
import { CHUNKS_CHANNEL } from "../log.ts";
import { writeEvents } from "../outbox.ts";
import { lockStories } from "../stories/place.ts";
import { repeating, transaction } from "../transaction.ts";
import { jsonText, parseArticleId, storableReal, storableText } from "../values.ts";
import { moveOn, type Step } from "../work.ts";
import { iso } from "./columns.ts";
import type { NormalizedRow } from "./read.ts";

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

/** Articles that one transaction removes. */
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

/** Makes the statements by which stages bring articles on. */
export function articleProgress(sql: Sql) {
  return {
    markNormalized: (rows: readonly NormalizedRow[], step?: Step) => markNormalized(sql, rows, step),
    markFailed: (articleId: number, reason: string, step?: Step) => markFailed(sql, articleId, reason, step),
    putSummaries: (summaries: ReadonlyMap<number, string>, step?: Step) => putSummaries(sql, summaries, step),
  };
}

/**
 * Moves accepted articles on to `normalized` with what was found out, and ends their step in the same transaction.
 * Returns the ids that were still `accepted`.
 */
async function markNormalized(sql: Sql, rows: readonly NormalizedRow[], step?: Step): Promise<number[]> {
  if (rows.length === 0) return [];
  const work = async (tx: Tx): Promise<number[]> => {
    const moved = await normalizeRows(tx, rows);
    if (step !== undefined) await moveOn(tx, step, moved);
    return moved;
  };
  return await transaction(sql, work);
}

async function normalizeRows(tx: Tx, rows: readonly NormalizedRow[]): Promise<number[]> {
  const input = jsonText(
    [...rows]
      .sort((a, b) => a.articleId - b.articleId)
      .map((row) => ({
        ...row,
        ...(row.categoryConfidence != null && { categoryConfidence: storableReal(row.categoryConfidence) }),
      })),
  );
  const moved = await tx<{ articleId: number }[]>`
    with input as materialized (
      select i.* from json_to_recordset(${input}::text::json) as i (
        "articleId" bigint, lang text, "categoryId" text, "categorySource" text, "categoryConfidence" real,
        "taxonomyVersion" text)
      join articles a on a.article_id = i."articleId" and a.state = 'accepted'
      order by a.article_id
      for update of a
    )
    update articles a set
      lang = i.lang,
      category_id = coalesce(i."categoryId", a.category_id),
      category_source = coalesce(i."categorySource", a.category_source),
      category_confidence = coalesce(i."categoryConfidence", a.category_confidence),
      taxonomy_version = coalesce(i."taxonomyVersion", a.taxonomy_version),
      state = 'normalized', state_reason = null, queued_at = now(), updated_at = now()
    from input i
    where a.article_id = i."articleId"
    returning a.article_id as "articleId"`;
  return moved.map((row) => row.articleId);
}

/**
 * Gives an article up, unless it is indexed, keeping the reason; its step ends, and none follows. Returns whether there
 * was one to give up.
 */
async function markFailed(sql: Sql, articleId: number, reason: string, step?: Step): Promise<boolean> {
  const work = async (tx: Tx): Promise<boolean> => {
    const result = await tx`
      update articles set state = 'failed', state_reason = ${storableText(reason).slice(0, 2000)}, updated_at = now()
      where article_id = ${articleId} and state in ('accepted', 'normalized')`;
    if (step !== undefined && result.count === 1) await moveOn(tx, { ...step, next: [] }, [articleId]);
    return result.count === 1;
  };
  return await transaction(sql, work, { repeatable: true });
}

/** Keeps the summaries of articles by their ids, and ends their step. */
async function putSummaries(sql: Sql, summaries: ReadonlyMap<number, string>, step?: Step): Promise<void> {
  const ids = [...summaries.keys()];
  if (ids.length === 0) return;
  await repeating(() =>
    sql.begin(async (tx) => {
      await tx`
        update articles set summary = s.summary from unnest(${ids}::bigint[], ${[...summaries.values()]}::text[]) as s (id, summary)
        where article_id = s.id`;
      if (step !== undefined) await moveOn(tx, step, ids);
    }),
  );
}
