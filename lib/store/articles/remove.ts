import type { Sql } from "../client.ts";
import { CHUNKS_CHANNEL, eventArticle, lockChanges } from "../events.ts";
import { transaction } from "../transaction.ts";
import { parseArticleId } from "./read.ts";

/**
 * Deletes the article of this number or uuid everywhere: its row, pairs, chunks, entities, relations and the
 * idempotency keys that named it; leaves a tombstone for those who follow the chunks and an event `article.deleted`.
 * One transaction. Returns its number, undefined when there is none.
 */
export async function removeArticle(sql: Sql, idOrUuid: string | number): Promise<number | undefined> {
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
    await lockChanges(tx);
    await tx`
      insert into outbox (event_id, type, article_id, article)
      select nextval('change_seq'), 'article.deleted', a.article_id, ${eventArticle(tx)} from articles a where a.article_id = ${id}`;
    await tx`delete from chunk_tombstones where article_id = ${id}`;
    await tx`insert into chunk_tombstones (article_id, seq) values (${id}, nextval('change_seq'))`;
    await tx`delete from chunks where article_id = ${id}`;
    await tx`delete from work where article_id = ${id}`;
    await tx`delete from article_signatures where article_id = ${id}`;
    await tx`delete from articles where article_id = ${id}`;
    await tx`select pg_notify(${CHUNKS_CHANNEL}, '')`;
    return id;
  });
}
