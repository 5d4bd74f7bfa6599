import type { Sql, Tx } from "../client.ts";
import type { IdempotencyKey, KeptResponse } from "./types.ts";

/** What the key's row says: the request may go on, was answered before, or the key belongs to another body. */
export type Claim = { kind: "claimed" } | ({ kind: "replayed" } & KeptResponse) | { kind: "other-body" };

/**
 * Claims the key for this request. A request with the same key that is still in work holds its row: this one waits for its end, and
 * then finds the answer or, when that one was rolled back, takes the key over. An expired key counts as unused.
 */
export async function claimKey(tx: Tx, { tokenHash, key, bodyHash, ttlS }: IdempotencyKey): Promise<Claim> {
  const claimed = await tx`
    insert into idempotency_keys as k (token_hash, key, body_hash, expires_at)
    values (decode(${tokenHash}, 'hex'), ${key}, decode(${bodyHash}, 'hex'), now() + make_interval(secs => ${ttlS}))
    on conflict (token_hash, key) do update
      set body_hash = excluded.body_hash, expires_at = excluded.expires_at, status = null, body = null, article_ids = '{}'
      where k.expires_at <= now()
    returning 1`;
  if (claimed.length === 1) return { kind: "claimed" };
  const [row] = await tx<{ same: boolean; status: number; body: string }[]>`
    select body_hash = decode(${bodyHash}, 'hex') as same, status, body
    from idempotency_keys where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
  // It was dropped in this instant, with an article that it named.
  if (row === undefined) return claimKey(tx, { tokenHash, key, bodyHash, ttlS });
  return row.same ? { kind: "replayed", status: row.status, body: row.body } : { kind: "other-body" };
}

/** Keeps the answer under the claimed key, with the articles it names. */
export async function keepResponse(
  tx: Tx,
  { tokenHash, key }: IdempotencyKey,
  { status, body }: KeptResponse,
  articleIds: readonly number[],
): Promise<void> {
  await tx`
    update idempotency_keys set status = ${status}, body = ${body}, article_ids = ${[...articleIds]}::bigint[]
    where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
}

/** Drops expired keys, at most `limit`; returns how many. */
export async function pruneKeys(sql: Sql, limit = 10_000): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (token_hash, key) in (
      select token_hash, key from idempotency_keys where expires_at <= now() order by expires_at limit ${limit}
      for update skip locked)`;
  return result.count;
}
