import type { Sql, Tx } from "../client.ts";
import { jsonText } from "../values.ts";
import type { Decided, IdempotencyKey } from "./decide.ts";

/** Holds what the key's row says: the request may go on, was decided before, or the key belongs to another body. */
export type Claim = { kind: "claimed" } | ({ kind: "replayed"; memo: string } & Decided) | { kind: "other-body" };

/**
 * Claims the key for this request. A request with the same key that is still in flight holds its row: this one waits
 * for its end, and then finds the verdicts or, when that one was rolled back, takes the key over. An expired key counts
 * as unused.
 */
export async function claimKey(tx: Tx, idempotency: IdempotencyKey): Promise<Claim> {
  const { tokenHash, key, bodyHash, ttlS, memo } = idempotency;
  const claimed = await tx`
    insert into idempotency_keys as k (token_hash, key, body_hash, memo, expires_at)
    values (decode(${tokenHash}, 'hex'), ${key}, decode(${bodyHash}, 'hex'), ${memo},
      now() + make_interval(secs => ${ttlS}))
    on conflict (token_hash, key) do update
      set (body_hash, memo, expires_at, verdicts, article_ids)
        = (excluded.body_hash, excluded.memo, excluded.expires_at, null, '{}')
      where k.expires_at <= now()
    returning 1`;
  if (claimed.length === 1) return { kind: "claimed" };
  const [row] = await tx<{ same: boolean; memo: string; verdicts: Decided }[]>`
    select body_hash = decode(${bodyHash}, 'hex') as same, memo, verdicts
    from idempotency_keys where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
  // It was dropped in this instant, with an article that it named.
  if (row === undefined) return claimKey(tx, idempotency);
  return row.same ? { kind: "replayed", memo: row.memo, ...row.verdicts } : { kind: "other-body" };
}

/** Keeps the verdicts under the claimed key, with the articles they name. */
export async function keepVerdicts(tx: Tx, { tokenHash, key }: IdempotencyKey, decided: Decided): Promise<void> {
  const ids = decided.results.flatMap((result) =>
    "articleId" in result && result.articleId !== undefined ? [result.articleId] : [],
  );
  await tx`
    update idempotency_keys
    set verdicts = ${jsonText(decided)}::text::jsonb, article_ids = ${[...new Set(ids)]}::bigint[]
    where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
}

/** Gives up the claimed key, as if it had not been used. */
export async function releaseKey(tx: Tx, { tokenHash, key }: IdempotencyKey): Promise<void> {
  await tx`delete from idempotency_keys where token_hash = decode(${tokenHash}, 'hex') and key = ${key}`;
}

/** Drops expired keys, at most `limit`; returns how many. */
export async function pruneKeys(sql: Sql, limit = 10_000): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where (token_hash, key) in (
      select token_hash, key from idempotency_keys where expires_at <= now() order by expires_at limit ${limit}
      for update skip locked)`;
  return result.count;
}
