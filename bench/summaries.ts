import { extractiveSummarizer } from "@isnad/lib/answers";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { readNewsroom } from "../cli/demo/newsroom.ts";
import { watchLoop } from "./event-loop.ts";
import { type Figure, quantile } from "./rounds.ts";

const WORDS = 600;
const ROUNDS = 300;
const WARM_UP = 20;
const AIM_MS = 60;

/** Time of the built-in summary of an article of about 600 words, and how long it keeps the event loop. */
export async function summaries(): Promise<Figure[]> {
  const embedder = await createEmbedder({ registry: openRegistry() });
  const { summarize } = extractiveSummarizer(embedder, undefined);
  const sentences = readNewsroom().flatMap(({ content }) => content.split(/(?<=[.!?؟])\s+/));
  const { signal } = new AbortController();
  const times: number[] = [];
  const loop = watchLoop();
  loop.pause();
  for (let round = 0; round < ROUNDS; round++) {
    if (round === WARM_UP) loop.resume();
    const text = articleFrom(sentences, round * 7);
    const start = performance.now();
    await summarize({ text, sourceLang: "ar", targetLang: "ar", length: "medium", signal });
    times.push(performance.now() - start);
  }
  loop.pause();
  await embedder.close();
  return [
    {
      name: `summaries: ms for an article of ${WORDS} words, p95`,
      value: quantile(times.slice(WARM_UP), 0.95),
      bound: { atMost: AIM_MS },
      detail: `p50 ${quantile(times.slice(WARM_UP), 0.5).toFixed(1)} ms, the event loop was kept ${loop.longest().toFixed(1)} ms at most`,
    },
  ];
}

/** Sentences from a place on, until they are long enough. */
function articleFrom(sentences: readonly string[], from: number): string {
  const taken: string[] = [];
  let words = 0;
  for (let i = from; words < WORDS; i++) {
    const sentence = sentences[i % sentences.length] ?? "";
    taken.push(sentence);
    words += sentence.split(/\s+/).length;
  }
  return taken.join(" ");
}
