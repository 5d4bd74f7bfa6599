import { parseDate } from "@isnad/lib/text/dates";
import { foldedText, plainTextOf, webAddress } from "@isnad/lib/web/feeds";

/** How one expectation of a case came out. */
export interface FeedOutcome {
  /** Name of the case within its collection: the file. */
  readonly file: string;
  readonly field: string;
  readonly right: boolean;
  readonly expected: unknown;
  readonly found: unknown;
}

/** True when texts say the same: white space aside, and the expected one, which may be HTML, as plain text. */
export function sameText(found: string, expected: string): boolean {
  const own = squash(found);
  return own === squash(plainTextOf(expected)) || own === squash(foldedText(expected));
}

/** True when an address is the expected one, as written or as URL parsers write it. */
export function sameAddress(found: string | null, expected: string): boolean {
  return found === expected || (found !== null && found === webAddress(expected, undefined));
}

/** True when both times are the same moment; undefined and null are none. */
export function sameMoment(found: string | null | undefined, expectedMs: number): boolean {
  return found !== null && found !== undefined && parseDate(found)?.ms === expectedMs;
}

function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
