import type { KeywordHit } from "../keyword/types.ts";
import { type Fused, fusedOrder, IdFilter } from "./rrf.ts";

/**
 * Weighs the evidence that a neighbour says what is asked: its cosine, plus {@link SAID} times the share of the
 * query that its article says, plus {@link LIKENESS} times how alike an encoder finds both, plus {@link SHORT} for a
 * query of at most {@link SHORT_WORDS} words, which is never as near to a passage as a sentence is. Of the shipped
 * models; chosen on the development halves of the sets of `eval --task floor`.
 */
const SAID = 0.5;
const LIKENESS = 1.33;
const SHORT = 0.113;
const SHORT_WORDS = 2;
/** Likeness where no encoder was asked; the least and the most that it is expected to be. */
const LIKENESS_UNKNOWN = 0.25;
const LIKENESS_RANGE = { least: 0.05, most: 0.7 };
/**
 * More that it is at the least, of an article that says the whole of a query of more than {@link SHORT_WORDS} words; of
 * one that says half of it nothing more.
 */
const LIKENESS_SUPPORTED = 0.15;

/**
 * Evidence needed in an archive of one article, and so much more for each ten times as many: the nearest of more comes
 * nearer by chance.
 */
const ENOUGH = 0.53;
const TENFOLD = 0.165;

/** Neighbours count down to this share of the similarity of the nearest. */
const NEAREST_SHARE = 0.6;

/**
 * Tells of the first neighbours beside their cosine how much of the query each says, from 0 to 1, and how alike an
 * encoder finds both, where one was asked. `words`: those of the query, where any of them is known; `articles`: the
 * number that the neighbours are chosen from.
 */
export type Among = {
  supports: readonly number[];
  likeness?: readonly number[] | undefined;
  words: number | undefined;
  articles: number;
};
type Nearest<T> = Among & { hits: readonly T[] };

/**
 * Returns the neighbours, best first, that their similarity supports: none where no article among the nearest is both
 * near and says what the query asks.
 */
export function aboveFloor<T extends { score: number }>(nearest: Nearest<T>): T[] {
  const { hits, likeness } = nearest;
  if (!isSupported(nearest, (i) => likeness?.[i] ?? LIKENESS_UNKNOWN)) return [];
  const floor = NEAREST_SHARE * (hits[0]?.score ?? 0);
  const end = hits.findIndex(({ score }) => score < floor);
  return hits.slice(0, end === -1 ? hits.length : end);
}

/** Tells whether an encoder could change what {@link aboveFloor} says, of those that it was not asked of yet. */
export function isUnsure(nearest: Nearest<{ score: number }>): boolean {
  const { least, most } = LIKENESS_RANGE;
  const { likeness: known = [], supports, words = 0 } = nearest;
  const more = words > SHORT_WORDS ? LIKENESS_SUPPORTED : 0;
  const leastOf = (i: number): number => least + more * Math.max(0, 2 * (supports[i] ?? 0) - 1);
  return isSupported(nearest, (i) => known[i] ?? most) && !isSupported(nearest, (i) => known[i] ?? leastOf(i));
}

function isSupported(
  { hits, supports, words, articles }: Nearest<{ score: number }>,
  likenessOf: (place: number) => number,
): boolean {
  const enough =
    ENOUGH + TENFOLD * Math.log10(Math.max(1, articles)) - (words !== undefined && words <= SHORT_WORDS ? SHORT : 0);
  return supports.some((support, i) => {
    return (hits[i]?.score ?? 0) + SAID * support + LIKENESS * likenessOf(i) >= enough;
  });
}

/** A hit of a branch, by its score. */
type Hit = { articleId: number; score: number };

/** With fewer hits of the keyword branch there is no cut: words say too little to hold against a neighbour. */
export const FEWEST_HITS = 20;

/** Results that a reader looks at first: these are to be supported. */
const FIRST = 10;

/** Depths that are tried, beside the whole list. */
const DEPTHS = [0, 1, 2, 3, 4, 5, 7, 10, 15, 25, 50];

/**
 * Holds what the keyword score counts beside the similarity, each as a share of the branch's best, and how much the
 * best stand out from the rest.
 */
const WORDS = 0.63;
const SHARPNESS = 8;

/** A similarity so far above that of distant neighbours is support by itself, of this weight. */
const STANDS_OUT = 0.2;
const SUPPORT = 0.1;

/** Neighbours from this one on are distant: what everything has in common with the question. */
const DISTANT = 10;

/**
 * Somebody asks for a text that they have seen where the first hit of the keyword branch holds so much of the query, by
 * its words' weights, in its title or in one place of its content, and so many of the words are in any document at all.
 * Chosen on `eval --task known-item` over `ant_v1_ar`.
 */
const HELD = 0.7;
const KNOWN = 0.75;
/** So it is where the hit begins with so large a share of the words: others may be misspelt. */
const OPENING = 0.6;

/** Holds what the branches found, best first. */
type Lists = {
  keyword: readonly (Hit & Pick<KeywordHit, "matched">)[];
  vector: readonly Hit[];
  /** True when the query quotes a phrase, so that neighbours hold it too. */
  quoted?: boolean | undefined;
};

/**
 * Counts how many of the nearest neighbours count as hits beside those of the keyword branch. Everything is somehow
 * near; and under reciprocal rank fusion a document of both lists outranks each that is in one, however weak it is
 * there. Hence the list of neighbours is cut at the depth (of {@link DEPTHS}) at which the first ten of the fused list
 * are supported best by the scores of both branches, each place weighed as nDCG does. The nearest ones, down to the
 * first that the keyword branch found too, always count: words say nothing about them, as between languages. Where
 * somebody asks for a text that they have seen, only so many neighbours count that the hits of the keyword branch among
 * the first ten are its first ones, in their order. So it is where the query quotes a phrase and all neighbours are
 * hits by their words, too, however few: no hit is lost then. The constants were chosen by `bun run eval --task hybrid`
 * and on sentences with their translations, the same for all sets.
 */
