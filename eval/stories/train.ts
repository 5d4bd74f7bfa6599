/**
 * Learns the weights of pairs on the days of development, and writes them to `lib/stories/cluster/weights.json`: `bun
 * eval/stories/train.ts`.
 */
import { writeFileSync } from "node:fs";
import { URL } from "node:url";
import { createEmbedder, createPassageReader, createTagger, openRegistry } from "@isnad/lib/models";
import { FOLLOW_MS } from "../../lib/stories/cluster/partition.ts";
import { type Report, type Signals, signalsOf, TERMS, termsOf } from "../../lib/stories/cluster/rules.ts";
import { traitsOf } from "../../lib/stories/cluster/traits.ts";
import { dataFolder } from "../retrieval-sets.ts";
import { arabicArticles, englishArticles, onTheSameDays, openStoryArchive, ownEvents } from "./archive.ts";

/** Pairs that share less are no candidates of each other. */
const MIN_WORDS = 0.02;
const MIN_NAMES = 0.05;

/** Strength of the pull of weights towards 0. */
const RIDGE = 0.3;
const ITERATIONS = 25;

type Pair = { signals: Signals; isOne: boolean; languages: Languages; weight: number; story: string | undefined };
type Languages = "ar" | "en" | "across";
type Example = { values: readonly number[]; isOne: boolean; weight: number };

const data = dataFolder(process.env);
if (data === undefined) throw new Error("there is no data folder at ISNAD_SHARED or ../shared");
const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
const tagger = await createTagger({ registry, timeoutMs: 600_000 });
const reader = await createPassageReader({ registry, timeoutMs: 600_000 });
const news = `${data}/news`;
const articles = onTheSameDays([arabicArticles(news, "dev"), englishArticles(news, "dev"), ownEvents("dev")]);
const archive = await openStoryArchive(articles, { embedder, tagger, reader });
const reports = archive.texts.map((text) => {
  const article = archive.articles.find(({ articleId }) => articleId === text.articleId);
  const story = article?.story;
  return { story, lang: text.lang, at: text.at, traits: traitsOf(text) };
});
await archive[Symbol.asyncDispose]();
await embedder.close();
await tagger.close();
await reader?.close();

const pairs = pairsOf(reports);
const tableOf = (languages: Languages, isRead: boolean): Record<string, number> => {
  const chosen = pairs.filter((pair) => pair.languages === languages);
  const weights = learn(chosen.map((pair) => exampleOf(pair, isRead)));
  return Object.fromEntries(TERMS.map((name, i) => [name, Number((weights[i] ?? 0).toFixed(2))]));
};
const tablesOf = (isRead: boolean) => ({
  ar: tableOf("ar", isRead),
  en: tableOf("en", isRead),
  across: tableOf("across", isRead),
});
const tables = { read: tablesOf(true), unread: tablesOf(false) };
writeFileSync(
  new URL("../../lib/stories/cluster/weights.json", import.meta.url),
  `${JSON.stringify(tables, null, 2)}\n`,
);
process.exit(0);

/** Returns the pairs near in time; those of a story of many pairs count less each. */
function pairsOf(all: readonly (Report & { story: string | undefined })[]): Pair[] {
  const found: Pair[] = [];
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      if (Math.abs(a.at - b.at) > FOLLOW_MS) continue;
      const signals = signalsOf(a, b);
      if (signals.words < MIN_WORDS && signals.names < MIN_NAMES) continue;
      const isOne = a.story !== undefined && a.story === b.story;
      const languages = a.lang !== b.lang ? "across" : a.lang === "ar" ? "ar" : "en";
      found.push({ signals, isOne, languages, weight: 1, story: isOne ? a.story : undefined });
    }
  }
  const sizes = Map.groupBy(found, ({ story, languages }) => `${languages} ${story}`);
  for (const pair of found)
    if (pair.isOne) pair.weight = 2 / Math.sqrt(sizes.get(`${pair.languages} ${pair.story}`)?.length ?? 1);
  return found;
}

/** Returns a pair as it is learned from, with what the reranker reads or without. */
function exampleOf({ signals, isOne, weight }: Pair, isRead: boolean): Example {
  const terms = termsOf(isRead ? signals : { ...signals, read: undefined });
  return { values: TERMS.map((name) => terms[name]), isOne, weight };
}

/** Logistic regression by Newton's method, with a ridge; the first value is that of the bias. */
function learn(all: readonly Example[]): number[] {
  const size = TERMS.length;
  const weights = new Array<number>(size).fill(0);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const rows = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size + 1 }, (_, j) =>
        i === 0 ? 0 : j === i ? RIDGE : j === size ? RIDGE * (weights[i] ?? 0) : 0,
      ),
    );
    for (const { values, isOne, weight } of all) {
      const odds = values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0);
      const likely = 1 / (1 + Math.exp(-odds));
      const curve = Math.max(1e-6, likely * (1 - likely)) * weight;
      const error = (likely - Number(isOne)) * weight;
      for (const [i, row] of rows.entries()) {
        const value = values[i] ?? 0;
        if (value === 0) continue;
        for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) + curve * value * (values[j] ?? 0);
        row[size] = (row[size] ?? 0) + error * value;
      }
    }
    for (const [i, step] of solve(rows).entries()) weights[i] = (weights[i] ?? 0) - step;
  }
  return weights;
}

/** Solves a system of linear equations, the last column the right side; what nothing depends on is 0. */
function solve(rows: number[][]): number[] {
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, n) => (Math.abs(row[i] ?? 0) > Math.abs(rows[best]?.[i] ?? 0) ? i + n : best), i);
    [rows[i], rows[pivot]] = [rows[pivot] ?? [], rows[i] ?? []];
    const top = rows[i] ?? [];
    const lead = top[i] ?? 0;
    if (Math.abs(lead) < 1e-12) continue;
    for (const [n, row] of rows.entries()) {
      const share = n === i ? 0 : (row[i] ?? 0) / lead;
      if (share !== 0) for (let j = i; j <= size; j++) row[j] = (row[j] ?? 0) - share * (top[j] ?? 0);
    }
  }
  return rows.map((row, i) => (Math.abs(row[i] ?? 0) < 1e-12 ? 0 : (row[size] ?? 0) / (row[i] ?? 1)));
}
