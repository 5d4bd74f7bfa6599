/**
 * The least that the cosine of a neighbour and {@link SUPPORT} times the share of the query that its article says are
 * together, among {@link OF_ARTICLES} articles; so much more for each ten times as many, since the nearest of more
 * comes nearer by chance. Of the shipped model; chosen on the development half of the questions of `eval --task floor`.
 */
const ENOUGH = 0.58;
const TENFOLD = 0.07;
const OF_ARTICLES = 1000;
const SUPPORT = 0.4;
/** The least cosine, whatever the article says. */
const LEAST = 0.2;

/** Neighbours count down to this share of the similarity of the nearest. */
const NEAREST_SHARE = 0.6;

/** Neighbours with how much of the query each of the first says, from 0 to 1, and the articles they are chosen from. */
type Nearest<T> = { hits: readonly T[]; supports: readonly number[]; articles: number };

/**
 * Returns the neighbours, best first, that their similarity supports: none where no article among the nearest is both
 * near and says what the query asks.
 */
export function aboveFloor<T extends { score: number }>({ hits, supports, articles }: Nearest<T>): T[] {
  const least = ENOUGH + TENFOLD * Math.log10(Math.max(1, articles) / OF_ARTICLES);
  const isSupported = supports.some((support, i) => {
    const score = hits[i]?.score ?? 0;
    return score >= LEAST && score + SUPPORT * support >= least;
  });
  if (!isSupported) return [];
  const floor = NEAREST_SHARE * (hits[0]?.score ?? 0);
  const end = hits.findIndex(({ score }) => score < floor);
  return hits.slice(0, end === -1 ? hits.length : end);
}
