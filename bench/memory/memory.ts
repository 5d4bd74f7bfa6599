import { createClassifier, createEmbedder, createReranker, createTagger, openRegistry } from "@isnad/lib/inference";
import type { Figure } from "../rounds.ts";

/** Calls after which the memory is looked at for the first time, when every buffer has grown to its size, and at the end. */
const FIRST = 2_500;
const LAST = 10_000;

/** Growth that counts as none: what a runtime's own heaps come and go by. */
const FLAT_MB = 16;

/** Calls that are under way at a time. */
const AT_A_TIME = 16;

const EN = "Unemployment fell to 3.9 percent in May, the lowest rate in eighteen years, said Angela Merkel in Berlin";
const AR = "قالت وزارة الصحة إن عدد الإصابات بلغ تسعين إصابة خلال يوم واحد في القاهرة";

/** A text of the i-th call: lengths and words differ, so that nothing is remembered. */
const textOf = (i: number): string => `${i} ${i % 2 === 0 ? EN : AR} `.repeat(1 + (i % 4)) + i * 7919;

type Task = { name: string; call(i: number): Promise<unknown>; close(): Promise<void> };

/** How much more memory each model's task takes after 10,000 calls than after 2,500: the resident set of this process. */
export async function memory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const open of [embed, classify, rerank, tag]) figures.push(await measure(await open()));
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

async function measure({ name, call, close }: Task): Promise<Figure> {
  const seen: number[] = [];
  for (let i = 0; i < LAST; i += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, n) => call(i + n)));
    if (i < FIRST && i + AT_A_TIME >= FIRST) seen.push(resident());
  }
  seen.push(resident());
  await close();
  const [first = Number.NaN, last = Number.NaN] = seen;
  return {
    name: `memory, ${name}, growth in MB`,
    value: last - first,
    bound: { atMost: FLAT_MB },
    detail: `${first.toFixed(0)} MB after ${FIRST} calls, ${last.toFixed(0)} MB after ${LAST}`,
  };
}

/** Resident set of this process in MB, with nothing left that is not needed. */
function resident(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 2 ** 20;
}
