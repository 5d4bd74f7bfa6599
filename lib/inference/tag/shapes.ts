const ARABIC = /(?=\p{Script=Arabic})\p{L}/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
const UPPER = /\p{Lu}|\p{Lt}/u;
const LOWER = /\p{Ll}/u;
const INNER = /[\p{L}\p{N}][-.'\u2019&_/:][\p{L}\p{N}]/u;

const SIGN = 0;
const NUMBER = 1;
const ARABIC_WORD = 2;
const LOWERCASE = 3;
const TITLE = 4;
const INITIAL = 5;
const CAPITALS = 6;
const MIXED = 7;
const CASELESS = 8;

/** What a token's letters are like: one of nine classes. */
export function caseOf(token: string): number {
  const bare = token.replace(/^[@#]+/, "");
  if (!LETTER.test(bare)) return DIGIT.test(bare) ? NUMBER : SIGN;
  if (ARABIC.test(bare)) return ARABIC_WORD;
  let upper = 0;
  let lower = 0;
  let upperFirst = false;
  for (const character of bare) {
    if (UPPER.test(character)) {
      if (upper + lower === 0) upperFirst = true;
      upper++;
    } else if (LOWER.test(character)) lower++;
  }
  if (upper + lower === 0) return CASELESS;
  if (upper === 0) return LOWERCASE;
  if (lower === 0) return upper === 1 ? INITIAL : CAPITALS;
  return upper === 1 && upperFirst ? TITLE : MIXED;
}

/** The shape of one token without its sentence: letters, `@` or `#` before it, digits, signs within. */
export function shapeOf(token: string): number {
  const mark = token.length < 2 ? 0 : token.startsWith("@") ? 1 : token.startsWith("#") ? 2 : 0;
  const digit = DIGIT.test(token) ? 1 : 0;
  const inner = INNER.test(token) ? 1 : 0;
  return ((caseOf(token) * 3 + mark) * 2 + digit) * 2 + inner;
}

/** The rows of the shape table for the tokens of a sentence: each one's shape, with how the sentence as a whole is written. */
export function shapeRows(shapes: readonly number[]): number[] {
  let cased = 0;
  let lower = 0;
  let capitals = 0;
  for (const shape of shapes) {
    const kind = Math.floor(shape / 12);
    if (kind < LOWERCASE || kind > MIXED) continue;
    cased++;
    if (kind === LOWERCASE) lower++;
    else if (kind === CAPITALS) capitals++;
  }
  let whole = 0;
  if (cased > 2) {
    if (lower === 0 && capitals * 2 > cased) whole = 1;
    else if (lower === cased) whole = 2;
  }
  return shapes.map((shape) => shape * 3 + whole);
}
