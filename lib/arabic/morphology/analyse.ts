import { normalForm } from "../../text/mod.ts";
import { hasMarks, isContradicted, lettersOf, vowelled, type VowelledParts, withoutMarks } from "./written-forms.ts";
import type { Features, Lemma, Lexicon, Stem } from "./lexicon.ts";
import type { Ending, Prefix, WordRules } from "./rules.ts";

/** One way to read a word. */
export type Analysis = {
  lemma: Lemma;
  prefix: Prefix;
  stem: Stem;
  ending: Ending;
  features: Features;
  pos: string;
  /** Says how much less likely than certain: minus a natural logarithm, roughly. */
  cost: number;
};

/** Holds what a letter costs that is written otherwise than the lexicon has it. */
const SPELLING = {
  hamzaLeftOut: 0.5,
  ownHamzaLeftOut: 4,
  maddaLeftOut: 5,
  hamzaAdded: 4,
  hamzaElsewhere: 7,
  ya: 2.5,
  ta: 4,
};

/**
 * Holds what forms cost beside their lemma, by feature and the beginning of its value: how much rarer they are in news
 * than the plain form, as a natural logarithm, estimated. Of two beginnings the longer one counts.
 */
const FORMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  prc3: { ">a": 12 },
  prc2: { fa: 3.5, wa: 2 },
  prc1: { bi: 2, li: 2, li_jus: 5, li_sub: 3.5, ka: 5, la: 6, sa: 3, wa: 8 },
  enc0: { "1p": 4, "1s": 5, "2": 6, "3": 2.5, "3fp": 4 },
  enc1: { "1": 6, "2": 6, "3": 6 },
  per: { "1": 3, "2": 5 },
  asp: { c: 4 },
  vox: { p: 2.5 },
  num: { d: 1 },
  form_num: { d: 1 },
};

/**
 * Holds what a verb costs besides whose subject is several women, or one woman who is spoken to. Of 4,700 verbs in
 * articles 5 and none were such; what looks so is mostly something else: يمكن, تسعين.
 */
const SUBJECTS = { women: 3, woman: 6 };

/**
 * Holds what a form costs besides that nobody says in news: "let me say" (لأقل), somebody's own name (شرقي of شرق, ابنا
 * of آب), an order with its object (جلهم), "as that" in one word (كأنهم), "so" on a noun without article (فابيان).
 */
const UNSAID = { letMe: 10, myName: 8, ownName: 5, orderOf: 3, asThat: 8, soNoun: 3 };

/** Holds what a passive costs whose و is the vowel of one before it: ووفق is "and according to". */
const DOUBLE_WAW = 4;

/** Holds what a plural costs that is written as a feminine: عملة is rather the currency than the workers. */
const PLURAL_IN_TA = 2.5;

/**
 * Returns all readings of a word that the lexicon allows, in the order of the lexicon; none for words that it does not
 * have.
 */
export function analyse(word: string, lexicon: Lexicon, rules: WordRules): Analysis[] {
  const letters = normalForm(word);
  const written = withoutMarks(word);
  // Ha is often written where ta marbuta belongs, ta marbuta never for the pronoun.
  const endsInTa = /ة\p{M}*$/u.test(word);
  const analyses: Analysis[] = [];
  /** Those with another hamza than is written, or other vowels: only taken where there are no others. */
  const misspelt: Analysis[] = [];
  // A letter by itself is an initial.
  const isLetter = letters.length === 1;
  const isMarked = hasMarks(word);
  const hasTanwin = /[\u064b-\u064d]/u.test(word);
  const canEndAt: boolean[] = [];
  for (let end = Math.max(1, letters.length - rules.longestEnding); end <= letters.length; end++) {
    canEndAt[end] = rules.canStandAfter(letters.slice(end));
  }
  for (let start = 0; start <= Math.min(rules.longestPrefix, letters.length - 1); start++) {
    const before = letters.slice(0, start);
    if (!rules.canStandBefore(before)) continue;
    const shortest = Math.max(start + 1, letters.length - rules.longestEnding);
    for (let end = letters.length; end >= shortest; end--) {
      if (canEndAt[end] !== true) continue;
      const stems = lexicon.stems(letters.slice(start, end));
      if (stems.length === 0) continue;
      const after = letters.slice(end);
      for (const stem of stems) {
        for (const ending of rules.endings(stem.signature, after)) {
          if (endsInTa && /h[iu]$/.test(ending.form)) continue;
          for (const prefix of rules.prefixes(ending.sequence, before)) {
            if (
              asksUnwritten(prefix, written) ||
              isHamzaForArticle(prefix, written) ||
              !rules.agree(prefix, stem.signature, ending)
            )
              continue;
            const { features, pos } = rules.signature(stem.signature);
            if (isLetter && pos === "verb") continue;
            // Nobody joins words to an initial: وود is no و and دي.
            if (end - start === 1 && before !== "" && INITIAL.test(pos)) continue;
            const lemma = lexicon.lemma(stem.lemma);
            const whole = { ...prefix.features, ...features, ...ending.features };
            const lexical = lettersOf(prefix.form + stem.form + ending.form);
            const spelling = spellingCost(written, lexical, start) + ownHamzaCost(prefix, written);
            const form = formCost(whole) + subjectCost(whole) + pluralCost(whole) + unsaidCost(whole, pos, lemma.cost);
            const waw = prefix.form === "" && whole.vox === "p" && stem.form.startsWith("wuw") ? DOUBLE_WAW : 0;
            const cost = lemma.cost + form + waw + spelling;
            const isMisread =
              (hasTanwin && pos === "verb") ||
              (isMarked && isContradicted(word, vowelledParts(prefix, stem, ending, pos)));
            (spelling < SPELLING.hamzaElsewhere && !isMisread ? analyses : misspelt).push({
              ...{ lemma, prefix, stem, ending, pos, cost },
              features: whole,
            });
          }
        }
      }
    }
  }
  return analyses.length > 0 ? analyses : misspelt;
}

