import { EventArticle } from "../contract/mod.ts";
import { jsonObject } from "./articles/columns.ts";
import type { Sql, Tx } from "./client.ts";

/** The channel on which a change of the chunks is announced. */
export const CHUNKS_CHANNEL = "isnad_chunks";

const EVENT_COLUMNS = Object.keys(EventArticle.shape);

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
  return jsonObject(sql, EVENT_COLUMNS, "a");
}
