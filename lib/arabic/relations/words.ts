import { at } from "../../std/mod.ts";
import type { MorphToken } from "../morphology/answer.ts";
import { bareForm, withoutMarks } from "../morphology/written-forms.ts";

/** A word or sign of a sentence as the extractor of relations reads it. Offsets in code points, end exclusive. */
export type ReWord = {
  token: string;
  /** Says where the word begins after its proclitics, the article excepted; and where it ends. */
  start: number;
  end: number;
  /** Without vowels. */
  form: string;
  lemma: string;
  root: string;
  /** Universal part of speech, and the lexicon's own. */
  pos: string;
  fine: string;
  /** Proclitics before the article, joined by `+`: `و+ب`. */
  clitics: string;
  hasArticle: boolean;
  hasPronoun: boolean;
  /** Gender, number, aspect and voice, one letter each where they are known. */
  gender: string;
  number: string;
  aspect: string;
  voice: string;
  /** Words of the English gloss of its lemma's first meaning. */
  gloss: readonly string[];
  /** The entities that it belongs to. */
  names: readonly ReName[];
};

/** Returns the word of a sentence at a place; what stands for none before its first and behind its last. */
export const wordAt = (words: readonly ReWord[], place: number): ReWord => words[place] ?? EDGE;
const EDGE: ReWord = {
  ...{ token: "", start: 0, end: 0, form: "#", lemma: "#", root: "", pos: "#", fine: "#", clitics: "" },
  ...{ hasArticle: false, hasPronoun: false, gender: "", number: "", aspect: "", voice: "", gloss: [], names: [] },
};

/** An entity in a sentence: from its first word to behind its last. */
type ReName = { type: string; from: number; to: number };

/** An entity in a text. Offsets in code points, end exclusive. */
export type ReEntity = { type: string; start: number; end: number };

const MARK = /[\p{M}\u0640]/u;

/** Proclitics that are cut off; the particle of questions is hardly ever one. */
const PROCLITICS = new Set(["و", "ف", "ب", "ل", "ك", "س"]);

/** Number words, which take proclitics that the lexicon does not foresee. */
const NUMBER =
  /^[وف]?[بلك]?(?=(?:واحد|[اإ]ثن|ثلاث|[أا]ربع|خمس|ست[ةيو]|سبع|ثماني?|تسع|عشر|مئ|ملي[وا]|[أا]لف|مليار).*$)(?!ست[ةيو]..)/u;

/** Letters that can be cut off from a word that the lexicon does not have, and off any word before a hamza. */
const UNKNOWN_CLITICS = /^(?:[وف]?(?:ب|ك)(?=ال)|[وف]?لل(?=.{3})|[وفبلك](?=ال))/u;
const BEFORE_HAMZA = /^[وف](?=[أإآ])/u;

/** A score, whose numbers are words of their own here: who plays against whom, and how often, are two things. */
const SCORE = /^(\p{Nd}{1,4})([-:])(\p{Nd}{1,4})$/u;

/** Returns a token, or the parts of a score. */
function partsOf(token: MorphToken): MorphToken[] {
  const [, ...parts] = SCORE.exec(token.token) ?? [];
  let { start } = token;
  return parts.length === 0
    ? [token]
    : parts.map((part, i) => {
        const end = start + [...part].length;
        const own = { ...token, token: part, lemma: part, start, end };
        start = end;
        return i === 1 ? { ...own, pos: "PUNCT", pos_lexicon: "punc" } : own;
      });
}

