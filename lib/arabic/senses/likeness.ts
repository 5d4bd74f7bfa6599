import type { SenseEntry } from "../../contract/mod.ts";
import type { Embedder } from "../../models/mod.ts";
import { at } from "../../std/mod.ts";

/** Texts that are embedded in one call. */
const BATCH = 64;

/** Senses whose vectors are kept between calls. */
const REMEMBERED = 20_000;

/** The words around one whose senses are asked for. */
export type InContext = { context: string; senses: readonly SenseEntry[] };

/**
 * Makes a function that says how like each sense of each word is to the words around it: the cosine of the context and
 * the gloss with the English equivalents (Basile, Caputo and Semeraro, "An Enhanced Lesk Word Sense Disambiguation
 * Algorithm through a Distributional Semantic Model", 2014). Vectors of senses are kept once made.
 */
export function createLikeness(
  embedder: Pick<Embedder, "embed">,
): (words: readonly InContext[], signal?: AbortSignal) => Promise<number[][]> {
  const known = new Map<string, Float32Array>();

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const made: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      made.push(...(await embedder.embed(texts.slice(start, start + BATCH), "passage", signal)));
    }
    return made;
  }

  return async (words, signal) => {
    if (known.size > REMEMBERED) known.clear();
    const fresh = [...new Set(words.flatMap(({ senses }) => senses))].filter(({ id }) => !known.has(id));
    const made = await embed(
      fresh.map(({ gloss, en }) => `${gloss} ${en.join(" ")}`),
      signal,
    );
    for (const [place, { id }] of fresh.entries()) known.set(id, at(made, place));
    const contexts = await embed(
      words.map(({ context }) => context),
      signal,
    );
    return words.map(({ senses }, place) => senses.map(({ id }) => cosine(at(contexts, place), known.get(id))));
  };
}

/** Of vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array | undefined): number {
  let dot = 0;
  if (b !== undefined) for (let i = 0; i < a.length; i++) dot += at(a, i) * at(b, i);
  return dot;
}
