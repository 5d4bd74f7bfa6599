import type { Embedder, Reranker } from "@isnad/lib/inference";
import { codePointSlice, sentences } from "@isnad/lib/text";
import type { Source } from "../grounding/source.ts";

/** The models that judge sentences. */
export type SentenceModels = { embedder: Pick<Embedder, "embed">; reranker: Pick<Reranker, "rerank"> };

/**
 * A sentence of a source, with how well it answers: higher is better, and scores of different questions compare
 * roughly.
 */
export type RankedSentence = { source: Source; text: string; score: number; vector: Float32Array };

/** Sentences that are judged, those of the best sources first. */
const MOST = 100;

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
  const found = sources
    .flatMap((source) =>
      sentences(source.text).map(({ start, end }) => ({ source, text: codePointSlice(source.text, start, end) })),
    )
    .slice(0, MOST);
  if (found.length === 0) return [];
  const [scores, vectors] = await Promise.all([
    reranker.rerank(
      question,
      found.map(({ source, text }) => ({ title: source.title, text })),
      { signal },
    ),
    embedder.embed(
      found.map(({ text }) => text),
      "passage",
      signal,
    ),
  ]);
  return found
    .map((sentence, i) => ({
      ...sentence,
      score: (scores[i] ?? Number.NEGATIVE_INFINITY) + (sentence.source.score ?? 0),
      vector: vectors[i] ?? new Float32Array(),
    }))
    .sort((a, b) => b.score - a.score);
}
