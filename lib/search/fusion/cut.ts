import { type Fused, fusedOrder } from "./rrf.ts";

/** A hit of a branch, by its score. */
type Hit = { articleId: number; score: number };

/** With fewer hits of the keyword branch there is no cut: words say too little to hold against a neighbour. */
export const FEWEST_HITS = 20;

/** Results that a reader looks at first: these are to be supported. */
const FIRST = 10;

/** Depths that are tried, beside the whole list. */
const DEPTHS = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25, 50];

/**
 * What the keyword score counts beside the similarity, each as a share of the branch's best, and how much the best
 * stand out from the rest.
 */
const WORDS = 0.63;
const SHARPNESS = 8;

/** A similarity so far above that of distant neighbours is support by itself, of this weight. */
const STANDS_OUT = 0.2;
const SUPPORT = 0.1;

/** Neighbours from this one on are distant: what everything has in common with the question. */
const DISTANT = 10;

/** What the branches found, best first; `titled`: the title of the first of `keyword` holds every word asked for. */
type Lists = { keyword: readonly Hit[]; vector: readonly Hit[]; titled: boolean };

/**
 * How many of the nearest neighbours count as hits beside those of the keyword branch. Everything is somehow near; and
 * under reciprocal rank fusion a document of both lists outranks each that is in one, however weak it is there. Hence
 * the list of neighbours is cut at the depth (of {@link DEPTHS}) at which the first ten of the fused list are
 * supported best by the scores of both branches, each place weighed as nDCG does. The nearest ones, down to the first
 * that the keyword branch found too, always count: words say nothing about them, as between languages. Where `titled`,
 * somebody asks for that article: only so many neighbours count that it stays the first. The constants were chosen by
 * `bun run eval --task hybrid` and on sentences with their translations, the same for all sets.
 */
export function supportedNeighbours({ keyword, vector, titled }: Lists, k: number): number {
  if (keyword.length < FEWEST_HITS) return vector.length;
  const ranks = new Map(keyword.map(({ articleId }, i) => [articleId, i + 1]));
  const support = supportOf(keyword, vector, ranks);
  const depths = [...DEPTHS.filter((each) => each < vector.length), vector.length];
  const found = vector.findIndex(({ articleId }) => ranks.has(articleId));
  let best = { depth: 0, support: Number.NEGATIVE_INFINITY };
  for (const depth of depths) {
    const sum = firstFused(keyword, vector.slice(0, depth), ranks, k).reduce(
      (total, { articleId }, place) => total + support(articleId) / Math.log2(place + 2),
      0,
    );
    if (sum > best.support) best = { depth, support: sum };
  }
  const supported = Math.min(vector.length, Math.max(best.depth, found === -1 ? vector.length : found));
  if (!titled) return supported;
  const staysFirst = (depth: number) =>
    firstFused(keyword, vector.slice(0, depth), ranks, k)[0]?.articleId === keyword[0]?.articleId;
  return (
    [...depths, supported]
      .filter((depth) => depth <= supported)
      .sort((a, b) => b - a)
      .find(staysFirst) ?? 0
  );
}

/** How well the scores of both branches support a document. One that is no neighbour counts as the last of them. */
function supportOf(
  keyword: readonly Hit[],
  vector: readonly Hit[],
  ranks: ReadonlyMap<number, number>,
): (articleId: number) => number {
  const best = keyword[0]?.score || 1;
  const nearest = vector[0]?.score || 1;
  const last = vector.at(-1)?.score ?? 0;
  const distant = vector.slice(DISTANT);
  const common = distant.reduce((sum, { score }) => sum + score, 0) / Math.max(1, distant.length);
  const similarities = new Map(vector.map(({ articleId, score }) => [articleId, score]));
  return (articleId) => {
    const similarity = similarities.get(articleId) ?? last;
    const words = keyword[(ranks.get(articleId) ?? 0) - 1]?.score ?? 0;
    const both = (WORDS * words) / best + ((1 - WORDS) * similarity) / nearest;
    return Math.max(0, both) ** SHARPNESS + (similarity - common >= STANDS_OUT ? SUPPORT : 0);
  };
}

/** The first documents of the fused list: none of the others of the keyword branch can be among them. */
function firstFused(
  keyword: readonly Hit[],
  vector: readonly Hit[],
  ranks: ReadonlyMap<number, number>,
  k: number,
): Fused[] {
  const fused = new Map<number, Fused>();
  keyword.slice(0, FIRST).forEach(({ articleId }, i) => {
    fused.set(articleId, { articleId, keywordRank: i + 1, vectorRank: null, score: 1 / (k + i + 1) });
  });
  vector.forEach(({ articleId }, i) => {
    const keywordRank = ranks.get(articleId) ?? null;
    const score = 1 / (k + i + 1) + (keywordRank === null ? 0 : 1 / (k + keywordRank));
    fused.set(articleId, { articleId, keywordRank, vectorRank: i + 1, score });
  });
  return [...fused.values()].sort(fusedOrder).slice(0, FIRST);
}
