import { boundMarks, copied, memoize } from "../../../std/mod.ts";
import { unitToCodePoint } from "../../../text/characters.ts";
import { displayName } from "../../../text/names.ts";
import { sentenceUnits, type TextToken, tokenise } from "../../../text/sentences.ts";
import type { Entity } from "./aliases.ts";
import type { TaggedSentence, TagSpan, WordRanks } from "./spans.ts";

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
type Proclitic = { letters: number; rest: string };

/**
 * Returns the conjunction and preposition written onto an Arabic word (folded), where the word without them is known
 * and far more frequent than with them: `وفرنسا`, `بالعراق`, `للسعودية` (whose rest gets its alef back), but not
 * `بغداد`. `rank` numbers the known words from the most frequent one.
 */
export function procliticOf(word: string, rank: WordRanks): Proclitic | undefined {
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

/** A sentence of a text with the spans found in it. */
type FoundSentence = { tokens: readonly TextToken[]; spans: readonly TagSpan[] };

/**
 * Returns the names in a text, in order, from the spans of its sentences. Conjunctions and prepositions written onto an
 * Arabic name do not belong to it (but the ل of لل stays in `text`, as the name cannot be cut from it).
 */
export function findEntities(text: string, sentences: readonly FoundSentence[], rank: WordRanks): Entity[] {
  const toCodePoint = unitToCodePoint(text);
  const entities: Entity[] = [];
  for (const { tokens, spans } of sentences) {
    for (const { type, start, end, probability } of spans) {
      const first = tokens[start];
      const last = tokens[end - 1];
      if (first === undefined || last === undefined) continue;
      const proclitic = procliticOf(foldToken(first.text), rank);
      const joined = proclitic !== undefined && lettersBack(proclitic, first.text);
      const cut = proclitic === undefined || joined ? 0 : unitsOf(first.text, proclitic.letters);
      const from = first.start + cut;
      const tail = text.slice(first.end, last.end);
      const name = displayName(joined ? `${proclitic.rest}${tail}` : text.slice(from, last.end), type);
      if (name === "") continue;
      entities.push({
        type,
        text: text.slice(from, last.end),
        name,
        start: toCodePoint(from),
        end: toCodePoint(last.end),
        confidence: probability,
      });
    }
  }
  return entities;
}

/** Tells whether the word without its proclitic has a letter that is not written: the alef of the article after ل. */
function lettersBack({ letters, rest }: Proclitic, word: string): boolean {
  return rest.length > foldToken(word).length - letters;
}

/** A sentence of a document: its tokens as written and folded, and what was found in it by itself. */
export type DocumentSentence = { tokens: readonly string[]; words: readonly string[]; tagged: TaggedSentence };

/**
 * A name found with this probability counts for the rest of its document; the best of .75 to .96 on the held-out sets.
 */
const MIN_SPREAD_PROBABILITY = 0.75;

/**
 * Probability of a name that is known from elsewhere in its document only: the share that was right on the held-out
 * sets (18 of 33).
 */
const SPREAD_PROBABILITY = 0.55;

const MAX_NAME_WORDS = 4;
const PERSON = new Set(["PER", "person"]);

/**
 * Adds to the sentences of a document the names that were surely found elsewhere in it, where a sentence by itself said
 * nothing: the same words, and the last word of a person's name. Words in Latin letters must begin with a capital.
 * After the non-local features of Finkel, Grenager and Manning (2005), as a rule.
 */
export function spreadNames(document: readonly DocumentSentence[]): TaggedSentence[] {
  const names = sureNames(document);
  if (names.size === 0) return document.map(({ tagged }) => tagged);
  return document.map(({ tokens, words, tagged }) => {
    const tags = [...tagged.tags];
    const added: TagSpan[] = [];
    for (let start = 0; start < words.length; ) {
      const name = nameAt(names, tokens, words, tags, start);
      if (name === undefined) {
        start++;
        continue;
      }
      tags.fill(`I-${name.type}`, start, name.end);
      tags[start] = `B-${name.type}`;
      added.push({ ...name, start, probability: SPREAD_PROBABILITY });
      start = name.end;
    }
    if (added.length === 0) return tagged;
    return { tags, spans: [...tagged.spans, ...added].sort((a, b) => a.start - b.start) };
  });
}

/** Returns the surely found names of a document, folded, with their types and how often each. */
function sureNames(document: readonly DocumentSentence[]): Map<string, Map<string, number>> {
  const typeCounts = new Map<string, Map<string, number>>();
  const count = (name: string, type: string): void => {
    const types = typeCounts.get(name) ?? new Map<string, number>();
    typeCounts.set(name, types.set(type, (types.get(type) ?? 0) + 1));
  };
  for (const { words, tagged } of document) {
    for (const { type, start, end, probability } of tagged.spans) {
      if (probability < MIN_SPREAD_PROBABILITY) continue;
      count(words.slice(start, end).join(" "), type);
      if (PERSON.has(type) && end - start > 1) count(words[end - 1] ?? "", type);
    }
  }
  return typeCounts;
}

/** Returns the longest known name that begins at a token, over tokens without a tag. */
function nameAt(
  known: ReadonlyMap<string, ReadonlyMap<string, number>>,
  tokens: readonly string[],
  words: readonly string[],
  tags: readonly string[],
  start: number,
): { type: string; end: number } | undefined {
  if (/^\p{Ll}/u.test(tokens[start] ?? "")) return undefined;
  let free = start;
  while (free < words.length && free < start + MAX_NAME_WORDS && tags[free] === "O") free++;
  for (let end = free; end > start; end--) {
    const name = words.slice(start, end).join(" ");
    const types = name.length > 2 ? known.get(name) : undefined;
    if (types === undefined) continue;
    const [type] = [...types].reduce((best, next) => (next[1] > best[1] ? next : best));
    return { type, end };
  }
  return undefined;
}
