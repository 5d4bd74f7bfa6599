import { at } from "../../std/mod.ts";
import { countWords } from "../../text/mod.ts";
import type { Quotable } from "./quotable.ts";

/** A sentence of a text that is to be summarised: its words, and its meaning as a vector of length 1. */
export type Sentence = Pick<Quotable, "text" | "leans" | "isCutOpen"> & {
  words: number;
  stems: ReadonlySet<string>;
  vector: Float32Array;
};

/** Sentences with fewer words say too little to stand alone. */
const SHORT_WORDS = 6;
/** Beyond this many words a sentence is long for a summary. */
const LONG_WORDS = 45;

/**
 * Returns the features of each sentence: whether it is the first, how early it stands, how near its meaning is to that
 * of the whole text and to the first sentence, whether it is very short, how long it is, and whether it asks something.
 */
export function featuresOf(sentences: readonly Sentence[]): number[][] {
  const centre = centreOf(sentences);
  return sentences.map(({ text, words, vector }, place) => [
    place === 0 ? 1 : 0,
    1 / (1 + place),
    cosine(vector, centre),
    place === 0 ? 0 : cosine(vector, at(sentences, 0).vector),
    words < SHORT_WORDS ? 1 : 0,
    Math.min(words, LONG_WORDS) / LONG_WORDS,
    /[?\u061f]["'\u00bb\u201d]*$/u.test(text) ? 1 : 0,
  ]);
}

/** Returns a sentence of a text, with a vector that was made for it. */
export function sentenceOf(
  { text, leans, isCutOpen }: Pick<Quotable, "text" | "leans" | "isCutOpen">,
  vector: Float32Array,
): Sentence {
  const { counts, length } = countWords(text);
  const telling = [...counts.keys()].filter(({ stop }) => !stop);
  return { text, leans, isCutOpen, words: length, stems: new Set(telling.flatMap(({ stems }) => stems)), vector };
}

/** Tells how near two meanings are, from -1 to 1. Vectors have length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Returns the direction of all sentences together, each weighing as much as it has words. */
function centreOf(sentences: readonly Sentence[]): Float32Array {
  const sum = new Float32Array(sentences[0]?.vector.length ?? 0);
  for (const { vector, words } of sentences) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + words * (vector[i] ?? 0);
  }
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : sum;
}
