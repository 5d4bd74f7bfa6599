/** Whether the word from `start` to `end` of a text can have one of the stems that were given. */
export type LikelyWord = (text: string, start: number, end: number) => boolean;

/**
 * A cheap test whether a word of a text can be a form of a word with one of these stems; those with other than plain
 * letters always can. An Arabic word must have the firm letters of a stem, all of them and no others; other words must
 * begin with the first two letters of one.
 */
export function likelyWords(stems: readonly string[]): LikelyWord {
  const arabic = likelyArabic(stems.filter((stem) => /^\p{Script=Arabic}/u.test(stem)));
  const others = likelyByPair(stems);
  return (text, start, end) => {
    const code = text.charCodeAt(start);
    return isArabic(code) ? arabic(text, start, end) : others(text, start, end);
  };
}

/**
 * The letters that no affix, clitic, weak root or assimilation adds, drops or changes: all forms of a word have the
 * same ones (in 8 million words of news, those of all lemmas but a few foreign names). Letters of one group are written
 * for each other in foreign words.
 */
const FIRM = ["ث", "جغ", "ح", "خ", "ر", "ز", "ش", "ص", "ض", "ظ", "ع", "ق"];

/** The bit of each letter from U+0600 on: 0 for letters that are not firm, and for marks; `ODD` for all others. */
const ODD = 1 << FIRM.length;
const BITS = new Uint16Array(0x100).fill(ODD);
for (let c = 0x621; c <= 0x652; c++) if (c <= 0x63a || c >= 0x640) BITS[c - 0x600] = 0;
FIRM.forEach((letters, i) => {
  for (const letter of letters) BITS[letter.charCodeAt(0) - 0x600] = 1 << i;
});

/** The firm letters of a word as bits, and whether it has others than plain ones. */
function firmLetters(text: string, start: number, end: number): number {
  let bits = 0;
  for (let i = start; i < end; i++) bits |= BITS[text.charCodeAt(i) - 0x600] ?? ODD;
  return bits;
}

function likelyArabic(stems: readonly string[]): LikelyWord {
  if (stems.length === 0) return () => false;
  const sought = new Uint8Array(2 * ODD).fill(1, ODD);
  for (const stem of stems) {
    const letters = firmLetters(stem, 0, stem.length);
    if (letters >= ODD) return () => true;
    sought[letters] = 1;
  }
  return (text, start, end) => sought[firmLetters(text, start, end)] === 1;
}

/** Whether a character is a letter of Arabic, or one of its marks. */
function isArabic(code: number): boolean {
  return code >= 0x620 && code <= 0x652;
}

/**
 * The places, from 1, of the letters other than Arabic ones that normal forms change one by one, by the letters that
 * they become; 0 for those that change otherwise.
 */
const LATIN_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const PLACES = new Uint8Array(0x80);
for (const [i, letter] of [...LATIN_LETTERS].entries()) {
  PLACES[letter.charCodeAt(0)] = PLACES[letter.toUpperCase().charCodeAt(0)] = i + 1;
}
const PLACE_COUNT = LATIN_LETTERS.length + 1;

function likelyByPair(stems: readonly string[]): LikelyWord {
  const pairs = new Uint8Array(PLACE_COUNT * PLACE_COUNT);
  const add = (first: number, second: number): void => {
    const [before = 0, place = 0] = [PLACES[first], PLACES[second]];
    if (before !== 0 && place !== 0) pairs[before * PLACE_COUNT + place] = 1;
  };
  for (const stem of stems) {
    if (stem.length < 2) return () => true;
    add(stem.charCodeAt(0), stem.charCodeAt(1));
    // English stems may have i for y.
    if (stem[1] === "i") add(stem.charCodeAt(0), 0x79);
  }
  return (text, start, end) => {
    const first = PLACES[text.charCodeAt(start)] ?? 0;
    const second = PLACES[text.charCodeAt(start + 1)] ?? 0;
    if (end - start > 1 && pairs[first * PLACE_COUNT + second] === 1) return true;
    for (let i = start; i < end; i++) if ((PLACES[text.charCodeAt(i)] ?? 0) === 0) return true;
    return false;
  };
}
