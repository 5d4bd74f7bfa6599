/**
 * Marks on one letter that are kept: more than any writing has, and as many as the Stream-Safe Text Format of Unicode
 * allows (UAX #15, section 13).
 */
const MOST_MARKS = 30;
const LONG_RUN = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");

/**
 * The text without the marks of a letter beyond the thirtieth. Normalizing takes time that grows with the square of the
 * marks in a row, seconds for ten thousand of them; after this it does not.
 */
export function boundMarks(text: string): string {
  return text.length <= MOST_MARKS ? text : text.replace(LONG_RUN, "$1");
}
