import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { median, quantile } from "../rounds.ts";
import pairs from "../../eval/embed/pairs.json" with { type: "json" };

const WORDS = 200;
const CHUNKS = 3000;
const CALLS = 10_000;

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

const say = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(52)}${value}\n`);
};
const megabytes = (): number => {
  Bun.gc(true);
  return process.memoryUsage().rss / 1e6;
};

let gap = 0;
let last = performance.now();
const watch = setInterval(() => {
  gap = Math.max(gap, performance.now() - last);
  last = performance.now();
}, 1);

const started = performance.now();
const embedder = await createEmbedder({ registry: openRegistry() });
say("load, with checksums", `${(performance.now() - started).toFixed(0)} ms`);

const texts = passages(CHUNKS);
await embedder.embed(texts.slice(0, 300), "passage");
const rates: number[] = [];
gap = 0;
last = performance.now();
for (let round = 0; round < 5; round++) {
  const start = performance.now();
  for (let i = 0; i < CHUNKS; i += 100) await embedder.embed(texts.slice(i, i + 100), "passage");
  rates.push((CHUNKS * 1000) / (performance.now() - start));
}
say(`passages of ${WORDS} words a second`, median(rates).toFixed(0));
say("longest gap of the caller's event loop meanwhile", `${gap.toFixed(1)} ms`);

const times: number[] = [];
const before = megabytes();
for (let i = 0; i < CALLS; i++) {
  const start = performance.now();
  await embedder.embed([`لماذا ارتفعت أسعار النفط ${i}`], "query");
  times.push(performance.now() - start);
}
say("one query, median and 99th percentile", `${median(times).toFixed(2)} ms, ${quantile(times, 0.99).toFixed(2)} ms`);
say(`memory after ${CALLS} further calls`, `${before.toFixed(0)} MB -> ${megabytes().toFixed(0)} MB`);

clearInterval(watch);
await embedder.close();
