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
import { fitLogistic } from "../regression.ts";
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
  const weights = fitLogistic(
    chosen.map((pair) => exampleOf(pair, isRead)),
    // The first value is that of the bias, which nothing pulls.
    { ridge: (place) => (place === 0 ? 0 : RIDGE), rounds: ITERATIONS },
  );
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
function exampleOf({ signals, isOne, weight }: Pair, isRead: boolean) {
  const terms = termsOf(isRead ? signals : { ...signals, read: undefined });
  return { values: TERMS.map((name) => terms[name]), isOne, weight };
}
