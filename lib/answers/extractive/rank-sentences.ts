import type { Embedder, Reranker } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";
import { codePointSlicer, sentences } from "../../text/mod.ts";
import type { Source } from "../grounding/source.ts";
import { cosine } from "../summary/features.ts";

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
 * The sentences of the sources, best answer first. A sentence is judged under its article's title, by the reranker; how
 * well its whole passage answers counts as much. Throws what the models throw.
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
