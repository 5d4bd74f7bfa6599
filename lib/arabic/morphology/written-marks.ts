/** The marks that are written on each letter of a word; tatweel and the small alef are no letters. */
function lettersWithMarks(word: string): { letter: string; marks: string }[] {
  const letters: { letter: string; marks: string }[] = [];
  for (const sign of word) {
    if (sign === "\u0640") continue;
    const last = letters.at(-1);
    if (!/\p{M}/u.test(sign)) letters.push({ letter: sign, marks: "" });
    else if (last !== undefined) last.marks += sign;
  }
  return letters;
}

/** Whether a word has vowels, sukun or shadda written. */
export function hasMarks(word: string): boolean {
  return /[\u064e-\u0652]/u.test(word);
}

const VOWEL = /[\u064e-\u0650]/u;
const [SHADDA, SUKUN] = ["\u0651", "\u0652"];
const AFTER_ARTICLE = /[تثدذرزسشصضطظلن]/u;
const PERSON = /[يتنأ]/u;

/** A reading with its vowels, in Arabic script: what stands before the stem, the stem, and what stands behind it. */
export type VowelledParts = { prefix: string; stem: string; ending: string; isVerb: boolean };

/**
 * Whether the marks of a word say that a reading is not meant: another vowel, sukun or shadda on a letter of the stem,
 * or on the person of a verb. What is not written says nothing, nor does the vowel of the stem's last letter, which
 * goes with case and mood.
 */
export function isContradicted(word: string, { prefix, stem, ending, isVerb }: VowelledParts): boolean {
  const written = lettersWithMarks(word);
  const [before, own, behind] = [prefix, stem, ending].map(lettersWithMarks);
  if (before === undefined || own === undefined || behind === undefined) return false;
  const read = [...before, ...own, ...behind];
  if (written.length !== read.length) return false;
  const last = before.length + own.length - 1;
  return written.some(({ letter, marks }, place) => {
    if (place > last || (place < before.length && !(isVerb && PERSON.test(letter)))) return false;
    const other = read[place]?.marks ?? "";
    const assimilated = place === before.length && before.at(-1)?.letter === "ل" && AFTER_ARTICLE.test(letter);
    if (marks.includes(SHADDA) && !other.includes(SHADDA) && !assimilated) return true;
    const [vowel, lexical] = [marks, other].map((each) => VOWEL.exec(each)?.[0]);
    if (place === last || lexical === undefined) return false;
    return vowel === undefined ? marks.includes(SUKUN) : vowel !== lexical;
  });
}
