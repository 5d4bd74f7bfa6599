import { boundMarks } from "../../std/mod.ts";
import { normalForm, UNSEEN } from "../../text/mod.ts";

const PLAIN = /^[\u0621-\u063a\u0641-\u064a]*$/;
const ALL_UNSEEN = new RegExp(UNSEEN.source, "g");

/**
 * Returns a word in the form in which words and lemmas are compared: without vowels, letters folded; itself if nothing
 * stays.
 */
export function bareForm(word: string): string {
  return normalForm(word.replaceAll("`", "")) || word;
}

/**
 * Returns a word in the characters that the lexicon is written in, its marks and tatweel kept: a hamza is one with its
 * letter, presentation forms are letters, alef wasla is an alef, the percent sign is that of all scripts, and
 * characters that are not seen are gone.
 */
export function plainSpelling(word: string): string {
  if (PLAIN.test(word)) return word;
  const plain = boundMarks(word)
    .normalize("NFKC")
    .replace(ALL_UNSEEN, "")
    .replaceAll("\u0671", "\u0627")
    .replaceAll("\u066a", "%");
  // What stands for several words, or for nothing, stays what it is.
  return plain === "" || /\s/.test(plain) ? word : plain;
}

/** Returns a word as it is written, without vowels, other marks and tatweel. */
export function withoutMarks(word: string): string {
  return PLAIN.test(word) ? word : plainSpelling(word).replace(/[\p{M}\u0640]/gu, "");
}

/**
 * Returns a lemma in the form in which lemmas are compared with their vowels: without sukun, the vowel of a long
 * vowel's own letter, of an initial alef and at the end, which sources write or leave out (كِتاب and كِتَاب are one).
 */
export function vowelForm(lemma: string): string {
  return lemma
    .normalize("NFC")
    .replace(/[\u0652\u0670`]/g, "")
    .replaceAll("ٱ", "ا")
    .replace(/^ا[\u064e-\u0650]/u, "ا")
    .replace(/\u064e(?=[اىة])/gu, "")
    .replace(/\u0650(?=ي(?![\u064b-\u0651]))|\u064f(?=و(?![\u064b-\u0651]))/gu, "")
    .replace(/ا\u064b$|\u064b(\u0651?)ا?$/u, "$1")
    .replace(/[\u064c-\u0650](?=\u0651?$)/u, "");
}

/** Returns the marks that are written on each letter of a word; tatweel and the small alef are no letters. */
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

/** Tells whether a word has vowels, sukun or shadda written. */
export function hasMarks(word: string): boolean {
  return /[\u064e-\u0652]/u.test(word);
}

const VOWEL = /[\u064e-\u0650]/u;
const [SHADDA, SUKUN] = ["\u0651", "\u0652"];
const AFTER_ARTICLE = /[تثدذرزسشصضطظلن]/u;
const PERSON = /[يتنأ]/u;
const LONG = /[اىآة]/u;

/** A reading with its vowels, in Arabic script: what stands before the stem, the stem, and what stands behind it. */
export type VowelledParts = { prefix: string; stem: string; ending: string; isVerb: boolean };

/**
 * Tells whether the marks of a word say that a reading is not meant: another vowel, sukun or shadda on a letter of the
 * stem, or on the person of a verb. What is not written says nothing, nor does the vowel of the stem's last letter,
 * which goes with case and mood.
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
    // Who writes the vowel of a doubled letter doubles it: قَدَم is no قدّم.
    if (vowel !== undefined && place !== last && other.includes(SHADDA) && !marks.includes(SHADDA)) return true;
    if (place === last) return false;
    // A letter of length, or one without a vowel; the vowel before an alef is often left out of the lexicon.
    if (lexical === undefined) return vowel !== undefined && !LONG.test(read[place + 1]?.letter ?? "ا");
    return vowel === undefined ? marks.includes(SUKUN) : vowel !== lexical;
  });
}

const RADICALS = ["ف", "ع", "ل", "ل", "ل"];

/** Holds what patterns begin with, longest first; a letter of it may be a radical all the same (مُنتَخَب, مَلِك). */
const PREFIXES = ["است", "مست", "ان", "من", "مت", "ا", "أ", "م", "ت", ""].map(
  (letters) => new RegExp(`^${[...letters].map((letter) => `${letter}\\p{M}*`).join("")}`, "u"),
);

/**
 * Returns the pattern of a vowelled word: its root's letters replaced by ف ع ل (مَكتُوب of ك ت ب: مَفعُول); `undefined`
 * where the root's letters are not all found in order, as in weak roots. They are looked for behind the longest prefix
 * that has all of them behind it: مُمكِن of م ك ن is مُفعِل.
 */
export function patternOf(word: string, root: string): string | undefined {
  if (root.length < 3) return undefined;
  for (const prefix of PREFIXES) {
    const before = prefix.exec(word)?.[0];
    const stem = before === undefined ? undefined : stemPattern(word.slice(before.length), root);
    if (stem !== undefined) return `${before}${stem}`;
  }
  return undefined;
}

function stemPattern(stem: string, root: string): string | undefined {
  let pattern = "";
  let place = 0;
  for (const letter of stem) {
    const radical = /[أإآؤئ]/u.test(letter) ? "ء" : letter;
    if (place < root.length && radical === root[place]) {
      pattern += RADICALS[place] ?? "ل";
      place++;
    } else pattern += letter;
  }
  return place === root.length ? pattern : undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  "'": "ء",
  "|": "آ",
  ">": "أ",
  "&": "ؤ",
  "<": "إ",
  "}": "ئ",
  A: "ا",
  "{": "ا",
  b: "ب",
  p: "ة",
  t: "ت",
  v: "ث",
  j: "ج",
  H: "ح",
  x: "خ",
  d: "د",
  "*": "ذ",
  r: "ر",
  z: "ز",
  s: "س",
  $: "ش",
  S: "ص",
  D: "ض",
  T: "ط",
  Z: "ظ",
  E: "ع",
  g: "غ",
  f: "ف",
  q: "ق",
  k: "ك",
  l: "ل",
  m: "م",
  n: "ن",
  h: "ه",
  w: "و",
  Y: "ى",
  y: "ي",
  P: "پ",
  J: "چ",
  V: "ڤ",
  G: "گ",
};

const MARKS: Readonly<Record<string, string>> = {
  a: "\u064e",
  u: "\u064f",
  i: "\u0650",
  o: "\u0652",
  F: "\u064b",
  N: "\u064c",
  K: "\u064d",
  "~": "\u0651",
  "`": "\u0670",
};

/** Returns the Arabic letters of a text in Buckwalter's transliteration, without vowels and other marks. */
export function lettersOf(text: string): string {
  let letters = "";
  for (const character of text) letters += LETTERS[character] ?? "";
  return letters;
}

/**
 * Returns a text in Buckwalter's transliteration in Arabic script with its vowels: shadda before its vowel, no sukun,
 * hamzat wasl as plain alef, no vowel on an alef of length.
 */
export function vowelled(text: string): string {
  let written = "";
  for (const character of text.replace(/([aiu])~/g, "~$1")) {
    if (character === "o") continue;
    written += LETTERS[character] ?? MARKS[character] ?? "";
  }
  return written.replace(/(?<=ا)\u064e/gu, "");
}
