/** How many keys there are to an article's number: 20 bits of its uuid. */
const KEYS_PER_NUMBER = 2 ** 20;

/** The digits of a uuid that go into a key: 20 bits of its random part. */
const DIGITS = 5;

/**
 * Returns the key under which every index holds an article: its number and the end of its uuid. A number is given out
 * again where a database went back in time; a key is not, but for one of a million such articles. Keys are whole, below
 * 2⁵³, and in the order of numbers.
 */
export function articleKey(articleId: number, docId: string): number {
  return articleId * KEYS_PER_NUMBER + Number.parseInt(docId.slice(-DIGITS), 16);
}

/** Returns the lowest and the highest key that an article of a number can have. */
export function keysOfNumber(articleId: number): { first: number; last: number } {
  return { first: articleId * KEYS_PER_NUMBER, last: (articleId + 1) * KEYS_PER_NUMBER - 1 };
}

/** Returns the number of the article that a key is of. */
export function articleIdOfKey(key: number): number {
  return Math.floor(key / KEYS_PER_NUMBER);
}
