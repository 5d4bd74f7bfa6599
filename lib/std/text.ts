import { at } from "./collections.ts";

/**
 * Returns the text without the characters at its end that `character` matches, a pattern of one code point without the
 * flags g and y. Takes time with what it removes, where `[…]+$` takes it with the square of each run within the text.
 */
export function trimEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const start = Math.max(0, end - (isPair(text, end - 2) ? 2 : 1));
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/**
 * Marks on one letter that are kept: more than any writing has, and as many as the Stream-Safe Text Format of Unicode
 * allows (UAX #15, section 13).
 */
const MAX_MARKS = 30;
const LONG_RUN = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");

/**
 * Returns the text without the marks of a letter beyond the thirtieth. Normalizing takes time that grows with the
 * square of the marks in a row, seconds for ten thousand of them; after this it does not.
 */
export function boundMarks(text: string): string {
  return text.length <= MAX_MARKS ? text : text.replace(LONG_RUN, "$1");
}

const MAX_EDITS = 2;

/** Returns the one of `names` that `name` may be a slip of the pen for: at most two edits away, in either case. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .filter((each) => Math.abs(each.length - name.length) <= MAX_EDITS)
    .map((each) => ({ each, edits: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.each;
}

/** Levenshtein distance, in UTF-16 units (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, at(row, j) + 1, at(next, j - 1) + 1));
    }
    row = next;
  }
  return at(row, b.length);
}

/** Tells whether every `%` of a text begins the percent-encoding of UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** User and password of an address. */
const LOGIN = /(\/\/)[^/@\s]{1,512}@/g;

const QUERY_FIELD = /([?&][\w.-]{1,64}=)[^&#\s"'<>]{1,2048}/g;

/** Names of query fields whose values are as good as a password. */
const SECRET = /key|token|secret|passw|signature|credential|[?&](?:auth|sig)=/i;

/**
 * Returns the text without the credentials of the addresses in it: user and password, and what a query calls a key, a
 * token or the like.
 */
export function scrub(text: string): string {
  if (!text.includes("://")) return text;
  return text
    .replace(LOGIN, "$1")
    .replace(QUERY_FIELD, (field: string, name: string) => (SECRET.test(name) ? `${name}-` : field));
}

/** Returns what was thrown, as text: the message of an error, its name where it has none. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Returns a number of bytes for people. */
export function sizeText(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(count, 1)) / 3)));
  return `${(count / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? "B"}`;
}

/** Describes what `JSON.stringify` can write. */
export type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** Tells whether `value` is an object in the sense of JSON. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value that a JSON text stands for; undefined when it is none. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the object that a JSON text stands for; undefined when it is no JSON, or of another kind. */
export function parseJsonObject(text: string): { [key: string]: Json } | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
