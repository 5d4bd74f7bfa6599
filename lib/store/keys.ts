import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { KeyRecord, KeyUse, Scope } from "../contract/state-v1.ts";
import { iso } from "./articles/columns.ts";
import type { Sql } from "./client.ts";
import { repeating } from "./transaction.ts";

/** Makes the statements over API keys. */
export function keyStore(sql: Sql) {
  return {
    create: (key: NewKey) => createKey(sql, key),
    list: () => repeating(() => listKeys(sql)),
    revoke: (keyId: string) => repeating(() => revokeKey(sql, keyId)),
    current: (used: readonly KeyUse[]) => repeating(() => currentKeys(sql, used)),
  };
}

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
async function createKey(
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
async function listKeys(sql: Sql): Promise<ListedKey[]> {
  return await sql<ListedKey[]>`
    select key_id as "keyId", name, scopes, rate_per_min as "ratePerMin", ${sql.unsafe(iso("created_at"))} as "createdAt",
      ${sql.unsafe(iso("expires_at"))} as "expiresAt", ${sql.unsafe(iso("revoked_at"))} as "revokedAt",
      ${sql.unsafe(iso("last_used_at"))} as "lastUsedAt"
    from api_keys order by created_at desc, key_id`;
}

/** Ends a key for good. False where there is none of that id; one that was revoked before stays as it is. */
async function revokeKey(sql: Sql, keyId: string): Promise<boolean> {
  const rows = await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where key_id = ${keyId} returning 1`;
  return rows.length > 0;
}

/** Notes when keys were used last, and returns all that are in force. */
async function currentKeys(sql: Sql, used: readonly KeyUse[]): Promise<KeyRecord[]> {
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

/** Makes the statements over sessions of the desk. */
export function deskSessionStore(sql: Sql) {
  return {
    begin: (key: string) => beginDeskSession(sql, key),
    read: (token: string) => repeating(() => readDeskSession(sql, token)),
    end: (token: string) => repeating(() => endDeskSession(sql, token)),
  };
}

/** Sets how long a session of the desk lasts, in days. */
export const DESK_SESSION_DAYS = 7;

const TOKEN_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Begins a session that holds the key which was signed in with, and returns its token; sessions that are over end. */
async function beginDeskSession(sql: Sql, key: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await sql`delete from desk_sessions where expires_at <= now()`;
  await sql`
    insert into desk_sessions (token_hash, sealed_key, expires_at)
    values (${hashOf(token)}, ${seal(key, token)}, now() + ${DESK_SESSION_DAYS} * interval '1 day')`;
  return token;
}

/** Returns the key of the session that a token is of; undefined where there is none, or none any more. */
async function readDeskSession(sql: Sql, token: string): Promise<string | undefined> {
  const [row] = await sql<{ sealed: Uint8Array }[]>`
    select sealed_key as sealed from desk_sessions where token_hash = ${hashOf(token)} and expires_at > now()`;
  return row && unseal(row.sealed, token);
}

/** Ends the session that a token is of. */
async function endDeskSession(sql: Sql, token: string): Promise<void> {
  await sql`delete from desk_sessions where token_hash = ${hashOf(token)}`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function cipherKey(token: string): Buffer {
  return Buffer.from(hkdfSync("sha256", token, "", "isnad desk session", 32));
}

function seal(text: string, token: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", cipherKey(token), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function unseal(sealed: Uint8Array, token: string): string {
  const decipher = createDecipheriv("aes-256-gcm", cipherKey(token), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([body, decipher.final()]).toString("utf8");
}
