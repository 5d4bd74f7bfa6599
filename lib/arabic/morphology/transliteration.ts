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

/** The Arabic letters of a text in Buckwalter's transliteration, without vowels and other marks. */
export function lettersOf(text: string): string {
  let letters = "";
  for (const character of text) letters += LETTERS[character] ?? "";
  return letters;
}

/**
 * A text in Buckwalter's transliteration in Arabic script with its vowels: shadda before its vowel, no sukun, hamzat
 * wasl as plain alef, no vowel on an alef of length.
 */
export function vowelled(text: string): string {
  let written = "";
  for (const character of text.replace(/([aiu])~/g, "~$1")) {
    if (character === "o") continue;
    written += LETTERS[character] ?? MARKS[character] ?? "";
  }
  return written.replace(/(?<=ا)\u064e/gu, "");
}
