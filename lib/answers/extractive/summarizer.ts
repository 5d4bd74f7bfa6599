import type { Embedder } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { countWords } from "../../text/mod.ts";
import { ModelNotInstalled, type Summarizer, type Translator } from "../tasks.ts";
import { EXTRACTIVE_MODEL } from "./answerer.ts";
import { type Quotable, quotablesOf } from "./quotable.ts";
import { cosine } from "./reading.ts";

/**
 * Holds what each feature is worth: ridge regression of a sentence's ROUGE F1 (mean of 1, 2 and L, within its article),
 * on 500 articles of the train split of `summarization/ant_bbc_ar`.
 */
const WEIGHTS = [0.382, 0.102, 0.15, 0.042, -0.003, -0.021, 0.006];

/** A sentence that goes on from one that is chosen reads better; tuned on the same articles. */
const GOES_ON = 0.05;

/** Above this cosine, or with this share of the words of the shorter one, two sentences say the same. */
const SAME = 0.9;
const SAME_WORDS = 0.6;

/** Words of a summary: sentences are added until it has `enough`, none that would make it more than `most`. */
type WordBounds = { enough: number; most: number };

/**
 * Returns the places of the sentences of a summary, ascending: the best by their features. None repeats another, breaks
 * a quotation off, or speaks of somebody whom the sentence before it named, unless that is there as well. At least one,
 * the shortest where all are too long.
 */
export function chooseSentences(sentences: readonly Sentence[], { enough, most }: WordBounds): number[] {
  const scores = featuresOf(sentences).map((features) =>
    features.reduce((sum, value, i) => sum + value * at(WEIGHTS, i), 0),
  );
  const chosen = new Set<number>();
  let words = 0;
  while (words < enough) {
    const next = bestOf(scores, chosen, (place) => {
      const sentence = at(sentences, place);
      if (words + sentence.words > most || sentence.isCutOpen) return false;
      if (sentence.leans && !chosen.has(place - 1)) return false;
      return ![...chosen].some((other) => saysTheSame(at(sentences, other), sentence));
    });
    if (next === undefined) break;
    chosen.add(next);
    words += at(sentences, next).words;
  }
  if (chosen.size === 0) chosen.add(leastFaulty(sentences, most));
  chosen.delete(-1);
  return [...chosen].sort((a, b) => a - b);
}

/** Returns the first sentence that is short enough, else the shortest; -1 where there is none. */
function leastFaulty(sentences: readonly Sentence[], most: number): number {
  const fits = sentences.findIndex(({ words }) => words <= most);
  if (fits >= 0) return fits;
  return sentences.reduce(
    (least, { words }, place) => (words < (sentences[least]?.words ?? Infinity) ? place : least),
    -1,
  );
}

function saysTheSame(a: Sentence, b: Sentence): boolean {
  if (cosine(a.vector, b.vector) >= SAME) return true;
  const [few, many] = a.stems.size < b.stems.size ? [a.stems, b.stems] : [b.stems, a.stems];
  return few.size > 0 && [...few].filter((stem) => many.has(stem)).length >= SAME_WORDS * few.size;
}

/** Returns the best place that is not chosen yet and fits. */
function bestOf(scores: readonly number[], chosen: ReadonlySet<number>, fits: (place: number) => boolean) {
  let best: { place: number; score: number } | undefined;
  for (const [place, own] of scores.entries()) {
    const score = chosen.has(place - 1) ? own + GOES_ON : own;
    if (!chosen.has(place) && (best === undefined || score > best.score) && fits(place)) best = { place, score };
  }
  return best?.place;
}

const BOUNDS: Record<"short" | "medium" | "long", WordBounds> = {
  short: { enough: 12, most: 60 },
  medium: { enough: 46, most: 90 },
  long: { enough: 110, most: 170 },
};

/** Sentences that are judged: the first ones of a longer text. */
const MAX_RANKED_SENTENCES = 500;

/**
 * Returns the built-in summaries: whole sentences of the text in its order, without datelines and bylines. For another
 * language they go through the translator; there is none where it is undefined.
 */
export function extractiveSummarizer(
  embedder: Pick<Embedder, "embed">,
  translator: { model: string; use: Translator } | undefined,
): Summarizer {
  return {
    model: EXTRACTIVE_MODEL,
    async summarize({ text, sourceLang, targetLang, length, requestId, signal }) {
      // Digits and signs are the same in every language.
      const translates = targetLang !== sourceLang && /\p{L}/u.test(text);
      if (translates && translator === undefined) throw notReached(targetLang);
      const points = await pointsOf(text, BOUNDS[length], embedder, signal);
      if (!translates || translator === undefined) return points;
      const { use } = translator;
      const call = { sourceLang, targetLang, requestId, signal };
      return await Promise.all(points.map(async (point) => (await use.translate({ text: point, ...call })).text));
    },
  };
}

async function pointsOf(
  text: string,
  bounds: WordBounds,
  embedder: Pick<Embedder, "embed">,
  signal: AbortSignal,
): Promise<string[]> {
  const quotables = quotablesOf(text, MAX_RANKED_SENTENCES);
  if (quotables.length === 0) return [text.trim()];
  const vectors = await embedder.embed(
    quotables.map((quotable) => quotable.text),
    "passage",
    signal,
  );
  const all = quotables.map((quotable, i) => sentenceOf(quotable, vectors[i] ?? new Float32Array()));
  return chooseSentences(all, bounds).map((place) => at(quotables, place).text.replace(/\s+/g, " "));
}

function notReached(lang: string): ModelNotInstalled {
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(lang) ?? lang;
  return new ModelNotInstalled(
    `summaries in ${name} of a text in another language`,
    "`bun run models pull opus-mt-ar-en` and `bun run models pull opus-mt-en-ar` install what translates them, or LLM_URL and LLM_MODEL name a server that writes them.",
  );
}

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
function featuresOf(sentences: readonly Sentence[]): number[][] {
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

/** Returns the direction of all sentences together, each weighing as much as it has words. */
function centreOf(sentences: readonly Sentence[]): Float32Array {
  const sum = new Float32Array(sentences[0]?.vector.length ?? 0);
  for (const { vector, words } of sentences) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + words * (vector[i] ?? 0);
  }
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : sum;
}