/** Returns the words of an analysed sentence, with the entities of the text that lie in it. */
export function reWords(given: readonly MorphToken[], entities: readonly ReEntity[]): ReWord[] {
  const tokens = given.flatMap(partsOf);
  const namesAt = namesIn(tokens, entities);
  return tokens.map((each, place) => {
    const { token, start, end, lemma, root, pos, pos_lexicon, proclitics, enclitics, features, gloss } = each;
    const isPassive = features.voice === "pass" || isMarkedPassive(each);
    const letters = withoutMarks(token);
    const clitics = cliticsOf(letters, each);
    const length = clitics.join("").length;
    // What begins with hamza is hardly ever a question: its own reading is not among those of the lexicon.
    const misread = proclitics.some(({ form }) => withoutMarks(form) === "أ");
    return {
      token,
      start: start + offsetBehind(token, length < letters.length ? length : 0),
      end,
      form: bareForm(token),
      lemma: misread ? bareForm(token) : bareForm(lemma),
      root: misread ? "" : (root ?? ""),
      pos,
      fine: pos_lexicon,
      clitics: clitics.join("+"),
      hasArticle: proclitics.some(({ form }) => withoutMarks(form) === "ال") || /^[وفبك]{0,2}(?:ال|لل)/u.test(letters),
      hasPronoun: enclitics.length > 0,
      gender: features.gender?.[0] ?? "",
      number: features.number?.[0] ?? "",
      aspect: features.aspect?.[0] ?? "",
      voice: isPassive ? "p" : (features.voice?.[0] ?? ""),
      gloss: glossWords(misread ? "" : (gloss ?? "")),
      names: at(namesAt, place),
    };
  });
}

/** Returns the names that each word of a sentence belongs to, of all entities of its text. */
function namesIn(tokens: readonly MorphToken[], entities: readonly ReEntity[]): ReName[][] {
  const names: ReName[][] = tokens.map(() => []);
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return names;
  for (const { type, start, end } of entities) {
    if (end <= first.start || start >= last.end) continue;
    const from = firstWhere(tokens, (token) => token.end > start);
    const to = firstWhere(tokens, (token) => token.start >= end);
    for (let place = from; place < to; place++) names[place]?.push({ type, from, to });
  }
  return names;
}

/**
 * Returns the place of the first token for which a condition holds that holds for all behind it, too; else the end.
 */
function firstWhere(tokens: readonly MorphToken[], holds: (token: MorphToken) => boolean): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(at(tokens, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lemmas whose imperfect has this vowel in the active, too. */
const LIKE_PASSIVE = /^(?:أَ|\p{L}\u064e\p{L}\u064e?\u0651|\p{L}\u064e?ا)/u;

/** Tells whether a verb has the damma on its first letter that writers set to mark the passive. */
function isMarkedPassive({ token, pos, lemma, features }: MorphToken): boolean {
  if (pos !== "VERB" || !/^[وف]?\p{L}\u064f/u.test(token)) return false;
  return features.aspect === "perf" || !LIKE_PASSIVE.test(lemma);
}

const SMALL = new Set([
  "be",
  "the",
  "a",
  "an",
  "of",
  "to",
  "in",
  "for",
  "with",
  "one",
  "s",
  "o",
  "sth",
  "sb",
  "someone",
  "something",
]);

function glossWords(gloss: string): string[] {
  const words = (gloss.split(" | ", 1)[0] ?? "").toLowerCase().match(/[a-z]{2,}/g) ?? [];
  return [...new Set(words)].filter((word) => !SMALL.has(word)).slice(0, 6);
}

function cliticsOf(letters: string, { proclitics, stem }: Pick<MorphToken, "proclitics" | "stem">): string[] {
  const number = NUMBER.exec(letters)?.[0] ?? "";
  if (number !== "") return [...number];
  if (proclitics.length === 0) {
    // وكالة and والد begin so and are in the lexicon.
    const unknown = stem === null ? UNKNOWN_CLITICS.exec(letters) : null;
    return [...((unknown ?? BEFORE_HAMZA.exec(letters))?.[0] ?? "").replace("لل", "ل")];
  }
  const named = proclitics.map(({ form }) => withoutMarks(form)).filter((form) => PROCLITICS.has(form));
  return letters.startsWith(named.join("")) ? named : [];
}

/** Counts how many code points of a word its first letters take, marks on them included. */
function offsetBehind(word: string, letters: number): number {
  let offset = 0;
  let left = letters;
  for (const sign of word) {
    if (!MARK.test(sign)) {
      if (left === 0) break;
      left--;
    }
    if (letters > 0) offset++;
  }
  return offset;
}
