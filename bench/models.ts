import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { extractiveSummarizer } from "@isnad/lib/answers";
import {
  createEmbedder,
  createPassageReader,
  createReranker,
  createTagger,
  openRegistry,
  type Passage,
} from "@isnad/lib/models";
import { readNewsroom } from "../cli/demo/site.ts";
import pairs from "../eval/embed/pairs.json" with { type: "json" };
import { tokenise } from "../lib/text/sentences.ts";
import { type Figure, median, quantile, watchLoop } from "./rounds.ts";

const EMBED_WORDS = 200;
const CHUNKS = 3000;
const QUERIES = 2000;

/** Passages of 200 words each: the hand-written sentences in changing order, with new words now and then. */
function passages(count: number): string[] {
  const sentences = Object.values(pairs).flatMap((rows) => rows.flat());
  return Array.from({ length: count }, (_, i) => {
    const words: string[] = [];
    for (let k = 0; words.length < EMBED_WORDS; k++) {
      words.push(...(sentences[(i * 7 + k * 13) % sentences.length] ?? "").split(" "), `${i}${k}`, `w${(i * k) % 997}`);
    }
    return words.slice(0, EMBED_WORDS).join(" ");
  });
}

/** Passages a second, and the time of a query, one at a time. */
export async function embed(): Promise<Figure[]> {
  const embedder = await createEmbedder({ registry: openRegistry() });
  const texts = passages(CHUNKS);
  await embedder.embed(texts.slice(0, 300), "passage");
  const rates: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    for (let i = 0; i < CHUNKS; i += 100) await embedder.embed(texts.slice(i, i + 100), "passage");
    rates.push((CHUNKS * 1000) / (performance.now() - start));
  }
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const start = performance.now();
    await embedder.embed([`لماذا ارتفعت أسعار النفط ${i}`], "query");
    times.push(performance.now() - start);
  }
  await embedder.close();
  return [
    {
      name: "embed: passages a second",
      value: median(rates),
      bound: { atLeast: 1000 },
      detail: `of ${EMBED_WORDS} words, ${CHUNKS} in calls of 100`,
    },
    {
      name: "embed: one query, ms, p99",
      value: quantile(times, 0.99),
      bound: { atMost: 5 },
      detail: `p50 ${median(times).toFixed(2)} ms`,
    },
  ];
}

const ENTITY_ROUNDS = 30;

/**
 * Tokens a second of the tagger over the articles of the demo, sent as whole texts, on one thread, by the processor
 * time that the process used.
 */
export async function entities(): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/", import.meta.url));
  const tagger = await createTagger({ registry: openRegistry() });
  const figures: Figure[] = [];
  for (const lang of ["ar", "en"]) {
    const files = readdirSync(join(folder, lang));
    const texts = files.map((file) => readFileSync(join(folder, lang, file), "utf8"));
    const tokens = texts.reduce((sum, text) => sum + tokenise(text).length, 0) * ENTITY_ROUNDS;
    await tagger.tag(texts);
    const used = process.cpuUsage();
    const startedAt = performance.now();
    for (let round = 0; round < ENTITY_ROUNDS; round++) await tagger.tag(texts);
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(used);
    figures.push({
      name: `entities: tokens/s of processor time, ${lang}`,
      value: tokens / ((user + system) / 1e6),
      bound: { atLeast: 10_000 },
      detail: `${tokens} tokens, ${Math.round(tokens / seconds)} a second by the clock`,
    });
  }
  await tagger.close();
  return figures;
}

const COUNT = 20;
const RERANK_WORDS = 200;
const RERANK_ROUNDS = 300;
const UNREAD_ROUNDS = 20;
const RERANK_WARM_UP = 20;
const RERANK_AIM_MS = 20;

/**
 * Time of reranking 20 passages of about 200 words: as a search does, by the vectors that were made when their articles
 * were indexed, and by their texts. And passages that are read for that on one core.
 */
