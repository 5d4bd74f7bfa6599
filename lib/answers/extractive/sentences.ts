import type { Embedder, Reranker } from "../../models/mod.ts";
import { at, mapInSlices } from "../../std/mod.ts";
import { type SourceSentence, sentencesOf } from "../citations.ts";
import { askedFor, coverage, hasAskedFor, stemsOf, topicOf } from "../question.ts";
import type { Source } from "../tasks.ts";
import { cosine } from "./summary-features.ts";

/** The models that judge sentences. */
export type SentenceModels = { embedder: Pick<Embedder, "embed">; reranker: Pick<Reranker, "rerank"> };

/**
 * A sentence of a source, with how well it answers: higher is better, and scores of different questions compare
 * roughly.
 */
export type RankedSentence = SourceSentence & {
  score: number;
  /** The score, less what the article lacks of what the question is about: below 0 the sentence does not answer. */
  support: number;
  vector: Float32Array;
};

/** Number of sentences that are compared by their vectors: those that have most of the question's words. */
const MAX_COMPARED = 64;
/**
 * Number of sentences that the reranker reads and judges: the most promising, by how well their article answers and how
 * near they are to the question, {@link COSINE_WEIGHT} times the cosine.
 */
const MAX_JUDGED = 16;
const COSINE_WEIGHT = 10;
/** Added to the score of a sentence that has a number or time where one is asked for, and taken from one without. */
const EXPECTED_KIND_BONUS = 1.5;
/** Taken from the score of a headline, which rarely answers. */
const HEADLINE_MALUS = 2;
/** Added to the score of a sentence that names all that the question is about; a part of it for a part. */
const TOPIC_BONUS = 1;
/**
 * Taken from the support of a sentence whose article names nothing of what the question is about. This and the numbers
 * above were chosen on the English questions of TyDi QA: of 138 whose article was taken out 34 % are declined (4 %
 * without it), and 2 % of those that can be answered.
 */
const OFF_TOPIC_MALUS = 8;

/**
 * Returns the sentences of the sources, headlines among them, best answer first. A sentence is judged under its
 * article's title, by the reranker; how well its article answers counts as much. Throws what the models throw.
 */
export async function rankSentences(
  question: string,
  sources: readonly Source[],
  { embedder, reranker }: SentenceModels,
  signal: AbortSignal,
): Promise<RankedSentence[]> {
  const candidates = await mostPromising(question, sources);
  if (candidates.length === 0) return [];
  const texts = candidates.map(({ text }) => text);
  const [[asked = new Float32Array()], vectors] = await Promise.all([
    embedder.embed([question], "query", signal),
    embedder.embed(texts, "passage", signal),
  ]);
  const promising = candidates.map((sentence, place) => {
    const vector = at(vectors, place);
    return {
      ...sentence,
      vector,
      place,
      promise: COSINE_WEIGHT * cosine(asked, vector) + (sentence.source.score ?? 0),
    };
  });
  // The reranker takes their order as evidence, too: that of the sources and their texts.
  const judged = promising
    .sort((a, b) => b.promise - a.promise)
    .slice(0, MAX_JUDGED)
    .sort((a, b) => a.place - b.place);
  const passages = judged.map(({ source, text }) => ({ title: source.title, text }));
  const scores = await reranker.rerank(question, passages, { signal, kind: "chat" });
  const kind = askedFor(question);
  const topic = topicOf(question);
  const named = new Map(sources.map((source) => [source.n, namedIn(source, question, topic)]));
  return judged
    .map(({ source, text, offsets, vector }, i) => {
      const has = hasAskedFor(kind, text);
      const score =
        at(scores, i) +
        (source.score ?? 0) +
        (has === undefined ? 0 : has ? EXPECTED_KIND_BONUS : -EXPECTED_KIND_BONUS) -
        (offsets === null ? HEADLINE_MALUS : 0) +
        TOPIC_BONUS * coverage(topic, stemsOf(text));
      const support = score - OFF_TOPIC_MALUS * (1 - (named.get(source.n) ?? 1));
      return { source, text, offsets, vector, score, support };
    })
    .sort((a, b) => b.score - a.score);
}

/** Returns how much of what a question is about an article names; all where it is of another script. */
function namedIn({ title, passages }: Source, question: string, topic: ReturnType<typeof topicOf>): number {
  const text = [title, ...passages.map((passage) => passage.text)].join("\n");
  if (ARABIC.test(question) !== ARABIC.test(text)) return 1;
  return coverage(topic, stemsOf(text));
}

const ARABIC = /\p{Script=Arabic}/u;

/** The sentences to compare, in the order of the sources and their texts. */
async function mostPromising(question: string, sources: readonly Source[]): Promise<SourceSentence[]> {
  const all = sources.flatMap(sentencesOf);
  if (all.length <= MAX_COMPARED) return all;
  const topic = topicOf(question);
  // Of equals those of the better article, and the earlier ones.
  const shares = await mapInSlices(all, ({ text }) => coverage(topic, stemsOf(text)));
  return [...all.keys()]
    .sort((a, b) => at(shares, b) - at(shares, a) || a - b)
    .slice(0, MAX_COMPARED)
    .sort((a, b) => a - b)
    .map((place) => at(all, place));
}
