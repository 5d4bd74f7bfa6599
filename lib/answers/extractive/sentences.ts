import type { Embedder, Reader, Reranker } from "../../models/mod.ts";
import { at, createTurns, mapInSlices } from "../../std/mod.ts";
import { type SourceSentence, sentencesOf } from "../citations.ts";
import type { Source } from "../tasks.ts";
import { isCredit, leansOnOther, withoutDateline } from "./quotable.ts";
import weights from "./weights.json" with { type: "json" };
import { contextsOf, cosine, readQuestion, type ReadQuestion, readSentence, surest, weightsOf } from "./reading.ts";
import { type Glance, type Look, lookFeatures, promiseFeatures, standingsOf } from "./evidence.ts";

/** The models that judge sentences. */
export type SentenceModels = {
  embedder: Pick<Embedder, "embed" | "isStatic">;
  reader: Pick<Reader, "read">;
  reranker: Pick<Reranker, "rerank">;
};

/** A sentence of a source, with how well it answers; higher is better. */
export type RankedSentence = SourceSentence & {
  score: number;
  /** The logarithm of the odds that the sentence answers at all, less those from which on it is shown. */
  support: number;
  vector: Float32Array;
  /** The sentence before it, where it speaks of what only that one names. */
  naming?: SourceSentence | undefined;
};

/** Number of sentences that are compared by their vectors: those with most of what the question is about. */
const MAX_COMPARED = 128;
/** Number of sentences that the reader and the reranker judge: the most promising by their features without it. */
const MAX_JUDGED = 16;

/** The reader's score up to which it is sure that a sentence does not answer: where all are, nothing does. */
const UNANSWERED_SCORE = -4.6;
/**
 * The reader's score up to which the best sentence is none that answers, whatever speaks for it: of questions over news
 * that it has not learned from, 11 of 135 without an answer are declined by it alone, and 1 of 249 with one.
 */
const DENIED_SCORE = -4.75;

/** Lets many answers, which the models give what they wait for at once, go on one after another. */
const turn = createTurns();

/** The vector that a sentence was compared by, and the sentence that stands right before it. */
type Beside = { vector: Float32Array; before: SourceSentence | undefined };
/** A sentence as it looks before and after the reader has judged it. */
type Compared = Glance & Beside;
export type Judged = Look & Beside;

/** Returns the sentences of the sources with most of what a question is about, as they stand there. */
export async function compareSentences(
  text: string,
  sources: readonly Source[],
  embedder: SentenceModels["embedder"],
  signal: AbortSignal,
): Promise<Compared[]> {
  await turn();
  const question = readQuestion(text);
  const topics = question.topics.length;
  const quotable = sources
    .flatMap(sentencesOf)
    .filter(({ text: said, offsets }) => offsets === null || !isCredit(said));
  const read = await mapInSlices(quotable, (sentence) => readSentence(undated(sentence), question));
  if (read.length === 0) return [];
  await turn();
  const topicWeights = weightsOf(read, topics);
  const contexts = contextsOf(read, question.topics);
  const glances = read.map((sentence, place) => {
    const before = followsOn(read[place - 1], sentence) ? read[place - 1] : undefined;
    return { question, weights: topicWeights, sentence, context: at(contexts, place), cosine: 0, before };
  });
  const compared = inOrder(best(glances, glanceScore, MAX_COMPARED), glances);
  const [[asked = new Float32Array()], vectors] = await Promise.all([
    embedder.embed([text], "query", signal),
    embedder.embed(
      compared.map(({ sentence }) => sentence.text),
      "passage",
      signal,
    ),
  ]);
  return compared.map((glance, i) => ({ ...glance, cosine: cosine(asked, at(vectors, i)), vector: at(vectors, i) }));
}

/**
 * Returns the sentences that may answer, headlines among them, as they stand in the sources, with what tells how well
 * they do. Throws what the models throw.
 */
export async function judgeSentences(
  text: string,
  sources: readonly Source[],
  { embedder, reader, reranker }: SentenceModels,
  signal: AbortSignal,
  promise: Linear = weights.glance,
): Promise<Judged[]> {
  const compared = await compareSentences(text, sources, embedder, signal);
  const [first] = compared;
  if (first === undefined) return [];
  await turn();
  const promiseOf = (glance: Glance) => linear(promise, promiseFeatures(glance));
  const promising = inOrder(best(compared, promiseOf, MAX_JUDGED), compared);
  const passages = promising.map(({ sentence }) => ({ title: sentence.source.title, text: sentence.text }));
  const [scores, reranked, nearness] = await Promise.all([
    reader.read(text, passages, { signal, kind: "chat" }),
    reranker.rerank(text, passages, { signal, kind: "chat" }),
    nearnessOf(first.question, promising, embedder, signal),
  ]);
  await turn();
  return promising.map((glance, i) => {
    return { ...glance, judged: at(scores, i), reranked: at(reranked, i), near: at(nearness, i) };
  });
}

