import { copied, memoize, trimEnd } from "../std/mod.ts";
import { normalForm } from "./clean.ts";

const BEFORE = /^[^\p{L}\p{N}@#(]+/u;
const AFTER = /[^\p{L}\p{N})!.]/u;
const POSSESSIVE = /['\u2019]s$/i;
const HONORIFIC =
  /^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Lord|Lady|Sen|Gov|Gen|Rep|Rev|President|Professor)\.?|السيد|السيدة|الدكتور|الدكتورة|الأستاذ|الشيخ|الحاج|المهندس|د\.|أ\.)\s+(?=\S)/iu;
const MARKS =
  /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Returns how a name is shown: one space between words, those of a hashtag too, without diacritics, quotes around it,
 * honorific, possessive.
 */
export function displayName(text: string, type: string): string {
  const words = text.startsWith("@")
    ? text
    : text.replace(/(\p{L}\p{M}*)_+(?=\p{L})/gu, "$1 ").replace(/#(?=\p{L})/gu, "");
  const plain = trimEnd(words.replace(MARKS, "").replace(/\s+/g, " ").replace(BEFORE, ""), AFTER)
    .replace(POSSESSIVE, "")
    .trim();
  const bare = type === "PER" ? plain.replace(HONORIFIC, "") : plain;
  return bare.replaceAll("\u0000", "");
}

/** Names whose keys are cached: a text repeats its names. */
const MAX_CACHED_KEYS = 20_000;

/**
 * Returns the form by which a name is found again: letters folded, each word's stops and possessive dropped, without
 * the Arabic article of its first word. Empty where a name has no letters and digits.
 */
export const nameKey = memoize((name) => copied(keyOf(name)), { capacity: MAX_CACHED_KEYS });

function keyOf(name: string): string {
  const folded = name
    .split(/\s+/)
    .map((word) => normalForm(word.replace(/^[@#]/, "")))
    .join(" ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return folded.replace(/^ال(?=\p{L}{3})/u, "");
}

/** Arabic letters in normal form by the Latin ones that they are written with; weak letters are vowels. */
const ARABIC: Readonly<Record<string, string>> = {
  ا: "a",
  ب: "b",
  ت: "t",
  ث: "t",
  ج: "j",
  ح: "h",
  خ: "k",
  د: "d",
  ذ: "z",
  ر: "r",
  ز: "z",
  س: "s",
  ش: "S",
  ص: "s",
  ض: "d",
  ط: "t",
  ظ: "z",
  ع: "a",
  غ: "g",
  ف: "f",
  ق: "k",
  ك: "k",
  ل: "l",
  م: "m",
  ن: "n",
  ه: "h",
  و: "o",
  ي: "i",
  ء: "a",
  ئ: "i",
  ؤ: "o",
};

/** Spellings of one sound in Latin letters, in the order in which they are replaced. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/sch|tch|sh|ch/g, "S"],
  [/ph/g, "f"],
  [/th/g, "t"],
  [/kh/g, "k"],
  [/gh/g, "g"],
  [/ck/g, "k"],
  [/x/g, "ks"],
  [/c(?=[eiy])/g, "s"],
  [/dj/g, "j"],
  [/wr/g, "r"],
  [/tz/g, "ts"],
];

/** Matches every word that one of the rules applies to: most words match none, and need only this test. */
const RESPELT = /[cgkpst]h|c[keiy]|x|dj|wr|tz/;

/** Consonants that are taken for one another in the key; what is missing here is not heard. */
const CLASSES: Readonly<Record<string, string>> = {
  b: "b",
  p: "b",
  t: "t",
  d: "d",
  g: "g",
  j: "g",
  k: "k",
  q: "k",
  c: "k",
  S: "k",
  s: "s",
  z: "s",
  r: "r",
  f: "f",
  v: "f",
  l: "l",
  m: "m",
  n: "n",
};

const VOWELS = "aeiouwy";
const NEAR: ReadonlySet<string> = new Set(
  [
    "ou",
    "ow",
    "uw",
    "ie",
    "iy",
    "ei",
    "ey",
    "ae",
    "ov",
    "bp",
    "fv",
    "gj",
    "kq",
    "kc",
    "sc",
    "ao",
    "sz",
    "Sk",
    "aw",
  ].flatMap(([a = "", b = ""]) => [a + b, b + a]),
);

const IS_ARABIC = /\p{Script=Arabic}/u;
const ARTICLE = /^ال(?=...)/u;

/**
 * Returns a word in normal form as it sounds, in Latin letters: an Arabic one without its article, a Latin one
 * respelled.
 */
export function romanised(form: string): string {
  if (!IS_ARABIC.test(form)) {
    return RESPELT.test(form) ? SPELLINGS.reduce((word, [each, sound]) => word.replace(each, sound), form) : form;
  }
  let word = "";
  for (const letter of form.replace(ARTICLE, "").replaceAll("تش", "ش")) word += ARABIC[letter] ?? "";
  return word;
}

/**
 * Returns a key of a word in normal form that names share across scripts: its consonants in classes, each once where it
 * is doubled. Empty for words of fewer than two, which too many words would share, and for what is no word.
 */
export function soundKey(form: string): string {
  let key = "";
  for (const letter of romanised(form)) {
    const consonant = CLASSES[letter] ?? "";
    if (!key.endsWith(consonant) || key === "") key += consonant;
  }
  return key.length < 2 ? "" : key;
}

const isVowel = (letter: string): boolean => VOWELS.includes(letter);
const isLight = (letter: string): boolean => isVowel(letter) || letter === "h";

/** Bound of the letters of {@link romanised}; others are no vowels and near to nothing. */
const LETTERS = 128;
const ofLetters = (is: (letter: string) => boolean): Uint8Array =>
  Uint8Array.from({ length: LETTERS }, (_, code) => Number(is(String.fromCharCode(code))));
const LIGHT = ofLetters(isLight);
/** Costs of changing a letter into another one: by the first, then the second. */
const CHANGE = new Float64Array(LETTERS * LETTERS).fill(1);
const setChange = (x: string, y: string, cost: number): void => {
  CHANGE[x.charCodeAt(0) * LETTERS + y.charCodeAt(0)] = cost;
};
for (const x of VOWELS) for (const y of VOWELS) setChange(x, y, 0.4);
for (const [x = "", y = ""] of NEAR) setChange(x, y, 0.2);
for (let letter = 0; letter < LETTERS; letter++) CHANGE[letter * LETTERS + letter] = 0;
let before: Float64Array = new Float64Array(64);
let row: Float64Array = new Float64Array(64);

/** Returns whether two words begin alike as they sound ({@link romanised}): both with a consonant, or neither. */
export function opensAlike(a: string, b: string): boolean {
  return (LIGHT[a.charCodeAt(0)] ?? 0) === (LIGHT[b.charCodeAt(0)] ?? 0);
}

/**
 * Returns how far two words are apart as they sound ({@link romanised}): edits, of which those of vowels and of h cost
 * little, because Arabic leaves the short ones out, over the letters of the longer one. Infinity where it is more than
 * `farthest`.
 */
export function soundDistance(a: string, b: string, farthest = Number.POSITIVE_INFINITY): number {
  const length = Math.max(1, a.length, b.length);
  const most = farthest * length + 1e-9;
  if (row.length <= b.length) [before, row] = [new Float64Array(b.length * 2), new Float64Array(b.length * 2)];
  row[0] = 0;
  for (let j = 0; j < b.length; j++) row[j + 1] = (row[j] ?? 0) + (LIGHT[b.charCodeAt(j)] === 1 ? 0.25 : 1);
  for (let i = 0; i < a.length; i++) {
    const x = a.charCodeAt(i);
    const drop = LIGHT[x] === 1 ? 0.35 : 1;
    [before, row] = [row, before];
    let least = (before[0] ?? 0) + drop;
    row[0] = least;
    let last = -1;
    for (let j = 0; j < b.length; j++) {
      const y = b.charCodeAt(j);
      const change = x < LETTERS && y < LETTERS ? (CHANGE[x * LETTERS + y] ?? 1) : Number(x !== y);
      const add = LIGHT[y] === 1 ? 0.25 : y === last ? 0.15 : 1;
      const sum = Math.min((before[j] ?? 0) + change, (before[j + 1] ?? 0) + drop, (row[j] ?? 0) + add);
      row[j + 1] = sum;
      if (sum < least) least = sum;
      last = y;
    }
    // No later row has less than the least of this one.
    if (least > most) return Number.POSITIVE_INFINITY;
  }
  const distance = (row[b.length] ?? 0) / length;
  return distance > farthest ? Number.POSITIVE_INFINITY : distance;
}

const PARTICLE = /^(?:al|el|ال)$/;

/**
 * Distance that two names may be apart as they sound. Of 30 pairs of names of public figures the farthest had .108; حسن
 * and Hussein after the same first name are .12 apart. Words of a search, where other words stand beside them, may be
 * .18.
 */
const FARTHEST = 0.11;

/** Consonants that are enough to know a name by. */
const ENOUGH = 4;

/** Returns a name as one word, without articles: how its parts are written together differs between scripts. */
const joined = (key: string): string =>
  key
    .split(" ")
    .filter((word) => !PARTICLE.test(word))
    .map((word) => word.replace(ARTICLE, ""))
    .join("");

/**
 * Returns what a name shares with the same name in another script: its consonants in classes, whatever its words. Takes
 * the key of a name (nameKey); undefined where it has too few to be known by.
 */
export function nameSound(key: string): string | undefined {
  const sound = soundKey(joined(key));
  return sound.length < ENOUGH || /\p{N}/u.test(key) ? undefined : sound;
}

/** Returns the nearest of the keys that are spellings of the same name in the other script, Arabic or Latin. */
export function soundingAlike(key: string, others: readonly string[]): string | undefined {
  const near = others
    .map((other) => ({ other, gap: soundGap(key, other) }))
    .filter(({ gap }) => gap <= FARTHEST)
    .sort((a, b) => a.gap - b.gap);
  return near[0]?.other;
}

/** Returns how far two keys in different scripts are apart as they sound; infinitely far in one script. */
function soundGap(a: string, b: string): number {
  if (IS_ARABIC.test(a) === IS_ARABIC.test(b)) return Number.POSITIVE_INFINITY;
  const [arabic, latin] = IS_ARABIC.test(a) ? [a, b] : [b, a];
  const from = romanised(joined(arabic));
  const to = romanised(joined(latin));
  return opensAlike(from, to) ? soundDistance(from, to) : Number.POSITIVE_INFINITY;
}
