import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { fuseHybrid, searchBranches } from "@isnad/lib/search";
import { analyse, cleanText, fold } from "@isnad/lib/text";
import { indexCollection, type Indexed } from "../indexed.ts";
import { readJsonLines } from "../retrieval-sets.ts";
import type { EvalTask } from "../task.ts";
import { AS_SEARCH, K_RRF } from "./retrieval.ts";
import { typedFigures } from "./typed-queries.ts";

/** An article as the platform keeps it. */
export type NewsArticle = { title: string; text: string };

/** Articles to search, and the places in `articles` of those that are asked for. */
type KnownItems = { articles: NewsArticle[]; targets: number[] };

/** Articles that are asked for. */
const TARGETS = 200;

/**
 * The articles of a file of JSON lines (`title`, and `text` or `content`; plain or `.gz`), every nth line of it. Lines
 * without a title or a text, and those that repeat both, are left out.
 */
export function readArticles(path: string, { every = 1 } = {}): NewsArticle[] {
  const articles = new Map<string, NewsArticle>();
  readJsonLines(path.replace(/\.gz$/, "")).forEach((row, line) => {
    if (line % every !== 0) return;
    const title = cleanText(String(row.title ?? ""));
    const text = cleanText(String(row.text ?? row.content ?? ""));
    if (title !== "" && text !== "") articles.set(`${key(title)}\n${key(text)}`, { title, text });
  });
  return [...articles.values()];
}

/**
 * The places of `count` articles to ask for, spread evenly. One that shares its title or its text with another one is
 * none of them: nobody could say which of the two was meant.
 */
export function targetsOf(articles: readonly NewsArticle[], count = TARGETS): number[] {
  const titles = counts(articles.map(({ title }) => key(title)));
  const texts = counts(articles.map(({ text }) => key(text)));
  const single = articles.flatMap(({ title, text }, place) =>
    titles.get(key(title)) === 1 && texts.get(key(text)) === 1 ? place : [],
  );
  const step = Math.max(1, single.length / count);
  return single.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
}

/**
 * Tells whether one title alone begins with the words of a text, however they are written. Where several do, nobody
 * could say which of them is meant.
 */
export function opensOneTitle(articles: readonly NewsArticle[]): (text: string) => boolean {
  const openings: string[] = [];
  for (const { title } of articles) {
    const forms = formsOf(title);
    for (let count = 1; count <= forms.length; count++) openings.push(forms.slice(0, count).join(" "));
  }
  const titles = counts(openings);
  return (text) => titles.get(formsOf(text).join(" ")) === 1;
}

/** The words of a text as the search sees them. */
function formsOf(text: string): string[] {
  return analyse(text)
    .map(({ terms }) => terms.form)
    .filter((form) => form !== "");
}

/** Texts that differ in case alone are the same. */
function key(text: string): string {
  return fold(text).toLowerCase();
}

function counts(keys: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const each of keys) sums.set(each, (sums.get(each) ?? 0) + 1);
  return sums;
}

/** The ways in which an article that somebody has seen is asked for. */
export const QUERIES = {
  /** The whole headline. */
  title: ({ title }: NewsArticle) => title,
  /** The first five words of the headline. */
  "five words": ({ title }: NewsArticle) => firstWords(title),
  /** The first five words of the text. */
  lead: ({ text }: NewsArticle) => firstWords(text),
  /** The first five words of the headline, one of them misspelt. */
  misspelt: ({ title }: NewsArticle) => misspelt(firstWords(title)),
} satisfies Record<string, (article: NewsArticle) => string>;

/** Holds what is asked with. */
type QueryKind = keyof typeof QUERIES;
export const QUERY_KINDS = Object.keys(QUERIES) as QueryKind[];

const WORDS = 5;

function firstWords(text: string): string {
  return text.split(/\s+/, WORDS).join(" ");
}

/** Letters that a wrong key gives, by script. */
const LETTERS = { arabic: "ابتجحدرسعفقكلمنهوي", latin: "abcdefghijklmnopqrstuvwxyz" };

/**
 * A text with one mistake in its longest word (the first of those), the same every time: two letters swapped, one left
 * out, one doubled or a wrong one, by the length of the text. The mistake is in the middle of the word, where writers
 * make them. Texts of words of fewer than four letters stay as they are.
 */
