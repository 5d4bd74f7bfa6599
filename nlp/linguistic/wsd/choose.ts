import type { SenseEntry } from "@isnad/lib/contract";
import type { Embedder } from "@isnad/lib/inference";
import { at } from "@isnad/lib/std";

/** A word whose sense is asked for: the words around it, and its senses, the most frequent first. */
export type Ambiguous = { context: string; senses: readonly SenseEntry[] };

/** What each place further down the list of senses costs, in cosine. */
const RANK = 0.02;

/** Texts that are embedded in one call. */
const BATCH = 64;

/** Chooses senses by what they mean. */
export type SenseChooser = {
  /** The sense of each word: the one whose gloss and English equivalents are nearest to the context. */
  choose(words: readonly Ambiguous[], signal?: AbortSignal): Promise<SenseEntry[]>;
};

/**
 * Makes the chooser over an embedder of Arabic and English. A context and a gloss are compared as in Basile, Caputo and
 * Semeraro, "An Enhanced Lesk Word Sense Disambiguation Algorithm through a Distributional Semantic Model" (2014);
 * frequent senses are preferred a little. Vectors of senses are kept once made.
 */
export function createSenseChooser(embedder: Pick<Embedder, "embed">): SenseChooser {
  const known = new Map<string, Float32Array>();

  async function vectorsOf(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      vectors.push(...(await embedder.embed(texts.slice(start, start + BATCH), "passage", signal)));
    }
    return vectors;
  }

  return {
    async choose(words, signal) {
      const fresh = [...new Set(words.flatMap(({ senses }) => senses))].filter(({ id }) => !known.has(id));
      const made = await vectorsOf(fresh.map(textOf), signal);
      for (const [place, { id }] of fresh.entries()) known.set(id, at(made, place));
      const contexts = await vectorsOf(
        words.map(({ context }) => context),
        signal,
      );
      return words.map(({ senses }, place) => {
        const context = at(contexts, place);
        const score = (sense: SenseEntry, rank: number): number => {
          const vector = known.get(sense.id);
          return vector === undefined ? Number.NEGATIVE_INFINITY : cosine(context, vector) - RANK * rank;
        };
        return senses.reduce(
          (best, sense, rank) => {
            const own = score(sense, rank);
            return own > best.score ? { sense, score: own } : best;
          },
          { sense: at(senses, 0), score: Number.NEGATIVE_INFINITY },
        ).sense;
      });
    },
  };
}

/** What a sense is compared by. */
function textOf({ gloss, en }: SenseEntry): string {
  return `${gloss} ${en.join(" ")}`;
}

/** Vectors have length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += at(a, i) * at(b, i);
  return dot;
}
