import { boundMarks, copied, memoize } from "../../../std/mod.ts";
import { sentenceUnits, type TextToken, tokenise } from "../../../text/sentences.ts";

const MARKS =
  /[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g;
const FOLDED_LETTERS: Record<string, string> = {
  "\u0649": "\u064a",
  "\u06cc": "\u064a",
  "\u06d0": "\u064a",
  "\u0629": "\u0647",
  "\u06c1": "\u0647",
  "\u06d5": "\u0647",
  "\u06a9": "\u0643",
  "\u06af": "\u0643",
  "\u06ad": "\u0643",
  "\u0671": "\u0627",
  "\u067e": "\u0628",
  "\u0686": "\u062c",
  "\u06a4": "\u0641",
  "\u0698": "\u0632",
};
const VARIANTS = new RegExp(`[${Object.keys(FOLDED_LETTERS).join("")}]`, "g");
const DIGIT = /\p{Nd}/gu;
const PLAIN = /^[a-z]+$/;

/** Words whose forms are kept. */
const CACHED_FORMS = 20_000;

/**
 * The form in which the tagger knows a word, the same as in its training: NFKD without marks and tatweel, lower case,
 * one form a letter, every digit 0; any link is `<link>`, any handle `<handle>`. What folds to nothing stays as it is.
 */
export const foldToken = memoize((token) => copied(folded(token)), { capacity: CACHED_FORMS });

function folded(token: string): string {
  if (PLAIN.test(token)) return token;
  if (/^(?:https?:\/\/|www\.)/.test(token)) return "<link>";
  if (token.length > 1 && token.startsWith("@")) return "<handle>";
  const bare = token.length > 1 && token.startsWith("#") ? token.slice(1) : token;
  const form = boundMarks(bare)
    .normalize("NFKD")
    .replace(MARKS, "")
    .toLowerCase()
    .replace(VARIANTS, (letter) => FOLDED_LETTERS[letter] ?? letter)
    .replace(DIGIT, "0")
    .replaceAll(" ", "");
  return form || bare.replaceAll(" ", "") || "_";
}

const MARK = /[\p{M}\u0640\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** UTF-16 units that the first letters of a word take with their marks. */
export function unitsOf(word: string, letters: number): number {
  let seen = 0;
  for (let i = 0; i < word.length; i++) {
    if (MARK.test(word[i] ?? "")) continue;
    if (seen === letters) return i;
    seen++;
  }
  return word.length;
}

const CONJUNCTIONS = ["و", "ف"];
const PREPOSITIONS = ["ب", "ل", "ك"];
const CUTS = [
  ...CONJUNCTIONS,
  ...PREPOSITIONS,
  ...CONJUNCTIONS.flatMap((conjunction) => PREPOSITIONS.map((preposition) => conjunction + preposition)),
];

/**
 * Says how much nearer to the most frequent word the rest must stand than the word: names like ليلى and فيصل are
 * less often than the verbs they hold. By the names of ANERcorp; ف is rarely written onto one.
 */
const MORE_FREQUENT = 4;
const MORE_FREQUENT_AFTER_FA = 12;

/** Holds what stands before a name in its first word: how many letters, and the word without them. */
export type Proclitic = { letters: number; rest: string };

/**
 * Returns the conjunction and preposition written onto an Arabic word (folded), where the word without them is known
 * and far more frequent than with them: `وفرنسا`, `بالعراق`, `للسعودية` (whose rest gets its alef back), but not
 * `بغداد`. `rank` numbers the known words from the most frequent one.
 */
export function procliticOf(word: string, rank: ReadonlyMap<string, number>): Proclitic | undefined {
  let proclitic: Proclitic | undefined;
  const own = rank.get(word) ?? Number.POSITIVE_INFINITY;
  let best = Number.POSITIVE_INFINITY;
  for (const cut of CUTS) {
    if (!word.startsWith(cut)) continue;
    const bare = word.slice(cut.length);
    const times = cut.startsWith("ف") ? MORE_FREQUENT_AFTER_FA : MORE_FREQUENT;
    for (const rest of cut.endsWith("ل") && bare.startsWith("ل") ? [`ا${bare}`, bare] : [bare]) {
      const row = rest.length >= 3 ? rank.get(rest) : undefined;
      if (row === undefined || row >= best || row * times >= own) continue;
      best = row;
      proclitic = { letters: cut.length, rest };
    }
  }
  return proclitic;
}

/** Tokens of a sentence at most; a longer one is cut. */
const MAX_SENTENCE_TOKENS = 150;

/** Characters of a text that are looked at; what lies beyond has no entities. */
const MAX_TEXT_CHARS = 200_000;

/** Returns the sentences of a text as tokens; stretches without a token are left out. */
export function sentenceTokens(text: string): TextToken[][] {
  const out: TextToken[][] = [];
  for (const { start, end } of sentenceUnits(text.slice(0, MAX_TEXT_CHARS))) {
    const tokens = tokenise(text, start, end).flatMap(wordsOfTag);
    for (let i = 0; i < tokens.length; i += MAX_SENTENCE_TOKENS) out.push(tokens.slice(i, i + MAX_SENTENCE_TOKENS));
  }
  return out;
}

/** Returns the words that a hashtag is made of: `#عاصي_الحلاني` is a name of two words. */
function wordsOfTag(token: TextToken): TextToken[] {
  if (!token.text.startsWith("#") || token.text.length === 1) return [token];
  return [...token.text.matchAll(/[^#_]+/g)].map(({ 0: text, index }) => ({
    text,
    start: token.start + index,
    end: token.start + index + text.length,
  }));
}

/** Number words, folded: those that count by themselves, and those that a number stands before. */
const ONES =
  "صفر واحد واحده اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي ثلاث ثلاثه اربع اربعه خمس خمسه ست سته سبع سبعه ثمان ثماني ثمانيه تسع تسعه عشر عشره احد احدي";
const TENS = "عشرون عشرين ثلاثون ثلاثين اربعون اربعين خمسون خمسين ستون ستين سبعون سبعين ثمانون ثمانين تسعون تسعين";
const HUNDREDS =
  "ميه مايه مئه ميتا ميتي ميتان ميتين مايتا مايتي مايتان مايتين ثلاثميه ثلاثمايه اربعميه اربعمايه خمسميه خمسمايه ستميه ستمايه سبعميه سبعمايه ثمانميه ثمانمايه ثمانيميه تسعميه تسعمايه";
const SCALES =
  "الف الفا الفان الفي الفين الاف مليون مليونا مليونان مليوني مليونين ملايين مليار مليارا ملياران ملياري مليارين مليارات بليون تريليون تريليونا تريليوني تريليونات";
const SHARES = "نصف النصف ربع الربع ثلث الثلث";
const MANY = "عشرات ميات مئات الاف الالاف ملايين الملايين مليارات المليارات";

const setOf = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(" ")));

/** A word that is, or begins, a number. */
export const NUMBERS = setOf(ONES, TENS, HUNDREDS, SCALES, MANY);

/** A word that goes on a number after و. */
export const JOINED = setOf(ONES, TENS, HUNDREDS, SCALES, SHARES);

/** A word that multiplies the number before it. */
export const MULTIPLES = setOf(SCALES, HUNDREDS, "عشر عشره", MANY);
