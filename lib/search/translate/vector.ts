import { abortable } from "../../std/mod.ts";

/** The vector of a query, of length 1. */
type Embed = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/** Vectors of texts, in order, each of length 1. */
type EmbedAll = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** What the vector of a query's translation counts beside that of the query; chosen on `eval --task cross`. */
const SHARE = 1;
/** How long a translation is waited for, in milliseconds: it is a help, and what gives it may be away. */
const TRANSLATION_MS = 2_000;

/**
 * Embeds queries, each moved towards its translation into the other language of the documents. Where `translation` says
 * nothing, fails, or takes too long, the vector is that of the query alone.
 */
export function embedAcross(
  embed: EmbedAll,
  translation: (text: string) => Promise<string>,
  { translationMs = TRANSLATION_MS }: { translationMs?: number } = {},
): Embed {
  return async (text, signal) => {
    const words = await abortable(translation(text), AbortSignal.timeout(translationMs)).catch(() => "");
    const [own, translated] = await embed(words === "" ? [text] : [text, words], signal);
    if (own === undefined) throw new Error("the embedder returned no vector");
    return translated === undefined ? own : towards(own, translated);
  };
}

function towards(query: Float32Array, translation: Float32Array): Float32Array {
  const sum = new Float32Array(query.length);
  let squares = 0;
  // Loops take a twentieth of what map() and the spread arguments of Math.hypot() take.
  for (let i = 0; i < sum.length; i++) {
    const value = Math.fround((query[i] ?? 0) + SHARE * (translation[i] ?? 0));
    sum[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0) return query;
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length;
  return sum;
}
