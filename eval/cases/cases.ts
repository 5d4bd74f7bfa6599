import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a reader of a page expects of it; an absent key expects nothing. */
export interface Expectation {
  readonly date?: string;
  readonly date_not?: string;
  readonly authors?: readonly string[];
  readonly authors_has?: string;
  readonly content_has?: readonly string[];
  readonly content_not?: readonly string[];
  readonly content_once?: readonly string[];
  readonly title_not?: readonly string[];
  readonly image?: boolean;
}

/** A page with its right reading; `file` is relative to the folder of the cases. */
export interface PageCase {
  readonly file: string;
  readonly kind: string;
  readonly url: string;
  readonly expect: Expectation;
}

const KEYS: Readonly<Record<keyof Expectation, true>> = {
  date: true,
  date_not: true,
  authors: true,
  authors_has: true,
  content_has: true,
  content_not: true,
  content_once: true,
  title_not: true,
  image: true,
};

/** Reads `cases.json` of a folder of cases. Throws RangeError for an expectation that nothing judges. */
export function readCases(folder: string): PageCase[] {
  const cases: PageCase[] = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));
  for (const { file, expect } of cases) {
    const unknown = Object.keys(expect).find((key) => !Object.hasOwn(KEYS, key));
    if (unknown !== undefined) throw new RangeError(`${file}: nothing judges an expectation of ${unknown}`);
  }
  return cases;
}
