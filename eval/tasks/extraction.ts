import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { gunzipSync } from "node:zlib";
import { at } from "@isnad/lib/std";
import { decodeText } from "@isnad/lib/web/egress";
import { plainTextOf } from "@isnad/lib/web/feeds";
import { extractPage } from "../../lib/extraction/extract.ts";
import { parsePage } from "../../lib/extraction/page/dom.ts";
import {
  benchmarkWords,
  type GoldPage,
  pageIds,
  readGold,
  readHtml,
  wordF1,
} from "../../lib/extraction/training/corpus.ts";
import { entriesHash, type EvalTask, type Measured } from "../task.ts";
import { type LayoutPage, layoutPages, tablePages } from "../extraction/arabic-layouts/pages.ts";

/** Holds what an evaluation found; every figure but `ratio` is a share, the higher the better. */
interface ExtractionFigures {
  /** Mean over the pages of the word-level F1 of the text. */
  readonly f1: number;
  /** Of the pages whose date is known, those with the right day. */
  readonly dates: number;
  /** Titles that are the gold title, hold it or are held by it, or share four fifths of its words (F1). */
  readonly titles: number;
  /** Titles that are the gold title word for word. */
  readonly sameTitles: number;
  readonly authors: number;
  /** Median over the pages of the time of extraction to that of parsing alone. */
  readonly ratio: number;
}

/** One page's outcome. */
interface PageOutcome {
  readonly id: string;
  readonly f1: number;
  /** Undefined where the corpus does not know the answer. */
  readonly date: boolean | undefined;
  readonly author: boolean | undefined;
  readonly title: "same" | "close" | "other";
  readonly ratio: number;
}

/** Extracts one gold page and compares. */
export function measurePage(gold: GoldPage, html: string): PageOutcome {
  const start = performance.now();
  parsePage(html);
  const parsed = performance.now();
  const page = extractPage({ html, url: gold.url === "" ? "https://example.org/page" : gold.url });
  const extracted = performance.now();
  return {
    id: gold.id,
    f1: wordF1(benchmarkWords(page.content), benchmarkWords(gold.text)),
    date: gold.published === "" ? undefined : (page.publishedLocal ?? "").startsWith(gold.published),
    author: gold.author === "" ? undefined : likeness(page.authors.join(" "), gold.author) !== "other",
    title: likeness(page.title, gold.title),
    ratio: (extracted - parsed) / Math.max(0.01, parsed - start),
  };
}

/** Extracts every page of a WCXB folder. */
function measureCorpus(folder: string): PageOutcome[] {
  return pageIds(folder).map((id) => measurePage(readGold(folder, id), readHtml(folder, id)));
}

/** Sums up. */
export function summarise(outcomes: readonly PageOutcome[]): ExtractionFigures {
  const share = (values: readonly boolean[]) => values.filter(Boolean).length / (values.length || 1);
  const defined = (values: readonly (boolean | undefined)[]) => values.filter((value) => value !== undefined);
  const ratios = outcomes.map((outcome) => outcome.ratio).sort((a, b) => a - b);
  return {
    f1: outcomes.reduce((sum, outcome) => sum + outcome.f1, 0) / (outcomes.length || 1),
    dates: share(defined(outcomes.map((outcome) => outcome.date))),
    titles: share(outcomes.map((outcome) => outcome.title !== "other")),
    sameTitles: share(outcomes.map((outcome) => outcome.title === "same")),
    authors: share(defined(outcomes.map((outcome) => outcome.author))),
    ratio: at(ratios, ratios.length >> 1),
  };
}

/** Tells how like a found name is to the gold one, by their words. */
export function likeness(found: string, gold: string): PageOutcome["title"] {
  const a = benchmarkWords(found);
  const b = benchmarkWords(gold);
  const [inA, inB] = [` ${a.join(" ")} `, ` ${b.join(" ")} `];
  if (inA === inB) return "same";
  if (a.length === 0 || b.length === 0) return "other";
  return inA.includes(inB) || inB.includes(inA) || wordF1(a, b) >= 0.8 ? "close" : "other";
}

/** One of the articles says that it is of three hours ago: the pages are read then. */
const LAYOUT_AGE_MS = 3 * 3_600_000;
const LAYOUT_URL = "https://www.example.com/news/1";

/** Measures extraction on the made-up Arabic pages, which nothing is trained on; one prediction a page. */
export function measureLayouts(articles: readonly LayoutPage[] = layoutPages()): Measured {
  const pages = articles.map(({ layout, article, html, text }) => {
    const page = extractPage({ html, url: LAYOUT_URL, now: Date.parse(article.published) + LAYOUT_AGE_MS });
    return {
      layout,
      F1: wordF1(benchmarkWords(page.content), benchmarkWords(text)),
      titles: likeness(page.title, article.title) === "other" ? 0 : 1,
      authors: likeness(page.authors.join(" "), article.author) === "other" ? 0 : 1,
      dates: (page.publishedLocal ?? "").startsWith(article.published.slice(0, 10)) ? 1 : 0,
    };
  });
  const mean = (metric: "F1" | "titles" | "authors" | "dates") =>
    pages.reduce((sum, page) => sum + page[metric], 0) / pages.length;
  return {
    figures: { F1: mean("F1"), titles: mean("titles"), authors: mean("authors"), dates: mean("dates") },
    size: pages.length,
    // The pages are made by programs: what they hold is the corpus, and not how these are written.
    corpus: entriesHash(articles),
    predictions: pages.map(({ layout, F1 }) => `${layout}\t${F1.toFixed(4)}`),
  };
}

