/**
 * Learns the weights of `lib/stories/cluster/weights.ts` on the days of development, and prints them as tables: `bun
 * eval/stories/train.ts`.
 */
import { createEmbedder, createTagger, openRegistry } from "@isnad/lib/models";
import { FOLLOW_MS } from "../../lib/stories/cluster/partition.ts";
import { type Report, signalsOf } from "../../lib/stories/cluster/signals.ts";
import { traitsOf } from "../../lib/stories/cluster/traits.ts";
import { TERMS, termsOf } from "../../lib/stories/cluster/weights.ts";
import { dataFolder } from "../retrieval-sets.ts";
import { openStoryArchive } from "./archive.ts";
import { arabicArticles, englishArticles, onTheSameDays, ownEvents } from "./sets.ts";

/** Pairs that share less are no candidates of each other. */
const MIN_WORDS = 0.02;
const MIN_NAMES = 0.05;

/** Strength of the pull of weights towards 0. */
const RIDGE = 0.3;
const ITERATIONS = 25;

type Pair = { values: number[]; isOne: boolean; languages: string; weight: number; story: string | undefined };

const data = dataFolder(process.env);
if (data === undefined) throw new Error("there is no data folder at ISNAD_SHARED or ../shared");
const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
const tagger = await createTagger({ registry, timeoutMs: 600_000 });
const news = `${data}/news`;
const articles = onTheSameDays([arabicArticles(news, "dev"), englishArticles(news, "dev"), ownEvents("dev")]);
const archive = await openStoryArchive(articles, { embedder, tagger });
const reports = archive.texts.map((text) => {
  const article = archive.articles.find(({ articleId }) => articleId === text.articleId);
  const story = article?.story;
  return { story, lang: text.lang, at: text.at, traits: traitsOf(text) };
});
await archive[Symbol.asyncDispose]();
await embedder.close();
await tagger.close();

const pairs = pairsOf(reports);
for (const languages of ["ar", "en", "ar en"]) {
  const chosen = pairs.filter((pair) => pair.languages === languages);
  const weights = learn(chosen);
  const table = Object.fromEntries(TERMS.map((name, i) => [name, Number((weights[i] ?? 0).toFixed(2))]));
  process.stdout.write(
    `${languages}: ${chosen.length} pairs, ${chosen.filter(({ isOne }) => isOne).length} of one event\n`,
  );
  process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
}
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
      const languages = [...new Set([a.lang ?? "", b.lang ?? ""])].sort().join(" ");
      const values = TERMS.map((name) => termsOf(signals)[name]);
      found.push({ values, isOne, languages, weight: 1, story: isOne ? a.story : undefined });
    }
  }
  const sizes = Map.groupBy(found, ({ story, languages }) => `${languages} ${story}`);
  for (const pair of found)
    if (pair.isOne) pair.weight = 2 / Math.sqrt(sizes.get(`${pair.languages} ${pair.story}`)?.length ?? 1);
  return found;
}

/** Logistic regression by Newton's method, with a ridge; the first value is that of the bias. */
function learn(all: readonly Pair[]): number[] {
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
