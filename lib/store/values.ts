import { createHash } from "node:crypto";

export type { Json } from "../std/mod.ts";

/** `\u0000` and surrogates without their other half, as JSON text spells them; an escaped backslash is passed over. */
const unstorable = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * JSON text that Postgres takes: U+0000 is left out and a lone surrogate becomes U+FFFD, for neither can be stored as
 * text.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\u")) return text;
  return text.replace(unstorable, (found) => (found === "\\\\" ? found : found === "\\u0000" ? "" : "\ufffd"));
}

/** Largest number of a column of type `real`. */
const REAL_MAX = 3.4028234663852886e38;

/** The number that a column of type `real` keeps for this one; beyond its range the nearest. */
export function storableReal(value: number): number {
  return Math.min(REAL_MAX, Math.max(-REAL_MAX, Math.fround(value)));
}

/** The same for a plain text. */
export function storableText(text: string): string {
  const whole = text.includes("\u0000") ? text.replaceAll("\u0000", "") : text;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
}

/** The SHA-256 of a URL: a key of one length for what may be too long for an index. */
export function urlKey(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tells whether a text is a uuid: what is none names no row. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Returns what an id in a path names: an article number, a uuid, or neither (undefined). */
export function parseArticleId(id: string | number): number | string | undefined {
  if (typeof id === "number") return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  if (/^[1-9]\d{0,15}$/.test(id)) return Number.isSafeInteger(Number(id)) ? Number(id) : undefined;
  return isUuid(id) ? id.toLowerCase() : undefined;
}

/** A cursor that no list has given out. */
export class InvalidCursorError extends Error {
  override readonly name = "InvalidCursorError";

  constructor() {
    super("the cursor is not one that a list has given out");
  }
}

/** The cursor behind which a page begins: the uuid of the last row of the page before. Throws InvalidCursorError. */
export function readCursor(cursor: string): string {
  if (!isUuid(cursor)) throw new InvalidCursorError();
  return cursor.toLowerCase();
}

/** One page out of `limit + 1` rows: the rows, and the cursor of the next page when there is one. */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  idOf: (row: T) => string,
): { page: T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? idOf(last) : null };
}

/**
 * A place in the log: the number of a row that was followed, and the random mark of that row. Where the log has no such
 * row it is of another history than the one that was followed.
 */
export type LogPosition = { seq: number; mark: string };

/** Says where nothing has been followed yet. */
export const LOG_START: LogPosition = { seq: 0, mark: "" };
