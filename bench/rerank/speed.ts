/** `bun bench/rerank/speed.ts`: time of reranking 20 passages of about 200 words on one core, against the aim of 20 ms. */
import { openRegistry, type Passage } from "@isnad/lib/inference";
import { queryWords } from "@isnad/lib/text";
import { readNewsroom } from "../../demo/newsroom.ts";
import { loadRerankModel } from "../../lib/inference/tasks/rerank/rerank-model.ts";
import { quantile } from "../rounds.ts";

const COUNT = 20;
const WORDS = 200;
const ROUNDS = 300;
const AIM_MS = 20;

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
const told = [0.5, 0.95].map((q) => `p${q * 100} ${quantile(times.slice(20), q).toFixed(1)} ms`).join(", ");
const asked = Math.round(queryWords(articles[0]?.title ?? "").length);
process.stdout.write(
  `${name}: ${COUNT} passages of ${WORDS} words, query of ${asked} words: ${told} (aim ${AIM_MS} ms)\n`,
);
