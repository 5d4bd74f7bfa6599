import type postgres from "postgres";
import type { Sql, Tx } from "../client.ts";
import { lockChanges } from "../log.ts";
import { modelNo } from "../models.ts";
import { repeating, transaction } from "../transaction.ts";
import { jsonText, storableText } from "../values.ts";

/** Makes the statements over vectors of claims. */
export function claimVectorStore(sql: Sql) {
  return {
    vectors: (modelId: string, page: { after: number; limit: number }) =>
      repeating(() => claimVectors(sql, modelId, page)),
    position: () => repeating(() => claimPosition(sql)),
    byIds: (ids: readonly number[]) => repeating(() => claimsByIds(sql, ids)),
    stale: (modelId: string, limit: number) => repeating(() => staleClaims(sql, modelId, limit)),
    renew: (modelId: string, claims: readonly (StaleClaim & { terms: readonly string[]; vector: Int8Array })[]) =>
      repeating(() => renewClaims(sql, modelId, claims)),
  };
}

export function bytesOf({ buffer, byteOffset, byteLength }: Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export function signedBytes({ buffer, byteOffset, length }: Uint8Array): Int8Array {
  return new Int8Array(buffer, byteOffset, length);
}

/** A vector under the number of what it belongs to. */
export type NumberedVector = { id: number; vector: Int8Array };

/** A vector with the number of the change that made it. */
export type FollowedVector = NumberedVector & { seq: number };

/**
 * Returns up to `limit` claims with vectors of this model that were made or read again after a change, in their order.
 */
async function claimVectors(
  sql: Sql,
  modelId: string,
  { after, limit }: { after: number; limit: number },
): Promise<FollowedVector[]> {
  const model = await modelNo(sql, modelId);
  const rows = await sql<(Omit<FollowedVector, "vector"> & { vector: Buffer })[]>`
    select claim_id as id, seq, vector from claims
    where seq > ${after} and model_no = ${model} order by seq limit ${limit}`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/**
 * Says what a follower of claims or reviews can be behind: the numbers of their newest changes, and the epoch of the
 * log, which is another one after a fail-over or a restored backup.
 */
export type ClaimPosition = { epoch: string; claims: number; reviews: number };

/** Returns how far claims and reviews go now. */
async function claimPosition(sql: Sql): Promise<ClaimPosition> {
  const [row] = await sql<ClaimPosition[]>`
    select coalesce((select epoch::text from log_epochs order by began_at desc limit 1), '') as epoch,
      coalesce((select max(seq) from claims), 0) as claims, coalesce((select max(seq) from reviews), 0) as reviews`;
  return row ?? { epoch: "", claims: 0, reviews: 0 };
}

/** A claim as it is compared with others. */
export type ComparedClaim = { claimId: number; text: string; lang: string; names: string[]; vector: Int8Array };

/** Returns those of these claims that there are. */
async function claimsByIds(sql: Sql, ids: readonly number[]): Promise<ComparedClaim[]> {
  if (ids.length === 0) return [];
  const rows = await sql<(Omit<ComparedClaim, "vector"> & { vector: Buffer })[]>`
    select claim_id as "claimId", text, lang, names, vector from claims
    where claim_id = any(${[...ids]}::bigint[])`;
  return rows.map(({ vector, ...row }) => ({ ...row, vector: signedBytes(vector) }));
}

/** A claim whose terms and vector are to be made again: its text is another one, or another model read it. */
type StaleClaim = { claimId: number; text: string };

/** Returns up to `limit` stale claims. */
async function staleClaims(sql: Sql, modelId: string, limit: number): Promise<StaleClaim[]> {
  const model = await modelNo(sql, modelId);
  const some = (condition: postgres.PendingQuery<postgres.Row[]>) => sql`
    (select claim_id, text from claims where ${condition} limit ${limit})`;
  return await sql<StaleClaim[]>`
    select distinct claim_id as "claimId", text from (
      ${some(sql`stale`)} union all ${some(sql`model_no < ${model}`)} union all ${some(sql`model_no > ${model}`)}
    ) as c order by 1 limit ${limit}`;
}

/** Stores the terms and vectors of claims whose text is still this one. */
async function renewClaims(
  sql: Sql,
  modelId: string,
  claims: readonly (StaleClaim & { terms: readonly string[]; vector: Int8Array })[],
): Promise<void> {
  if (claims.length === 0) return;
  const model = await modelNo(sql, modelId);
  const rows = claims.map(({ claimId, text, terms }) => ({ claim_id: claimId, text, terms: terms.map(storableText) }));
  const vectors = Buffer.concat(claims.map(({ vector }) => bytesOf(vector)));
  const bytes = vectors.length / claims.length;
  const work = async (tx: Tx): Promise<void> => {
    await lockChanges(tx);
    await tx`
    update claims c set seq = nextval('change_seq'), terms = r.terms, model_no = ${model}, stale = false,
      vector = substring(${vectors}::bytea from ((n - 1) * ${bytes} + 1)::int for ${bytes}::int)
    from rows from (json_to_recordset(${jsonText(rows)}::text::json) as (claim_id bigint, text text, terms text[]))
      with ordinality as r (claim_id, text, terms, n)
    where c.claim_id = r.claim_id and c.text = r.text`;
  };
  await transaction(sql, work, { repeatable: true });
}
