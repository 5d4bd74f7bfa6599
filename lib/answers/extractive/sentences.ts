import type { Embedder, Reranker } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { codePointSlicer, countWords, sentences } from "../../text/mod.ts";
import type { Source } from "../tasks.ts";

/** A sentence of a text that is to be summarised: its words, and its meaning as a vector of length 1. */
export type Sentence = { text: string; words: number; vector: Float32Array };

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
export function sentenceOf(text: string, vector: Float32Array): Sentence {
  return { text, words: countWords(text).length, vector };
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

/** The models that judge sentences. */
export type SentenceModels = { embedder: Pick<Embedder, "embed">; reranker: Pick<Reranker, "rerank"> };

/**
 * A sentence of a source, with how well it answers: higher is better, and scores of different questions compare
 * roughly.
 */
export type RankedSentence = { source: Source; text: string; score: number; vector: Float32Array };

/** Sentences that are compared by their vectors, those of the best sources first. */
const COMPARED = 200;
/**
 * Sentences that the reranker reads and judges: the most promising, by how well their passage answers and how near they
 * are to the question, {@link NEARNESS} times the cosine. Of 115 questions in Arabic eight answer as many as all would.
 */
const JUDGED = 8;
const NEARNESS = 10;

/**
 * Returns the sentences of the sources, best answer first. A sentence is judged under its article's title, by the
 * reranker; how well its whole passage answers counts as much. Throws what the models throw.
 */
export async function rankSentences(
  question: string,
  sources: readonly Source[],
  { embedder, reranker }: SentenceModels,
  signal: AbortSignal,
): Promise<RankedSentence[]> {
  const candidates = sources
    .flatMap((source) => {
      const slice = codePointSlicer(source.text);
      return sentences(source.text).map(({ start, end }) => ({ source, text: slice(start, end) }));
    })
    .slice(0, COMPARED);
  if (candidates.length === 0) return [];
  const texts = candidates.map(({ text }) => text);
  const [[asked = new Float32Array()], vectors] = await Promise.all([
    embedder.embed([question], "query", signal),
    embedder.embed(texts, "passage", signal),
  ]);
  const promising = candidates.map((sentence, place) => {
    const vector = at(vectors, place);
    return { ...sentence, vector, place, promise: NEARNESS * cosine(asked, vector) + (sentence.source.score ?? 0) };
  });
  // The reranker takes their order as evidence, too: that of the sources and their texts.
  const judged = promising
    .sort((a, b) => b.promise - a.promise)
    .slice(0, JUDGED)
    .sort((a, b) => a.place - b.place);
  const passages = judged.map(({ source, text }) => ({ title: source.title, text }));
  const scores = await reranker.rerank(question, passages, { signal, kind: "chat" });
  return judged
    .map(({ source, text, vector }, i) => ({ source, text, vector, score: at(scores, i) + (source.score ?? 0) }))
    .sort((a, b) => b.score - a.score);
}
