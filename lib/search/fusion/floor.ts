/**
 * The least that the cosine of a neighbour and {@link SUPPORT} times the share of the query that its article says are
 * together, among {@link OF_ARTICLES} articles; so much more for each ten times as many, since the nearest of more
 * comes nearer by chance. Of the shipped model; chosen on the development half of the questions of `eval --task floor`.
 */
const ENOUGH = 0.58;
const TENFOLD = 0.07;
const OF_ARTICLES = 1000;
const SUPPORT = 0.4;
/**
 * In an archive of fewer articles the bar falls by so much for each tenth of them: where little is there, what is meant
 * in other words ("stolen antiquities" for looted bronzes, .30 among 50 articles) counts for more than a foreign
 * question that finds a neighbour. Nonsense stays below {@link LEAST}.
 */
const FEW_ARTICLES = 200;
const TENFOLD_AMONG_FEW = 0.4;
/** The least cosine, whatever the article says. */
const LEAST = 0.2;

/** Neighbours count down to this share of the similarity of the nearest. */
const NEAREST_SHARE = 0.6;

/** Neighbours with how much of the query each of the first says, from 0 to 1, and the articles they are chosen from. */
type Nearest<T> = { hits: readonly T[]; supports: readonly number[]; articles: number };

/** Returns the bar among so many articles. */
function barAmong(articles: number): number {
  const many = Math.max(articles, FEW_ARTICLES);
  const few = Math.min(Math.max(1, articles), FEW_ARTICLES);
  return ENOUGH + TENFOLD * Math.log10(many / OF_ARTICLES) + TENFOLD_AMONG_FEW * Math.log10(few / FEW_ARTICLES);
}

/**
 * Returns the neighbours, best first, that their similarity supports: none where no article among the nearest is both
 * near and says what the query asks.
 */
export function aboveFloor<T extends { score: number }>({ hits, supports, articles }: Nearest<T>): T[] {
  const least = barAmong(articles);
  const isSupported = supports.some((support, i) => {
    const score = hits[i]?.score ?? 0;
    return score >= LEAST && score + SUPPORT * support >= least;
  });
  if (!isSupported) return [];
  const floor = NEAREST_SHARE * (hits[0]?.score ?? 0);
  const end = hits.findIndex(({ score }) => score < floor);
  return hits.slice(0, end === -1 ? hits.length : end);
}
