import type { Sql, Tx } from "../client.ts";
import { jsonText, storableReal, storableText } from "../values.ts";
import { repeating, transaction } from "../transaction.ts";
import { moveOn, type Step } from "../work.ts";
import type { NormalizedRow } from "./read.ts";

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