/** Collections of pages that nothing was trained or tuned on, by the names of their folders. */
const COLLECTIONS = ["readability", "postlight", "arabic-pages"] as const;

interface Page {
  readonly html: string;
  readonly url: string;
  readonly text?: string;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly published?: string | null;
}

const READERS: Readonly<Record<string, (folder: string) => Iterable<Page>>> = {
  readability,
  postlight,
  "arabic-pages": arabic,
};

/**
 * Measures extraction on a collection: mean word-level F1 of the texts, and shares of right titles, authors and dates,
 * as far as the collection knows them. A date is right within a day, since the collections mix zones. Throws RangeError
 * for an unknown collection.
 */
function measureCollection(collection: string, folder: string): Measured {
  const pages = READERS[collection];
  if (pages === undefined) throw new RangeError(`${folder} is no folder of pages that can be read`);
  const seen = { F1: [] as number[], titles: [] as number[], authors: [] as number[], dates: [] as number[] };
  let size = 0;
  for (const page of pages(folder)) {
    size++;
    const extraction = extractPage({ html: page.html, url: page.url });
    if (page.text !== undefined) seen.F1.push(wordF1(benchmarkWords(extraction.content), benchmarkWords(page.text)));
    if (page.title) seen.titles.push(likeness(extraction.title, page.title) === "other" ? 0 : 1);
    if (page.author) seen.authors.push(likeness(extraction.authors.join(" "), page.author) === "other" ? 0 : 1);
    if (page.published) seen.dates.push(isNear(extraction.publishedAt, page.published) ? 1 : 0);
  }
  const means = Object.entries(seen)
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, values.reduce((sum, value) => sum + value, 0) / values.length]);
  return { figures: Object.fromEntries(means), size, predictions: [] };
}

const DAY = 86_400_000;

function isNear(found: string | null, published: string): boolean {
  return found !== null && Math.abs(Date.parse(found) - Date.parse(published)) <= DAY;
}

function readOpinionPage(path: string): string | undefined {
  if (existsSync(path)) return decodeText(readFileSync(path)).text;
  return existsSync(`${path}.gz`) ? decodeText(gunzipSync(readFileSync(`${path}.gz`))).text : undefined;
}

function* readability(folder: string): Iterable<Page> {
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const html = readOpinionPage(join(folder, name, "source.html"));
    const expected = readOpinionPage(join(folder, name, "expected.html"));
    if (html === undefined || expected === undefined) continue;
    const { title, byline, publishedTime }: { title?: string; byline?: string; publishedTime?: string } = JSON.parse(
      readFileSync(join(folder, name, "expected-metadata.json"), "utf8"),
    );
    yield {
      html,
      url: "http://fakehost/test/page.html",
      text: plainTextOf(expected),
      title: title ?? null,
      author: byline ?? null,
      published: publishedTime ?? null,
    };
  }
}

function* postlight(folder: string): Iterable<Page> {
  const path = join(folder, "expected.json.gz");
  const records: { fixture: string; url: string; expected: Record<string, string | null> }[] = existsSync(path)
    ? JSON.parse(gunzipSync(readFileSync(path)).toString())
    : [];
  for (const { fixture, url, expected } of records) {
    const html = readOpinionPage(join(folder, "fixtures", fixture));
    if (html === undefined) continue;
    const { title = null, author = null, date_published: published = null } = expected;
    yield { html, url, title, author, published };
  }
}

function* arabic(folder: string): Iterable<Page> {
  const path = join(folder, "gold.json");
  const records: { html: string; url: string; title: string; text: string }[] = existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : [];
  for (const { html: file, url, title, text } of records) {
    const html = readOpinionPage(join(folder, file));
    if (html !== undefined) yield { html, url, title, text };
  }
}

const LAYOUTS = fileURLToPath(new URL("../extraction/arabic-layouts", import.meta.url));

const TABLES = join(LAYOUTS, "tables.ts");

/**
 * Reading article pages. The block model is trained on the pages of WCXB: its F1 on unseen sites is in its card; the
 * others were never trained on.
 */
export const extraction: EvalTask = {
  name: "extraction",
  formats: "a folder of pages as WCXB has them: html/*.html.gz and ground-truth/*.json",
  sets: (data) => {
    const folder = join(data, "extraction");
    const sets = ["wcxb", ...COLLECTIONS].map((name) => ({ set: name, path: join(folder, name) }));
    const layouts = { set: basename(LAYOUTS), path: LAYOUTS };
    return [...sets.filter(({ path }) => existsSync(path)), layouts, { set: "arabic-tables", path: TABLES }];
  },
  load: async () => ({
    measure: async ({ path }) => {
      if (path === LAYOUTS) return measureLayouts();
      if (path === TABLES) return measureLayouts(tablePages());
      return existsSync(join(path, "ground-truth")) ? measureWcxb(path) : measureCollection(basename(path), path);
    },
    close: async () => {},
  }),
};

function measureWcxb(path: string): Measured {
  const outcomes = measureCorpus(path);
  const { f1: F1, ...figures } = summarise(outcomes);
  const predictions = outcomes.map(({ id, f1, title, date }) => `${id}\t${f1.toFixed(4)}\t${title}\t${date ?? ""}`);
  return { figures: { F1, ...figures }, size: outcomes.length, predictions };
}
