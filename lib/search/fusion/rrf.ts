import { at } from "../../std/mod.ts";

/** Says how many kinds of ids are told apart, by their lowest bits. */
const KINDS = 1 << 14;

/**
 * A test whether an id, a whole number, may be one of those that were added: few others pass it. It takes a fraction of
 * a lookup in a set, and most of a long list of ids are looked for in vain.
 */
export class IdFilter {
  readonly #kinds = new Uint8Array(KINDS);

  add(id: number): void {
    this.#kinds[id & (KINDS - 1)] = 1;
  }

  /** Never false for an id that was added. */
  mayHold(id: number): boolean {
    return this.#kinds[id & (KINDS - 1)] === 1;
  }
}

/** A document of the fused list. Ranks count from 1 and are null where the branch did not find it. */
export type Fused = {
  articleId: number;
  keywordRank: number | null;
  vectorRank: number | null;
  /** Sum over the branches of 1 / (k + rank). */
  score: number;
};

/** A list of which parts are made as they are asked for, from one place, counted from its beginning, to another. */
export type Ranked<T> = { readonly length: number; slice(from?: number, to?: number): T[] };

/** As {@link rankByReciprocalRanks}, the whole list. */
export function reciprocalRankFusion(keyword: readonly number[], vector: readonly number[], k: number): Fused[] {
  return rankByReciprocalRanks(keyword, vector, k).slice();
}

/**
 * Reciprocal rank fusion of two ranked lists of ids, best first (Cormack, Clarke and Büttcher, SIGIR 2009). Equal
 * scores are ordered by the better single rank, then by keyword rank. No further rule is needed: a keyword rank belongs
 * to one document, and two documents without one that have equal scores would share a vector rank.
 */
export function rankByReciprocalRanks(keyword: readonly number[], vector: readonly number[], k: number): Ranked<Fused> {
  const near = new Map<number, Fused>();
  const neighbours = new IdFilter();
  vector.forEach((articleId, i) => {
    if (near.has(articleId)) return;
    near.set(articleId, { articleId, keywordRank: null, vectorRank: i + 1, score: 1 / (k + i + 1) });
    neighbours.add(articleId);
  });
  /** The keyword ranks of those that are no neighbours. */
  const alone: number[] = [];
  const before = new IdFilter();
  keyword.forEach((articleId, i) => {
    const hit = neighbours.mayHold(articleId) ? near.get(articleId) : undefined;
    if (hit === undefined) {
      if (before.mayHold(articleId) && keyword.indexOf(articleId) < i) return;
      before.add(articleId);
      alone.push(i + 1);
    } else if (hit.keywordRank === null) {
      hit.keywordRank = i + 1;
      hit.score += 1 / (k + i + 1);
    }
  });
  const hitAt = (rank: number): Fused => {
    return { articleId: at(keyword, rank - 1), keywordRank: rank, vectorRank: null, score: 1 / (k + rank) };
  };
  const neighboursInOrder = [...near.values()].sort(fusedOrder);
  const length = near.size + alone.length;
  return {
    length,
    slice: (from = 0, to = length) =>
      merged(neighboursInOrder, alone, { k, to: Math.min(to, length) })
        .slice(from)
        .map((each) => (typeof each === "number" ? hitAt(each) : each)),
  };
}

/**
 * The first `to` of one list of two that are in the order of a fused list; what only the keyword branch found is given
 * by its rank.
 */
function merged(
  near: readonly Fused[],
  alone: readonly number[],
  { k, to }: { k: number; to: number },
): (Fused | number)[] {
  const both: (Fused | number)[] = [];
  for (let i = 0, j = 0; both.length < to; ) {
    const hit = near[i];
    const rank = alone[j];
    if (rank !== undefined && (hit === undefined || precedes(rank, hit, k))) {
      both.push(rank);
      j++;
    } else if (hit !== undefined) {
      both.push(hit);
      i++;
    }
  }
  return both;
}

/** Tells whether what only the keyword branch found, at this rank, is before a neighbour; see {@link fusedOrder}. */
function precedes(rank: number, hit: Fused, k: number): boolean {
  return (above(hit.score, 1 / (k + rank)) || rank - bestRank(hit) || rank - (hit.keywordRank ?? Infinity)) < 0;
}

/** The order of a fused list. */
export function fusedOrder(a: Fused, b: Fused): number {
  return (
    above(b.score, a.score) || bestRank(a) - bestRank(b) || (a.keywordRank ?? Infinity) - (b.keywordRank ?? Infinity)
  );
}

/**
 * Sums of reciprocals that are equal as fractions may differ by rounding, 1/63 + 1/140 from 1/84 + 1/90 for one. With k
 * and ranks up to 1,000 those that are not differ by 1/2000⁴ at the least.
 */
const LEVEL = 1e-14;

/** Tells how far a score is above another one; 0 for equal ones. */
function above(score: number, other: number): number {
  const difference = score - other;
  return Math.abs(difference) < LEVEL ? 0 : difference;
}

function bestRank({ keywordRank, vectorRank }: Fused): number {
  return Math.min(keywordRank ?? Infinity, vectorRank ?? Infinity);
}
