import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Sql } from "./client.ts";

/** Sets how long a session of the desk lasts, in days. */
export const DESK_SESSION_DAYS = 7;

const TOKEN_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Begins a session that holds the key which was signed in with, and returns its token; sessions that are over end. */
export async function beginDeskSession(sql: Sql, key: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await sql`delete from desk_sessions where expires_at <= now()`;
  await sql`
    insert into desk_sessions (token_hash, sealed_key, expires_at)
    values (${hashOf(token)}, ${seal(key, token)}, now() + ${DESK_SESSION_DAYS} * interval '1 day')`;
  return token;
}

/** Returns the key of the session that a token is of; undefined where there is none, or none any more. */
export async function readDeskSession(sql: Sql, token: string): Promise<string | undefined> {
  const [row] = await sql<{ sealed: Uint8Array }[]>`
    select sealed_key as sealed from desk_sessions where token_hash = ${hashOf(token)} and expires_at > now()`;
  return row && unseal(row.sealed, token);
}

/** Ends the session that a token is of. */
export async function endDeskSession(sql: Sql, token: string): Promise<void> {
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
