import { withoutInvisible, withoutMarks } from "../../text/mod.ts";

/** The words of a text, lower case: runs of letters, marks, digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Dice coefficient of two word sets, 0 to 1; 0 when one is empty. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}

const MAX_LINE = 2000;

/**
 * The first 2,000 characters of a text with white space folded; control and direction characters gone, and those that
 * nobody sees.
 */
export function oneLine(text: string | null | undefined): string {
  return withoutInvisible(withoutMarks((text ?? "").slice(0, MAX_LINE)))
    .replace(/\s+/g, " ")
    .trim();
}
