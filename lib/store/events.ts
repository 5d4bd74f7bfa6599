import { iso } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";

/** The channel on which a change of the chunks is announced. */
export const CHUNKS_CHANNEL = "isnad_chunks";

const CHANGE_LOCK = 4_922_051_774;

/**
 * Takes, until the transaction ends, the lock under which change numbers are given out: numbers then become visible in
 * their own order. Take it late; everybody who writes chunks or events waits for it.
 */
export async function lockChanges(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${CHANGE_LOCK})`;
}

/** The `article` of an event, built by Postgres from a row of table `articles` named `a`. */
export function eventArticle(sql: Sql | Tx) {
  return sql.unsafe(`jsonb_build_object('article_id', a.article_id, 'doc_id', a.doc_id, 'source_id', a.source_id, 'url', a.url,
    'title', a.title, 'lang', a.lang, 'published_at', ${iso("a.published_at")}, 'content_hash', encode(a.content_hash, 'hex'))`);
}
