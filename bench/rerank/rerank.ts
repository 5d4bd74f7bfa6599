import { openRegistry, type Passage } from "@isnad/lib/inference";
import { readNewsroom } from "../../demo/newsroom.ts";
import { loadRerankModel } from "../../lib/inference/tasks/rerank/rerank-model.ts";
import { type Figure, quantile } from "../rounds.ts";

const COUNT = 20;
const WORDS = 200;
const ROUNDS = 300;
const AIM_MS = 20;

/** Time of reranking 20 passages of about 200 words on one core. */
export async function rerank(): Promise<Figure[]> {
  const articles = readNewsroom();
  const words = articles.flatMap(({ content }) => content.split(/\s+/));
  const passageAt = (at: number): Passage => ({
    title: articles[at % articles.length]?.title ?? "",
    text: Array.from({ length: WORDS }, (_, i) => words[(at * 37 + i) % words.length]).join(" "),
    keywordScore: 1 + (at % 17),
  });
  const registry = openRegistry();
  const name = registry.default("rerank");
  const model = await loadRerankModel(registry.dir(name), registry.card(name), 1);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const query = articles[round % articles.length]?.title ?? "";
    const passages = Array.from({ length: COUNT }, (_, i) => passageAt(round * COUNT + i));
    const start = performance.now();
    await model.scores({ query, passages });
    times.push(performance.now() - start);
  }
  await model.release();
  return [
    {
      name: `rerank: ms for ${COUNT} passages, p95`,
      value: quantile(times.slice(20), 0.95),
      bound: { atMost: AIM_MS },
      detail: `${name}, passages of ${WORDS} words, p50 ${quantile(times.slice(20), 0.5).toFixed(1)} ms`,
    },
  ];
}
