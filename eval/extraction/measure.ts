import { at } from "@isnad/lib/std";
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

/** What an evaluation found; every figure but `ratio` is a share, the higher the better. */
export interface ExtractionFigures {
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
export interface PageOutcome {
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
export function measureCorpus(folder: string): PageOutcome[] {
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

/** How like a found name is to the gold one, by their words. */
export function likeness(found: string, gold: string): PageOutcome["title"] {
  const a = benchmarkWords(found);
  const b = benchmarkWords(gold);
  const [inA, inB] = [` ${a.join(" ")} `, ` ${b.join(" ")} `];
  if (inA === inB) return "same";
  if (a.length === 0 || b.length === 0) return "other";
  return inA.includes(inB) || inB.includes(inA) || wordF1(a, b) >= 0.8 ? "close" : "other";
}
