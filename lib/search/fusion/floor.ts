/**
 * Weighs the evidence that a neighbour says what is asked: its cosine, plus {@link SUPPORT} times the share of the
 * query that its article says, plus {@link LIKENESS} times how alike an encoder finds both, plus {@link SHORT} for a
 * query of at most {@link SHORT_WORDS} words, which is never as near to a passage as a sentence is. Of the shipped
 * models; chosen on the development halves of the sets of `eval --task floor`.
 */
const SUPPORT = 0.5;
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
    return (hits[i]?.score ?? 0) + SUPPORT * support + LIKENESS * likenessOf(i) >= enough;
  });
}
