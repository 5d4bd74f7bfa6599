import { createHash, randomBytes } from "node:crypto";
import type { KeyRecord, KeyUse, Scope } from "../contract/state-v1.ts";
import { iso } from "./articles/columns.ts";
import type { Sql } from "./client.ts";

/** Holds what a key is made with. */
export type NewKey = {
  name: string;
  scopes: readonly Scope[];
  /** ISO 8601. */
  expiresAt?: string | undefined;
  ratePerMin?: number | undefined;
};

/** A key as operators see it. */
export type ListedKey = {
  keyId: string;
  name: string;
  scopes: Scope[];
  ratePerMin: number | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

/** Makes a key, and returns it: it is kept nowhere else. */
export async function createKey(
  sql: Sql,
  { name, scopes, expiresAt, ratePerMin }: NewKey,
): Promise<{ keyId: string; key: string }> {
  const keyId = randomBytes(6).toString("hex");
  const key = `isnad_${keyId}_${randomBytes(32).toString("base64url")}`;
  await sql`
    insert into api_keys (key_id, name, hash, scopes, expires_at, rate_per_min)
    values (${keyId}, ${name}, ${createHash("sha256").update(key).digest()}, ${[...scopes]}::text[],
      ${expiresAt ?? null}::text::timestamptz, ${ratePerMin ?? null})`;
  return { keyId, key };
}

/** Lists all keys, also those that are over, the newest first. */
export async function listKeys(sql: Sql): Promise<ListedKey[]> {
  return await sql<ListedKey[]>`
    select key_id as "keyId", name, scopes, rate_per_min as "ratePerMin", ${sql.unsafe(iso("created_at"))} as "createdAt",
      ${sql.unsafe(iso("expires_at"))} as "expiresAt", ${sql.unsafe(iso("revoked_at"))} as "revokedAt",
      ${sql.unsafe(iso("last_used_at"))} as "lastUsedAt"
    from api_keys order by created_at desc, key_id`;
}

/** Ends a key for good. False where there is none of that id; one that was revoked before stays as it is. */
export async function revokeKey(sql: Sql, keyId: string): Promise<boolean> {
  const rows = await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where key_id = ${keyId} returning 1`;
  return rows.length > 0;
}

/** Notes when keys were used last, and returns all that are in force. */
export async function currentKeys(sql: Sql, used: readonly KeyUse[]): Promise<KeyRecord[]> {
  if (used.length > 0) {
    const ids = used.map(({ key_id }) => key_id);
    const times = used.map(({ at }) => at);
    await sql`
      update api_keys k set last_used_at = greatest(k.last_used_at, least(u.at, now()))
      from unnest(${ids}::text[], ${times}::text[]::timestamptz[]) as u (id, at) where k.key_id = u.id`;
  }
  return await sql<KeyRecord[]>`
    select key_id, encode(hash, 'hex') as hash, scopes, rate_per_min, ${sql.unsafe(iso("expires_at"))} as expires_at
    from api_keys where revoked_at is null and (expires_at is null or expires_at > now())`;
}
