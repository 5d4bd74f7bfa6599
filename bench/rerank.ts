import { createPassageReader, createReranker, openRegistry, type Passage } from "@isnad/lib/models";
import { readNewsroom } from "../cli/demo/newsroom.ts";
import { type Figure, quantile } from "./rounds.ts";

const COUNT = 20;
const WORDS = 200;
const ROUNDS = 300;
const UNREAD_ROUNDS = 20;
const WARM_UP = 20;
const AIM_MS = 20;

/**
 * Time of reranking 20 passages of about 200 words: as a search does, by the vectors that were made when their articles
 * were indexed, and by their texts. And passages that are read for that on one core.
 */
export async function rerank(): Promise<Figure[]> {
  const articles = readNewsroom();
  const words = articles.flatMap(({ content }) => content.split(/\s+/));
  const passages = Array.from({ length: COUNT }, (_, at): Passage & { title: string } => ({
    title: articles[at % articles.length]?.title ?? "",
    text: Array.from({ length: WORDS }, (_, i) => words[(at * 37 + i) % words.length]).join(" "),
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
  const times = (await timed(read, WARM_UP + ROUNDS)).slice(WARM_UP);
  const unread = await timed(passages, UNREAD_ROUNDS);
  await reranker.close();
  return [
    {
      name: `rerank: ms for ${COUNT} passages, p95`,
      value: quantile(times, 0.95),
      bound: { atMost: AIM_MS },
      detail:
        `${reranker.modelId}, passages of ${WORDS} words read beforehand, p50 ${quantile(times, 0.5).toFixed(1)} ms; ` +
        `by their texts p50 ${quantile(unread, 0.5).toFixed(0)} ms; ${((1000 * COUNT) / readMs).toFixed(0)} read a second`,
    },
  ];
}
