import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { morphAnswer } from "../lib/arabic/morphology/answer.ts";
import { candidatesOf } from "../lib/arabic/morphology/candidates.ts";
import { openMorphology } from "../lib/arabic/morphology/model.ts";
import { tokensOf } from "../lib/arabic/tokens.ts";
import type { Figure } from "./rounds.ts";

const ROUNDS = 20;

/**
 * How fast Arabic is read on one thread, by processor time: the articles of the demo, first once with an empty memory
 * for words, then over and over, and each word anew; and how long it takes from nothing to the first answer.
 */
export async function morph(): Promise<Figure[]> {
  const folder = fileURLToPath(new URL("../cli/demo/articles/ar/", import.meta.url));
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const words = texts.flatMap((text) => tokensOf(text).map(({ token }) => token));
  const began = process.cpuUsage();
  const { lexicon, rules, model } = await openMorphology();
  morphAnswer({ lexicon, model }, { text: "كتبت الصحيفة عن الانتخابات.", all: false });
  const ready = secondsSince(began);
  const once = process.cpuUsage();
  for (const word of words) model.candidates(word);
  const fresh = secondsSince(once);
  const distinct = [...new Set(words)];
  const unremembered = process.cpuUsage();
  for (const word of distinct) candidatesOf(word, lexicon, rules);
  const eachNew = secondsSince(unremembered);
  const lexical = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) for (const word of words) model.candidates(word);
  const fromLexicon = secondsSince(lexical);
  const contextual = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of texts) morphAnswer({ lexicon, model }, { text, all: false });
  }
  const inContext = secondsSince(contextual);
  const detail = `${words.length} tokens, ${distinct.length} distinct`;
  return [
    { name: "morph: s to the first answer", value: ready, bound: { atMost: 2 }, detail: "processor time" },
    {
      name: "morph: tokens/s from the lexicon, words met",
      value: (words.length * ROUNDS) / fromLexicon,
      bound: { atLeast: 20_000 },
      detail: `${detail}; ${Math.round(distinct.length / eachNew)} words/s never met, ${Math.round(words.length / fresh)} tokens/s at the start`,
    },
    {
      name: "morph: tokens/s in context",
      value: (words.length * ROUNDS) / inContext,
      bound: { atLeast: 4_000 },
      detail,
    },
  ];
}

function secondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