export function supportedNeighbours({ keyword, vector, quoted }: Lists, k: number): number {
  const few = keyword.length < FEWEST_HITS;
  if (few && !quoted) return vector.length;
  const ranks = keywordRanks(keyword, vector);
  const isQuoted = quoted === true && !ranks.includes(null);
  if (few && !isQuoted) return vector.length;
  const fusedTo = firstFused({ keyword, vector }, ranks, k);
  const depths = [...DEPTHS.filter((each) => each < vector.length), vector.length];
  const supported = few ? vector.length : supportedDepth({ keyword, vector }, { ranks, fusedTo, depths });
  if (!isQuoted && !isSeen(keyword[0]?.matched)) return supported;
  const tried = [...depths.filter((depth) => depth < supported), supported];
  return tried.findLast((depth) => isInOrder(fusedTo(depth))) ?? 0;
}

/** The depth at which the first of the fused list are supported best, or down to the first that both branches found. */
function supportedDepth(
  { keyword, vector }: Lists,
  {
    ranks,
    fusedTo,
    depths,
  }: { ranks: readonly (number | null)[]; fusedTo: (depth: number) => Supported[]; depths: readonly number[] },
): number {
  const support = supportOf(keyword, vector);
  let best = { depth: 0, support: Number.NEGATIVE_INFINITY };
  for (const depth of depths) {
    const sum = fusedTo(depth).reduce((total, hit, place) => total + support(hit) / Math.log2(place + 2), 0);
    if (sum > best.support) best = { depth, support: sum };
  }
  const agreed = ranks.findIndex((rank) => rank !== null);
  return Math.max(best.depth, agreed === -1 ? vector.length : agreed);
}

function isSeen(matched: KeywordHit["matched"]): boolean {
  if (matched === undefined) return false;
  const { title, passage, opening, known } = matched;
  return opening >= OPENING || (known >= KNOWN && Math.max(title, passage) >= HELD);
}

/** Tells whether those that the keyword branch found are its first, in their order. */
function isInOrder(fused: readonly Fused[]): boolean {
  const ranks = fused.flatMap(({ keywordRank }) => keywordRank ?? []);
  return ranks.every((rank, i) => rank === i + 1);
}

/** The keyword rank of each neighbour, from 1; null where the keyword branch did not find it. */
function keywordRanks(keyword: readonly Hit[], vector: readonly Hit[]): (number | null)[] {
  const neighbours = new IdFilter();
  for (const { articleId } of vector) neighbours.add(articleId);
  const ranks = new Map<number, number>();
  keyword.forEach(({ articleId }, i) => {
    if (neighbours.mayHold(articleId)) ranks.set(articleId, i + 1);
  });
  return vector.map(({ articleId }) => ranks.get(articleId) ?? null);
}

/** A document of the fused list with its similarity; one that is no neighbour has that of the last of them. */
type Supported = Fused & { similarity: number };

/** Tells how well the scores of both branches support a document. */
function supportOf(keyword: readonly Hit[], vector: readonly Hit[]): (hit: Supported) => number {
  const best = keyword[0]?.score || 1;
  const nearest = vector[0]?.score || 1;
  const distant = vector.slice(DISTANT);
  const common = distant.reduce((sum, { score }) => sum + score, 0) / Math.max(1, distant.length);
  return ({ keywordRank, similarity }) => {
    const words = keyword[(keywordRank ?? 0) - 1]?.score ?? 0;
    const both = (WORDS * words) / best + ((1 - WORDS) * similarity) / nearest;
    return Math.max(0, both) ** SHARPNESS + (similarity - common >= STANDS_OUT ? SUPPORT : 0);
  };
}

/**
 * Gives the first documents of the list that is fused with so many neighbours: none of the others of the keyword branch
 * can be among them. `ranks` are those of the neighbours in the keyword branch.
 */
function firstFused(
  { keyword, vector }: Pick<Lists, "keyword" | "vector">,
  ranks: readonly (number | null)[],
  k: number,
): (depth: number) => Supported[] {
  const last = vector.at(-1)?.score ?? 0;
  /**
   * Holds what the first of the keyword branch are where they are no neighbours, and as which neighbour each is one.
   */
  const alone = keyword.slice(0, FIRST).map(({ articleId }, i) => {
    const hit = { articleId, keywordRank: i + 1, vectorRank: null, score: 1 / (k + i + 1), similarity: last };
    return { hit, neighbour: Infinity };
  });
  const neighbours = vector.map(({ articleId, score: similarity }, i) => {
    const keywordRank = ranks[i] ?? null;
    const first = keywordRank === null ? undefined : alone[keywordRank - 1];
    if (first !== undefined) {
      first.neighbour = i + 1;
      first.hit.similarity = similarity;
    }
    const score = 1 / (k + i + 1) + (keywordRank === null ? 0 : 1 / (k + keywordRank));
    return { articleId, keywordRank, vectorRank: i + 1, score, similarity };
  });
  neighbours.sort(fusedOrder);
  return (depth) => {
    const first: Supported[] = alone.flatMap(({ hit, neighbour }) => (neighbour > depth ? hit : []));
    let count = 0;
    for (const hit of neighbours) {
      if (hit.vectorRank > depth) continue;
      first.push(hit);
      if (++count === FIRST) break;
    }
    return first.sort(fusedOrder).slice(0, FIRST);
  };
}
