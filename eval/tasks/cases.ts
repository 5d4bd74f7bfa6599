import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import { type ExtractedPage, extractPage } from "../../lib/extraction/extract.ts";
import { entriesHash, type EvalTask } from "../task.ts";

/** Holds what a reader of a page expects of it; an absent key expects nothing. */
interface Expectation {
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
interface PageCase {
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
function readCases(folder: string): PageCase[] {
  const cases: PageCase[] = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));
  for (const { file, expect } of cases) {
    const unknown = Object.keys(expect).find((key) => !Object.hasOwn(KEYS, key));
    if (unknown !== undefined) throw new RangeError(`${file}: nothing judges an expectation of ${unknown}`);
  }
  return cases;
}

/** An expectation that a page does not meet. */
interface Miss {
  readonly key: keyof Expectation;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Judged = Pick<ExtractedPage, "title" | "content" | "authors" | "image" | "publishedLocal">;

const PLACEHOLDER = /^data:|placeholder|spacer|blank|pixel|1x1|loading\.\w+$/i;

/** Returns what a page's reading lacks of what is expected of it; empty when the case holds. */
export function judgePage(page: Judged, expected: Expectation): Miss[] {
  const content = folded(page.content);
  const date = page.publishedLocal;
  const count = (text: string) => content.split(folded(text)).length - 1;
  const missing = (expected.content_has ?? []).filter((text) => count(text) === 0);
  const present = (expected.content_not ?? []).filter((text) => count(text) > 0);
  const notOnce = (expected.content_once ?? []).filter((text) => count(text) !== 1);
  const titled = (expected.title_not ?? []).filter((text) => folded(page.title).includes(folded(text)));
  const sorted = (names: readonly string[]) => JSON.stringify([...names].sort());
  const verdicts: [key: keyof Expectation, holds: boolean, actual: unknown][] = [
    ["date", expected.date === undefined || date?.startsWith(expected.date) === true, date],
    ["date_not", expected.date_not === undefined || date?.startsWith(expected.date_not) !== true, date],
    ["authors", expected.authors === undefined || sorted(page.authors) === sorted(expected.authors), page.authors],
    ["authors_has", expected.authors_has === undefined || page.authors.includes(expected.authors_has), page.authors],
    ["content_has", missing.length === 0, missing],
    ["content_not", present.length === 0, present],
    ["content_once", notOnce.length === 0, notOnce],
    ["title_not", titled.length === 0, page.title],
    ["image", expected.image === undefined || expected.image === isPicture(page.image), page.image],
  ];
  return verdicts.flatMap(([key, holds, actual]) => (holds ? [] : [{ key, expected: expected[key], actual }]));
}

function isPicture(address: string | null): boolean {
  return address !== null && !PLACEHOLDER.test(address);
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Says when the pages are read: days after the latest date of publication on them, whatever the clock says. */
const READ_AT = Date.UTC(2026, 11, 1);
const ALL = "all kinds";

/**
 * Reading small pages, each of which stands for a kind of mistake: one line a kind, and one for all. A case holds when
 * all that is expected of it does; what does not is written out as predictions.
 */
export const cases: EvalTask = {
  name: "cases",
  formats: "a folder with cases.json: [{file, kind, url, expect}], and the pages that it names",
  sets: (data) => {
    const path = join(data, "../cases");
    if (!existsSync(path)) return [];
    const kinds = [...new Set(readCases(path).map(({ kind }) => kind))];
    return [...kinds, ALL].map((set) => ({ set, path }));
  },
  load: async () => ({
    async measure({ set, path }) {
      const all = readCases(path);
      const ofKind = all.filter(({ kind }) => kind === set);
      const chosen = ofKind.length > 0 ? ofKind : all;
      const outcomes = chosen.map((each) => ({ ...each, ...readCase(path, each) }));
      const right = outcomes.filter(({ misses }) => misses.length === 0).length;
      return {
        figures: { right: right / chosen.length },
        size: chosen.length,
        predictions: outcomes.flatMap(({ kind, file, misses }) =>
          misses.map(({ key, expected, actual }) =>
            [kind, file, key, JSON.stringify(expected), JSON.stringify(actual)].join("\t"),
          ),
        ),
        corpus: entriesHash(outcomes.map(({ file, expect, bytes }) => [file, expect, bytes.toString("base64")])),
      };
    },
    close: async () => {},
  }),
};

function readCase(folder: string, { file, url, expect }: PageCase) {
  const bytes = readFileSync(join(folder, file));
  const page = extractPage({ html: decodeText(bytes, { contentType: "text/html" }).text, url, now: READ_AT });
  return { bytes, misses: judgePage(page, expect) };
}
