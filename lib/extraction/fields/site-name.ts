import { wordsOf } from "../page/words.ts";

const SEPARATOR = /\s+[|\-–—»«:·•/~<>]+\s+|\s*[|»]\s*|:\s+(?=[^:]{2,30}$)/u;
/** Longer titles are left as they are, in UTF-16 units. */
const MAX_TITLE = 1_000;
const MAX_UNKNOWN = 4;
const MIN_REST = 4;

/** True for a text that consists of the words of the site's names, or is one of them written otherwise. */
export function isSiteName(text: string, siteNames: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.length === 0) return false;
  const site = new Set(siteNames.flatMap(wordsOf));
  const joined = words.join("");
  return words.every((word) => site.has(word)) || siteNames.some((name) => wordsOf(name).join("") === joined);
}

/**
 * A title without the name of the site before or behind a separator. Where no part is a known name of it, a short last
 * part behind a long title counts as one.
 */
export function withoutSite(title: string, siteNames: readonly string[]): string {
  if (title.length > MAX_TITLE) return title;
  const named = withoutKnownSite(title, siteNames);
  return named === title ? withoutLastPart(title, title.split(SEPARATOR).at(-1)?.trim() ?? "") : named;
}

/** A title without the known names of the site before or behind a separator. */
export function withoutKnownSite(title: string, siteNames: readonly string[]): string {
  if (title.length > MAX_TITLE) return title;
  const parts = title.split(SEPARATOR).map((part) => part.trim());
  if (parts.length < 2) return title;
  let start = 0;
  let end = parts.length;
  while (end - start > 1 && isSiteName(parts[end - 1] ?? "", siteNames)) end--;
  while (end - start > 1 && isSiteName(parts[start] ?? "", siteNames)) start++;
  if (start === 0 && end === parts.length) return title;
  const from = title.indexOf(parts[start] ?? "");
  const last = parts[end - 1] ?? "";
  return title.slice(from, title.indexOf(last, from) + last.length);
}

function withoutLastPart(title: string, last: string): string {
  if (last === title.trim()) return title;
  const rest = title.slice(0, title.lastIndexOf(last)).replace(/[\s|\-–—»«:·•/~<>]+$/u, "");
  const isAfterColon = /:\s/.test(title.slice(rest.length, rest.length + 2));
  return wordsOf(last).length <= MAX_UNKNOWN && wordsOf(rest).length >= MIN_REST && !isAfterColon ? rest : title;
}
