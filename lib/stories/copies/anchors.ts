/** One run of words in so many is an anchor, chosen by its hash: two texts choose the same ones of what they share. */
const SAMPLED = 4;
const LIMIT = 2 ** 32 / SAMPLED;

/** Returns whether a run of words, by its hash, is an anchor. */
export const isAnchor = (run: number): boolean => run >>> 0 < LIMIT;

/** Anchors of a text at most; of a longer one those with the lowest hashes, which others choose, too. */
export const MAX_ANCHORS = 256;

/**
 * Returns the anchors of a text out of the hashes of its runs, each once: those by which it is found. Any stretch of 16
 * runs that two texts of usual length share has a common anchor in 99 of 100 cases.
 */
export function anchorsOf(runs: Int32Array): Int32Array {
  const sampled = new Set<number>();
  for (const run of runs) if (isAnchor(run)) sampled.add(run);
  const lowest = [...sampled].sort((a, b) => (a >>> 0) - (b >>> 0));
  return Int32Array.from(lowest.slice(0, MAX_ANCHORS));
}