/** Returns the sentences of the sources that may answer, best answer first. Throws what the models throw. */
export async function rankSentences(
  question: string,
  sources: readonly Source[],
  models: SentenceModels,
  signal: AbortSignal,
): Promise<RankedSentence[]> {
  const judged = await judgeSentences(question, sources, models, signal);
  const standings = standingsOf(judged);
  const isUnanswered = judged.every((look) => look.judged < UNANSWERED_SCORE);
  return judged
    .map((look, i) => {
      const features = lookFeatures(look, at(standings, i));
      const score = linear(weights.sentence, features);
      const { source, text, offsets } = look.sentence;
      return {
        ...{ source, text, offsets, vector: look.vector, naming: namingOf(look), score },
        support:
          isUnanswered || look.judged < DENIED_SCORE
            ? Number.NEGATIVE_INFINITY
            : linear(weights.support, [score, ...features]),
      };
    })
    .sort((a, b) => b.score - a.score);
}

/** Number of code points between a sentence and the one right behind it, at most: white space. */
const MAX_GAP_CHARS = 3;

function followsOn(first: SourceSentence | undefined, { source, offsets }: SourceSentence): boolean {
  const end = first?.source === source ? first.offsets?.end : undefined;
  return end !== undefined && offsets !== null && offsets.start - end <= MAX_GAP_CHARS;
}

/** Words of a sentence that is quoted for what it names alone, at most. */
const MAX_NAMING_WORDS = 40;

/** Returns the sentence before one that leans on it, where that stands on its own and is not long. */
function namingOf({ sentence: { text }, before }: Judged): SourceSentence | undefined {
  if (before === undefined || !leansOnOther(text) || leansOnOther(before.text)) return undefined;
  return before.text.split(/\s+/).length <= MAX_NAMING_WORDS ? before : undefined;
}

/** Returns a sentence without the dateline that it begins with. */
function undated(sentence: SourceSentence): SourceSentence {
  const { text, cut } = withoutDateline(sentence.text);
  const { offsets } = sentence;
  return cut === 0 || offsets === null
    ? sentence
    : { ...sentence, text, offsets: { ...offsets, start: offsets.start + cut } };
}

type Linear = { weights: readonly number[]; bias: number };

function linear({ weights: factors, bias }: Linear, features: readonly number[]): number {
  return features.reduce((sum, feature, i) => sum + feature * (factors[i] ?? 0), bias);
}

const glanceScore = (glance: Glance): number => linear(weights.glance, promiseFeatures(glance));

function best<T>(all: readonly T[], scoreOf: (each: T) => number, most: number): ReadonlySet<T> {
  if (all.length <= most) return new Set(all);
  const scored = all.map((each) => ({ each, score: scoreOf(each) }));
  return new Set(
    scored
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most)
      .map(({ each }) => each),
  );
}

const inOrder = <T>(chosen: ReadonlySet<T>, all: readonly T[]): T[] => all.filter((each) => chosen.has(each));

/**
 * Returns how near in meaning the nearest word of each sentence is to each topic of the question. Where the vector of a
 * word costs as much as that of a sentence, what is not the same word is not near.
 */
async function nearnessOf(
  { topics }: ReadQuestion,
  glances: readonly Glance[],
  embedder: SentenceModels["embedder"],
  signal: AbortSignal,
): Promise<(readonly number[])[]> {
  if (embedder.isStatic !== true) return glances.map(({ sentence }) => sentence.has);
  const wanted = topics.flatMap(({ words }) => words);
  const texts = [
    ...new Set([...wanted, ...glances.flatMap(({ sentence }) => sentence.bag.words)].map(({ text }) => text)),
  ];
  const vectors = await embedder.embed(texts, "query", signal);
  const vectorOf = new Map(texts.map((text, i) => [text, at(vectors, i)]));
  const none = new Float32Array();
  return glances.map(({ sentence }) => {
    const others = sentence.bag.words.map(({ text }) => vectorOf.get(text) ?? none);
    return topics.map((topic, i) => {
      const has = at(sentence.has, i);
      if (has === 1) return 1;
      const near = surest(topic, ({ text }) => {
        const own = vectorOf.get(text) ?? none;
        return others.reduce((most, other) => Math.max(most, cosine(own, other)), 0);
      });
      return Math.max(has, near);
    });
  });
}
