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