function vowelledParts(prefix: Prefix, stem: Stem, ending: Ending, pos: string): VowelledParts {
  const [before, own, behind] = [prefix.form, stem.form, ending.form].map(vowelled);
  return { prefix: before ?? "", stem: own ?? "", ending: behind ?? "", isVerb: pos === "verb" };
}

/** Returns what a verb costs for its subject. */
function subjectCost({ per, gen, num }: Features): number {
  if (per === undefined || gen !== "f") return 0;
  if (num === "p") return SUBJECTS.women;
  return per === "2" ? SUBJECTS.woman : 0;
}

/** Says from which cost on no lemma has "so" before it. */
const RARE = 22;

/** Parts of speech of names and letters. */
const INITIAL = /^(?:noun_prop|abbrev)$/;

function unsaidCost({ per, prc0, prc1, prc2, enc0, asp }: Features, pos: string, rarity: number): number {
  if (per === "1" && prc1?.startsWith("li_jus") === true) return UNSAID.letMe;
  if (pos === "noun_prop" && enc0?.endsWith("_poss") === true)
    return enc0 === "1s_poss" ? UNSAID.myName : UNSAID.ownName;
  if (pos === "conj_sub" && prc1?.startsWith("ka") === true) return UNSAID.asThat;
  if (
    rarity >= RARE &&
    /^(?:noun|adj)$/.test(pos) &&
    prc2?.startsWith("fa") === true &&
    (prc1 ?? "0") === "0" &&
    !/^Al/.test(prc0 ?? "")
  )
    return UNSAID.soNoun;
  return asp === "c" && enc0 !== undefined && enc0 !== "0" ? UNSAID.orderOf : 0;
}

function pluralCost({ gen, num, form_gen }: Features): number {
  return gen === "m" && num === "p" && form_gen === "f" ? PLURAL_IN_TA : 0;
}

/** Holds what each value costs that a feature has had so far. */
const FORM_COSTS = Object.entries(FORMS).map(([name, beginnings]) => {
  return { name, beginnings, costs: new Map<string | undefined, number>([[undefined, 0]]) };
});

function formCost(features: Features): number {
  let total = 0;
  for (const { name, beginnings, costs } of FORM_COSTS) {
    const value = features[name];
    let cost = costs.get(value);
    if (cost === undefined) {
      const fitting = Object.keys(beginnings).filter((beginning) => value?.startsWith(beginning));
      const longest = fitting.reduce((best, each) => (each.length > best.length ? each : best), "");
      cost = beginnings[longest] ?? 0;
      costs.set(value, cost);
    }
    total += cost;
  }
  return total;
}

/**
 * Tells whether a prefix has the particle of questions where no hamza is written: ال is the article, and no أَ and لِ.
 */
function asksUnwritten({ features }: Prefix, written: string): boolean {
  return features.prc3?.startsWith(">a") === true && !written.startsWith("أ");
}

/** Tells whether a prefix has the article where a hamza is written, which is of the word: وألحق is "and attached". */
function isHamzaForArticle({ letters, features }: Prefix, written: string): boolean {
  if (features.prc0?.startsWith("Al") !== true || !letters.endsWith("ال")) return false;
  return /[أإآ]/u.test(written.charAt(letters.length - 2));
}

/**
 * Returns what it costs besides that the hamza of "I" is not written behind a particle: لاجئ is a refugee rather than
 * "that I come".
 */
function ownHamzaCost({ letters, features }: Prefix, written: string): number {
  const isOwn = features.per === "1" && letters.length > 1 && letters.endsWith("ا");
  return isOwn && written.charAt(letters.length - 1) === "ا" ? SPELLING.ownHamzaLeftOut : 0;
}

/**
 * Returns what it costs that a word is written as it is and not as the lexicon would have it; `first`: where its stem
 * begins. Writers leave out and add the hamza of its first letter, hardly any other.
 */
function spellingCost(written: string, lexical: string, first: number): number {
  if (written === lexical || written.length !== lexical.length) return 0;
  let cost = 0;
  for (let i = 0; i < written.length; i++) {
    const [own, other] = [written.charAt(i), lexical.charAt(i)];
    if (own === other) continue;
    if (own === "ا") cost += other === "آ" && i > first ? SPELLING.maddaLeftOut : SPELLING.hamzaLeftOut;
    else if ("أإآ".includes(own))
      cost += "أإآ".includes(other) || i > first ? SPELLING.hamzaElsewhere : SPELLING.hamzaAdded;
    else if (other === "ا") cost += SPELLING.hamzaAdded;
    else cost += "يى".includes(own) ? SPELLING.ya : SPELLING.ta;
  }
  return cost;
}
