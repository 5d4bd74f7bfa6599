import { createClassifier, createEmbedder, createReranker, createTagger, openRegistry } from "@isnad/lib/models";
import { type Figure, watchLoop } from "./rounds.ts";

/** Calls, and how many there are between two looks at the memory. */
const LAST = 10_000;
const LOOK_EVERY = 160;

/**
 * A quarter of the calls: the least memory seen in the second, when every buffer has grown to its size, is compared
 * with the least in the last. The most says nothing: the heap of a model's thread grows and shrinks by a hundred
 * megabytes as its collector likes.
 */
const QUARTER = LAST / 4;

/** Calls before anything is read: code is compiled and the model's thread is warm. */
const WARMUP = 50;

/** Growth that counts as none: what a runtime's own heaps come and go by. */
const FLAT_MB = 16;

/** Calls that are under way at a time. */
const AT_A_TIME = 16;

const EN = "Unemployment fell to 3.9 percent in May, the lowest rate in eighteen years, said Angela Merkel in Berlin";
const AR = "قالت وزارة الصحة إن عدد الإصابات بلغ تسعين إصابة خلال يوم واحد في القاهرة";

/** A text of the i-th call: lengths and words differ, so that nothing is cached. */
const textOf = (i: number): string => `${i} ${i % 2 === 0 ? EN : AR} `.repeat(1 + (i % 4)) + i * 7919;

type Task = { name: string; call(i: number): Promise<unknown>; close(): Promise<void> };

/**
 * Tells how much more memory each model's task takes at the end of 10,000 calls than in their second quarter, as the
 * resident set of this process; and how long the event loop was held meanwhile.
 */
export async function memory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const open of [embed, classify, rerank, tag]) figures.push(...(await measure(await open())));
  return figures;
}

const registry = openRegistry();

async function embed(): Promise<Task> {
  const embedder = await createEmbedder({ registry });
  const call = (i: number) => embedder.embed([textOf(i), textOf(i + 1)], "passage");
  return { name: "embedding", call, close: () => embedder.close() };
}

async function classify(): Promise<Task> {
  const classifier = await createClassifier({ registry });
  return { name: "check-worthiness", call: (i) => classifier.classify([textOf(i)]), close: () => classifier.close() };
}

async function rerank(): Promise<Task> {
  const reranker = await createReranker({ registry });
  const passages = (i: number) => Array.from({ length: 3 }, (_, n) => ({ title: `${i}`, text: textOf(i + n) }));
  return { name: "rerank", call: (i) => reranker.rerank(textOf(i), passages(i)), close: () => reranker.close() };
}

async function tag(): Promise<Task> {
  const tagger = await createTagger({ registry });
  return { name: "entities", call: (i) => tagger.tag([textOf(i)]), close: () => tagger.close() };
}

async function measure({ name, call, close }: Task): Promise<Figure[]> {
  const seen: { calls: number; mb: number }[] = [];
  for (let i = 0; i < WARMUP; i++) await call(i);
  const watch = watchLoop();
  for (let calls = AT_A_TIME; calls <= LAST; calls += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, n) => call(calls + n)));
    if (calls % LOOK_EVERY !== 0) continue;
    watch.pause();
    seen.push({ calls, mb: resident() });
    watch.resume();
  }
  watch.pause();
  await close();
  const least = (from: number): number =>
    Math.min(...seen.flatMap(({ calls, mb }) => (calls > from && calls <= from + QUARTER ? [mb] : [])));
  const [first, last] = [least(QUARTER), least(3 * QUARTER)];
  const grown: Figure = {
    name: `memory, ${name}, growth in MB`,
    value: last - first,
    bound: { atMost: FLAT_MB },
    detail: `least of calls ${QUARTER} to ${2 * QUARTER}: ${first.toFixed(0)} MB, of the last ${QUARTER}: ${last.toFixed(0)} MB`,
  };
  const gap: Figure = {
    name: `${name}, gap of the event loop, ms`,
    value: watch.longest(),
    bound: { atMost: 10 },
    detail: `the longest in ${LAST} calls, ${AT_A_TIME} at a time`,
  };
  return [grown, gap];
}

/** Resident set of this process in MB, with nothing left that is not needed. */
function resident(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 2 ** 20;
}
