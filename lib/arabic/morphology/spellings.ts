import { normalForm } from "../../text/mod.ts";
import { type Analysis, analyse } from "./analyse.ts";
import type { Lexicon } from "./lexicon.ts";
import type { WordRules } from "./rules.ts";
import { lettersOf, withoutMarks } from "./written-forms.ts";

/** Holds what words are looked up with. */
type Dictionary = { lexicon: Lexicon; rules: WordRules };

/**
 * Holds the readings of a word under another spelling, and what that costs; `isSure`: it can be no name that the
 * lexicon lacks.
 */
type Respelt = { analyses: Analysis[]; cost: number; isSure: boolean };

/**
 * Other spellings of a hamza, by the lexicon's own: those of newspapers (بدأوا for بدؤوا, شئ for شيء), and that of the
 * Quran (ءامنوا for آمنوا).
 */
const HAMZA: readonly (readonly [RegExp, string])[] = [
  [/[أء](?=و(?:ا|ن)?$)/u, "ؤ"],
  [/[يى]ء$/u, "يئ"],
  [/ئ$/u, "يء"],
  [/ء(?:\u064bا|ا\u064b?)$/u, "ء"],
  [/^([وف]?\u064e?)ء\u064e?ا/u, "$1آ"],
];

/** Holds what a spelling costs that is not the lexicon's. */
const RESPELT = 2;

/** Letters that are drawn out: three times or more in a row. */
export const DRAWN_OUT = /(\p{L})\1{2,}/gu;

/**
 * Returns the readings of a word that the lexicon lacks as it is written: with another hamza, or with the letters once
 * or twice that are drawn out (جمييييل).
 */
export function respelt(word: string, { lexicon, rules }: Dictionary): Respelt {
  const drawn = withoutMarks(word);
  for (const times of ["$1", "$1$1"]) {
    const shorter = drawn.replace(DRAWN_OUT, times);
    const read = shorter === drawn ? [] : analyse(shorter, lexicon, rules);
    const analyses = read.filter(({ pos }) => pos !== "noun_prop");
    if (analyses.length > 0) return { analyses, cost: RESPELT, isSure: true };
  }
  const spellings = HAMZA.flatMap(([pattern, letters]) => (pattern.test(word) ? [word.replace(pattern, letters)] : []));
  const analyses = spellings.flatMap((each) => analyse(each, lexicon, rules));
  return { analyses, cost: RESPELT, isSure: false };
}

/** The small alef, which stands for the letter (العٰلمين), also on a waw (الصلوٰة); on a final ya it is no letter. */
const SMALL_ALEF = /و?\u0670(?=\p{L})/gu;

/**
 * Returns the readings of a word with a small alef: those that the lexicon writes with one (ذٰلك), else those with the
 * letter that it stands for (الكتٰب is the book, not the books); undefined for a word without one, or without either.
 */
export function withSmallAlef(word: string, { lexicon, rules }: Dictionary): Analysis[] | undefined {
  const spelt = word.replace(SMALL_ALEF, "ا");
  if (spelt === word) return undefined;
  const own = analyse(word, lexicon, rules).filter(({ stem }) => stem.form.includes("`"));
  if (own.length > 0 && !word.includes("و\u0670")) return own;
  const whole = analyse(spelt, lexicon, rules);
  return [whole, own].find(({ length }) => length > 0);
}

/** A particle that writers join to the word behind it, and what that word can be. */
type Joined = { letters: string; form: string; type: string; joins(analysis: Analysis): boolean };

const isNominal = ({ pos, prefix }: Analysis): boolean => /^(?:noun|adj)/.test(pos) && prefix.form === "";

const JOINED: readonly Joined[] = [
  { letters: "يا", form: "yaA", type: "voc", joins: isNominal },
  {
    ...{ letters: "لا", form: "laA", type: "neg" },
    joins: (each) => (each.features.asp === "i" ? !hasProclitic(each) : isNominal(each) && each.pos !== "noun_prop"),
  },
  { letters: "ما", form: "maA", type: "neg", joins: (each) => each.features.asp === "p" && !hasProclitic(each) },
  { letters: "ان", form: "<in", type: "cond", joins: ({ lemma }) => lemma.form === "$aA'" },
];

/** Holds what it costs that a particle is joined to a word, and what less where somebody calls who is his own. */
const JOINED_COST = 1;
const MINE = 5;

const CONJUNCTIONS: readonly (readonly [letters: string, form: string])[] = [
  ["", ""],
  ["و", "wa"],
  ["ف", "fa"],
];

/** Holds the most that a word costs to which a particle is joined: names that look so are of rarer words (مارفل). */
const DEAREST_JOINED = 26;

/** Letters that a word has at least to which a particle is joined: بد of لابد. */
const MIN_JOINED_LETTERS = 2;

/**
 * Returns the readings of a word to which a particle is joined that stands by itself elsewhere: ياصديقي, لايزال, مازال,
 * ولابد, and إن in إنشاء الله.
 */
export function withJoinedParticle(word: string, { lexicon, rules }: Dictionary): Analysis[] {
  const written = withoutMarks(word);
  return CONJUNCTIONS.flatMap(([conjunction, before]) => {
    if (!written.startsWith(conjunction)) return [];
    const rest = written.slice(conjunction.length);
    return JOINED.filter(({ letters }) => normalForm(rest.slice(0, letters.length)) === letters).flatMap((particle) => {
      const behind = rest.slice(particle.letters.length);
      if (behind.length < MIN_JOINED_LETTERS) return [];
      return analyse(behind, lexicon, rules)
        .filter((each) => each.cost <= DEAREST_JOINED + spokenTo(each) && particle.joins(each))
        .map((each) => joinedTo(each, particle, before));
    });
  });
}

/** Returns what a verb may cost more whose subject is told not to: لاتحزن. */
const spokenTo = ({ features }: Analysis): number => (features.per === "2" ? 8 : 0);

function joinedTo(analysis: Analysis, { form, type }: Joined, before: string): Analysis {
  const clitics = { ...(before !== "" && { prc2: `${before}_conj` }), prc1: `${form}_${type}` };
  const whole = before + form + analysis.prefix.form;
  const { prefix } = analysis;
  const mine = type === "voc" && analysis.features.enc0 === "1s_poss" ? MINE : 0;
  return {
    ...analysis,
    prefix: {
      ...prefix,
      form: whole,
      letters: normalForm(lettersOf(whole)),
      features: { ...prefix.features, ...clitics },
    },
    features: { ...analysis.features, ...clitics },
    cost: analysis.cost + JOINED_COST - mine,
  };
}

function hasProclitic({ features }: Analysis): boolean {
  return ["prc0", "prc1", "prc2", "prc3"].some((name) => !["0", "na"].includes(features[name] ?? "0"));
}

/** Phrases that are written as one word, by their normal form: what they are with their vowels. */
const PHRASES: ReadonlyMap<string, string> = new Map([
  ["انشاءالله", "إِن شَاءَ اللّٰهُ"],
  ["انشاالله", "إِن شَاءَ اللّٰهُ"],
  ["انشالله", "إِن شَاءَ اللّٰهُ"],
  ["ماشاءالله", "مَا شَاءَ اللّٰهُ"],
  ["ماشاالله", "مَا شَاءَ اللّٰهُ"],
  ["ماشالله", "مَا شَاءَ اللّٰهُ"],
]);

/** Returns the phrase that is written as this word, which exclaims; undefined for any other. */
export function phraseOf(word: string): string | undefined {
  return PHRASES.get(normalForm(withoutMarks(word)));
}
