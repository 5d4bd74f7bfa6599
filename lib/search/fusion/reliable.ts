import type { KeywordHit } from "../keyword/types.ts";

/** A hit of the keyword branch with this share of its best score, among its first {@link FIRST}, answers the query well by word. */
const STRONG = 0.72;
const FIRST = 10;
/** The keyword branch is undecided when its second hit has this share of its best score. */
const UNDECIDED = 0.72;
/** The vector branch is decided when its eleventh hit is at most this share as alike as its best: in a flat list everything is near. */
const DECIDED = 0.75;
const BEYOND = 10;
/** The branches disagree when the keyword branch's best hit is less alike to the query than this share of the best. */
const AGREES = 0.8;
/** A decided vector branch is sure when its best hit is this alike to the query (a cosine); then hits of this share of it count. */
const ALIKE = 0.65;
const NEAR = 0.75;

/**
 * The hits of the vector branch that count in the fusion with the keyword branch. Under reciprocal rank fusion a hit of both lists outranks
 * every hit of one, however weak it is there, so that a weak branch drags a strong one down. Hence a hit that the keyword branch found
 * too counts only where it is strong there, and one that it did not find only where it is at least as near in meaning as the strong
 * ones. Where the vector branch is sure, its nearest hits count too, and where the keyword branch is undecided and the vector
 * branch is decided, and for another hit, all its hits do. Most bounds are shares of the query's own best scores; all were chosen by
 * `bun run eval --task hybrid`, the same for all sets.
 */
export function reliableVectorHits<T extends { articleId: number; score: number }>(
  keyword: readonly KeywordHit[],
  vector: readonly T[],
): readonly T[] {
  const [best, second] = keyword;
  const [nearest] = vector;
  if (best === undefined || nearest === undefined) return vector;
  const likeness = new Map(vector.map(({ articleId, score }) => [articleId, score]));
  const undecided = (second?.score ?? 0) >= UNDECIDED * best.score;
  const decided = (vector[BEYOND]?.score ?? 0) <= DECIDED * nearest.score;
  const disagree = (likeness.get(best.articleId) ?? 0) < AGREES * nearest.score;
  if (undecided && decided && disagree) return vector;
  const found = new Set(keyword.map(({ articleId }) => articleId));
  const strong = new Set(
    keyword
      .slice(0, FIRST)
      .filter(({ score }) => score >= STRONG * best.score)
      .map(({ articleId }) => articleId),
  );
  const sure = decided && nearest.score >= ALIKE;
  const near = Math.max(...[...strong].map((articleId) => likeness.get(articleId) ?? 0));
  return vector.filter(({ articleId, score }) => {
    if (sure && score >= NEAR * nearest.score) return true;
    return found.has(articleId) ? strong.has(articleId) : score >= near;
  });
}
