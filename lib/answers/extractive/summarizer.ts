import type { Embedder } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { codePointSlice, sentences } from "../../text/mod.ts";
import { ModelNotInstalled } from "../error.ts";
import type { Summarizer, Translator } from "../tasks.ts";
import { EXTRACTIVE_MODEL, wordsOf } from "./answerer.ts";
import { cosine, featuresOf, type Sentence, sentenceOf } from "./sentences.ts";

/**
 * Holds what each feature is worth: ridge regression of a sentence's ROUGE F1 (mean of 1, 2 and L, within its article),
 * on 500 articles of the train split of `summarization/ant_bbc_ar`.
 */
const WEIGHTS = [0.382, 0.102, 0.15, 0.042, -0.003, -0.021, 0.006];

/** A sentence that goes on from one that is chosen reads better; tuned on the same articles. */
const GOES_ON = 0.05;

/** Above this cosine two sentences say the same. */
const SAME = 0.9;

/** Words of a summary: sentences are added until it has `enough`, none that would make it more than `most`. */
type WordBounds = { enough: number; most: number };

/**
 * Returns the places of the sentences of a summary, ascending: the best by their features, without those that repeat
 * another. At least one, however long it is.
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
      if (chosen.size > 0 && words + sentence.words > most) return false;
      return ![...chosen].some((other) => cosine(at(sentences, other).vector, sentence.vector) >= SAME);
    });
    if (next === undefined) break;
    chosen.add(next);
    words += at(sentences, next).words;
  }
  return [...chosen].sort((a, b) => a - b);
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
  medium: { enough: 50, most: 90 },
  long: { enough: 110, most: 170 },
};

/** Sentences that are judged: the first ones of a longer text. */
const MAX_RANKED_SENTENCES = 500;

/**
 * Returns the built-in summaries: sentences of the text in its order, none that repeats another. A sentence longer than
 * a summary may be is cut at a word, and ends in an ellipsis. For another language they go through the translator;
 * there is none where it is undefined.
 */
export function extractiveSummarizer(
  embedder: Pick<Embedder, "embed">,
  translator: { model: string; use: Translator } | undefined,
): Summarizer {
  return {
    model: EXTRACTIVE_MODEL,
    async summarize({ text, sourceLang, targetLang, length, requestId, signal }) {
      const translates = targetLang !== sourceLang;
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
  const spans = sentences(text).slice(0, MAX_RANKED_SENTENCES);
  const texts = spans.map(({ start, end }) => codePointSlice(text, start, end));
  if (texts.length === 0) return [text.trim()];
  const vectors = await embedder.embed(texts, "passage", signal);
  const all = texts.map((each, i) => sentenceOf(each, vectors[i] ?? new Float32Array()));
  return chooseSentences(all, bounds).map((place) => cut(texts[place] ?? "", bounds.most));
}

function cut(sentence: string, most: number): string {
  const words = wordsOf(sentence);
  return words.length <= most ? sentence : `${words.slice(0, most).join(" ")}…`;
}

function notReached(lang: string): ModelNotInstalled {
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(lang) ?? lang;
  return new ModelNotInstalled(
    `summaries in ${name} of a text in another language`,
    "`bun run models pull opus-mt-ar-en` and `bun run models pull opus-mt-en-ar` install what translates them, or LLM_URL and LLM_MODEL name a server that writes them.",
  );
}