export async function rerank(): Promise<Figure[]> {
  const articles = readNewsroom();
  const words = articles.flatMap(({ content }) => content.split(/\s+/));
  const passages = Array.from({ length: COUNT }, (_, at): Passage & { title: string } => ({
    title: articles[at % articles.length]?.title ?? "",
    text: Array.from({ length: RERANK_WORDS }, (_, i) => words[(at * 37 + i) % words.length]).join(" "),
  }));
  const registry = openRegistry();
  const reader = await createPassageReader({ registry });
  if (reader === undefined) throw new Error("the shipped reranker reads no passages beforehand");
  const start = performance.now();
  const vectors = await reader.read(passages.map(({ title, text }) => `${title} ${text}`));
  const readMs = performance.now() - start;
  await reader.close();
  const reranker = await createReranker({ registry, timeoutMs: 60_000 });
  const timed = async (given: readonly Passage[], rounds: number): Promise<number[]> => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const query = articles[round % articles.length]?.title ?? "";
      const asked = performance.now();
      await reranker.rerank(query, given);
      times.push(performance.now() - asked);
    }
    return times;
  };
  const read = passages.map((passage, i) => ({ ...passage, vectors: vectors[i] }));
  const times = (await timed(read, RERANK_WARM_UP + RERANK_ROUNDS)).slice(RERANK_WARM_UP);
  const unread = await timed(passages, UNREAD_ROUNDS);
  await reranker.close();
  return [
    {
      name: `rerank: ms for ${COUNT} passages, p95`,
      value: quantile(times, 0.95),
      bound: { atMost: RERANK_AIM_MS },
      detail:
        `${reranker.modelId}, passages of ${RERANK_WORDS} words read beforehand, p50 ${quantile(times, 0.5).toFixed(1)} ms; ` +
        `by their texts p50 ${quantile(unread, 0.5).toFixed(0)} ms; ${((1000 * COUNT) / readMs).toFixed(0)} read a second`,
    },
  ];
}

const SUMMARY_WORDS = 600;
const SUMMARY_ROUNDS = 300;
const SUMMARY_WARM_UP = 20;
const SUMMARY_AIM_MS = 60;

/** Time of the built-in summary of an article of about 600 words, and how long it keeps the event loop. */
export async function summaries(): Promise<Figure[]> {
  const embedder = await createEmbedder({ registry: openRegistry() });
  const { summarize } = extractiveSummarizer(embedder, undefined);
  const sentences = readNewsroom().flatMap(({ content }) => content.split(/(?<=[.!?؟])\s+/));
  const { signal } = new AbortController();
  const times: number[] = [];
  const loop = watchLoop();
  loop.pause();
  for (let round = 0; round < SUMMARY_ROUNDS; round++) {
    if (round === SUMMARY_WARM_UP) loop.resume();
    const text = articleFrom(sentences, round * 7);
    const start = performance.now();
    await summarize({ text, sourceLang: "ar", targetLang: "ar", length: "medium", signal });
    times.push(performance.now() - start);
  }
  loop.pause();
  await embedder.close();
  return [
    {
      name: `summaries: ms for an article of ${SUMMARY_WORDS} words, p95`,
      value: quantile(times.slice(SUMMARY_WARM_UP), 0.95),
      bound: { atMost: SUMMARY_AIM_MS },
      detail: `p50 ${quantile(times.slice(SUMMARY_WARM_UP), 0.5).toFixed(1)} ms, the event loop was kept ${loop.longest().toFixed(1)} ms at most`,
    },
  ];
}

/** Sentences from a place on, until they are long enough. */
function articleFrom(sentences: readonly string[], from: number): string {
  const taken: string[] = [];
  let words = 0;
  for (let i = from; words < SUMMARY_WORDS; i++) {
    const sentence = sentences[i % sentences.length] ?? "";
    taken.push(sentence);
    words += sentence.split(/\s+/).length;
  }
  return taken.join(" ");
}
