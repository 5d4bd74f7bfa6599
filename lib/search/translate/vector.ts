/** A vector of a text, of length 1. */
type Embed = (text: string, signal: AbortSignal) => Promise<Float32Array>;

/** What the vector of a query's translation counts beside that of the query; chosen on `eval --task cross`. */
const SHARE = 0.5;

/**
 * Embeds queries, each moved towards its translation into the other language of the documents. Where `translation` says
 * nothing, or fails, the vector is that of the query alone.
 */
export function embedAcross(embed: Embed, translation: (text: string) => Promise<string>): Embed {
  return async (text, signal) => {
    const translated = translation(text).catch(() => "");
    const own = await embed(text, signal);
    const words = await translated;
    return words === "" ? own : towards(own, await embed(words, signal));
  };
}

function towards(query: Float32Array, translation: Float32Array): Float32Array {
  const sum = query.map((value, i) => value + SHARE * (translation[i] ?? 0));
  const length = Math.hypot(...sum);
  return length === 0 ? query : sum.map((value) => value / length);
}
