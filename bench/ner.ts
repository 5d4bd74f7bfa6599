import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { withNlp } from "./nlp-process.ts";
import { fineCpuS } from "./processes.ts";
import { type Figure, quantile } from "./rounds.ts";

/** Sentences of exactly `words` words, as long ones as the news has: those of an article, one after the other. */
export function sentencesOf(article: string, words: number): string[] {
  const body = article.slice(article.indexOf("\n\n") + 2);
  const all = body
    .replace(/[.؟?!…]+(?=[»”"')\]]*(?:\s|$))/g, "،")
    .split(/\s+/)
    .filter(Boolean);
  return Array.from({ length: Math.floor(all.length / words) }, (_, i) =>
    all
      .slice(i * words, (i + 1) * words)
      .join(" ")
      .replace(/،?$/, "."),
  );
}

const WORDS = 50;
const WARM_UP = 10;

/** How long the running linguistic service takes for the entities of a sentence of 50 words, sent one by one. */
export async function ner(rounds: number): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/ar/", import.meta.url));
  const articles = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const sentences = articles.flatMap((article) => sentencesOf(article, WORDS));
  return withNlp(async ({ url, pid }) => {
    const ask = async (text: string): Promise<void> => {
      const response = await fetch(`${url}/ner`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text, include_offsets: true }),
      });
      if (response.status !== 200) throw new Error(`/ner answers ${response.status}: ${await response.text()}`);
      await response.json();
    };
    for (const sentence of sentences.slice(0, WARM_UP)) await ask(sentence);
    const times: number[] = [];
    const used = fineCpuS(pid);
    for (let round = 0; round < rounds; round++) {
      for (const sentence of sentences) {
        const began = performance.now();
        await ask(sentence);
        times.push(performance.now() - began);
      }
    }
    const cpuMs = ((fineCpuS(pid) ?? Number.NaN) - (used ?? Number.NaN)) * 1000;
    const detail = `median ${quantile(times, 0.5).toFixed(1)} ms, ${(cpuMs / times.length).toFixed(1)} ms of processor time each; ${sentences.length} sentences, ${rounds} times`;
    return [{ name: "/ner of 50 words: ms, 95 of 100", value: quantile(times, 0.95), bound: { atMost: 15 }, detail }];
  });
}