export function misspelt(text: string): string {
  const words = [...text.matchAll(/\p{L}{4,}/gu)].map(([word]) => word);
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  if (longest === "") return text;
  const letters = [...longest];
  const middle = letters.length >> 1;
  const [first = "", second = ""] = letters.slice(middle - 1, middle + 1);
  const alphabet = /\p{Script=Arabic}/u.test(longest) ? LETTERS.arabic : LETTERS.latin;
  const wrong =
    [...alphabet].filter((letter) => letter !== second.toLowerCase())[text.length % (alphabet.length - 1)] ?? "";
  const mistakes = [`${second}${first}`, first, `${first}${second}${second}`, `${first}${wrong}`];
  letters.splice(middle - 1, 2, mistakes[text.length % mistakes.length] ?? "");
  return text.replace(longest, () => letters.join(""));
}

/** The modes of `/v1/search`. */
const MODES = ["keyword", "vector", "hybrid"] as const;
type Mode = (typeof MODES)[number];

/** The place of an article in the ranking of each mode for one query, from 1; 0 where it is not in it. */
type Places = Record<Mode, number> & { kind: QueryKind; query: string; target: number };

/** Asks for each target in each way, as `/v1/search` asks. The article id of an article is its place, from 1. */
export async function placesOfItems(
  { branches }: Pick<Indexed, "branches">,
  { articles, targets }: KnownItems,
): Promise<Places[]> {
  const places: Places[] = [];
  for (const kind of QUERY_KINDS) {
    for (const target of targets) {
      const article = articles[target];
      if (article === undefined) throw new RangeError(`there is no article ${target}`);
      const query = QUERIES[kind](article);
      const branchHits = await searchBranches(branches, { ...AS_SEARCH, text: query });
      const placeIn = (hits: readonly { articleId: number }[]) =>
        1 + hits.findIndex(({ articleId }) => articleId === target + 1);
      const { hits } = fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" });
      const modes = { keyword: placeIn(branchHits.keyword), vector: placeIn(branchHits.vector), hybrid: placeIn(hits) };
      places.push({ kind, query, target, ...modes });
    }
  }
  return places;
}

/** The mean reciprocal rank of each way to ask in each mode, under names such as `MRR title, hybrid`. */
export function meanReciprocalRanks(places: readonly Places[]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const kind of QUERY_KINDS) {
    const ofKind = places.filter((each) => each.kind === kind);
    for (const mode of MODES) {
      const sum = ofKind.reduce((total, { [mode]: place }) => total + (place === 0 ? 0 : 1 / place), 0);
      figures[`MRR ${kind}, ${mode}`] = sum / Math.max(1, ofKind.length);
    }
  }
  return figures;
}

/** Every nth article, so that about 9,000 are searched. */
const EVERY = 3;

/**
 * Articles asked for by their headlines and leads, in each mode of the search. The sets of the data folder are measured
 * alone: what the search does was chosen on `ant_v1_ar`.
 */
export const knownItem: EvalTask = {
  name: "known-item",
  formats: "JSON lines with title and text (or content), plain or .gz: 200 of its articles are asked for",
  sets: (data) =>
    ["ant_v2_ar", "english"].map((name) => ({
      set: `${name}, every ${EVERY}rd article`,
      path: join(data, `news/${name}.jsonl.gz`),
      every: EVERY,
    })),
  async load() {
    const embedder = await createEmbedder({
      registry: openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" }),
      timeoutMs: 600_000,
    });
    return {
      async measure({ path, every = 1 }) {
        const articles = readArticles(path, { every });
        const items = { articles, targets: targetsOf(articles) };
        const documents = articles.map(({ title, text }, place) => ({ id: String(place + 1), title, text }));
        await using indexed = await indexCollection({ documents }, embedder);
        const places = await placesOfItems(indexed, items);
        const typed = await typedFigures(indexed, items);
        const asked = places.map((each) =>
          [each.kind, each.target + 1, ...MODES.map((mode) => each[mode]), each.query].join("\t"),
        );
        const figures = { ...meanReciprocalRanks(places), ...typed.figures };
        return { figures, size: items.targets.length, predictions: [...asked, ...typed.predictions] };
      },
      close: () => embedder.close(),
    };
  },
};
