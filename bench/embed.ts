import { createEmbedder, openRegistry } from "@isnad/lib/models";
import pairs from "../eval/embed/pairs.json";
import { type Figure, median, quantile } from "./rounds.ts";

const WORDS = 200;
const CHUNKS = 3000;
const QUERIES = 2000;

/** Passages of 200 words each: the hand-written sentences in changing order, with new words now and then. */
function passages(count: number): string[] {
  const sentences = Object.values(pairs).flatMap((rows) => rows.flat());
  return Array.from({ length: count }, (_, i) => {
    const words: string[] = [];
    for (let k = 0; words.length < WORDS; k++) {
      words.push(...(sentences[(i * 7 + k * 13) % sentences.length] ?? "").split(" "), `${i}${k}`, `w${(i * k) % 997}`);
    }
    return words.slice(0, WORDS).join(" ");
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
      detail: `of ${WORDS} words, ${CHUNKS} in calls of 100`,
    },
    {
      name: "embed: one query, ms, p99",
      value: quantile(times, 0.99),
      bound: { atMost: 5 },
      detail: `p50 ${median(times).toFixed(2)} ms`,
    },
  ];
}
