import { normalForm } from "../../text/mod.ts";
import type { Analysis } from "./analyse.ts";
import { type Candidate, isStrayJussive } from "./candidates.ts";
import type { Label } from "./features.ts";
import type { Features } from "./lexicon.ts";
import { isOf, type Speech, speechOf, type WordReadings } from "./speech.ts";

/** Words that no finite verb follows, with the conjunctions that can be joined to them. */
const PREPOSITION = /^[وف]?(?:في|الي|علي|عن|اثناء|خلال|بسبب)$/u;

/**
 * Tells whether a reading cannot stand where it does, by the words before it and behind it; undefined at the beginning
 * and the end of a sentence.
 */
export function isStray(
  reading: Candidate,
  before: WordReadings | undefined,
  behind: WordReadings | undefined,
): boolean {
  return (
    isStrayJussive(reading, before?.text) ||
    isVerbBehindPreposition(reading, before) ||
    isQadByNoun(reading, behind) ||
    isOtherWish(reading, behind)
  );
}

/** A preposition, and a noun in its place, has a noun behind it: بسبب تلقي is "receiving", and not "she throws". */
function isVerbBehindPreposition(reading: Candidate, before: WordReadings | undefined): boolean {
  return reading.pos === "verb" && before !== undefined && PREPOSITION.test(normalForm(before.text));
}

/** Holds what can stand between قد and its verb. */
const BY_VERB = /^(?:verb|part|adv|punc|conj|prep)/;

/** The particle قد stands before a verb: فقد الكرة is "he lost", and not "so … has". */
function isQadByNoun({ pos, before }: Candidate, behind: WordReadings | undefined): boolean {
  if (pos !== "part_verb" || before !== "ف" || behind === undefined) return false;
  return !behind.candidates.some((each) => BY_VERB.test(each.pos));
}

/** Before God's name إنشاء is إن and the verb شاء, and before all else the noun. */
function isOtherWish({ analysis, lemma }: Candidate, behind: WordReadings | undefined): boolean {
  const isByGod = behind !== undefined && normalForm(behind.text) === "الله";
  return analysis?.features.prc1 === "<in_cond" ? !isByGod : lemma === "إنشاء" && isByGod;
}

/** Universal parts of speech of what a construct stands before. */
const BEHIND_CONSTRUCT: ReadonlySet<string> = new Set(["NOUN", "PROPN", "PRON", "DET", "X"]);

/** Parts of speech of the lexicon that it stands before besides: عامي 2004 are two years. */
const DIGITS = "digit";

/** Tells whether a construct can stand before a word: a noun, be it a name, that nothing is joined to. */
function takesConstruct(behind: Label | undefined): boolean {
  if (behind === undefined) return false;
  if (!BEHIND_CONSTRUCT.has(behind.upos)) return behind.candidate.pos === DIGITS;
  const { before, lemma, analysis } = behind.candidate;
  if (analysis === undefined) return true;
  // What ends in the alef of the accusative is an object: سأل معلمي سؤالا.
  return !PREPOSITIONAL.has(lemma) && !/F$/.test(analysis.ending.form) && !/^(?:[وف]|[بك](?!ل)|ل(?!ل))/u.test(before);
}

/** Nouns that stand as prepositions, which the lexicon has among nouns. */
const PREPOSITIONAL: ReadonlySet<string> = new Set([
  "مع",
  "عند",
  "لدى",
  "بعد",
  "قبل",
  "منذ",
  "حول",
  "ضد",
  "خلال",
  "بين",
]);

const QUOTE = /^["'\u2018-\u201f«»]$/u;

/** Holds what a form costs that does not fit its sentence, and what a person gains that the sentence speaks of. */
const MISFIT = 12;
const SPOKEN = 6;

/**
 * Tells whether a word can be the subject of the feminine verb before it: a name, or a noun that is feminine or plural,
 * and definite by itself or by the name behind it (صحيفة ماركا).
 */
function isSubject(word: Label | undefined, behind: Label | undefined): boolean {
  if (word?.upos === "PROPN") return true;
  const { before, analysis } = word?.candidate ?? {};
  if (word?.upos !== "NOUN" || analysis === undefined) return false;
  const { gen, num, form_gen, form_num } = analysis.features;
  // أخاه is an object.
  const isObject = analysis.ending.form.startsWith("aA") && form_num === "s";
  const agrees = (gen ?? form_gen) === "f" || (num ?? form_num) === "p";
  if (!agrees || isObject) return false;
  const isNamed = behind?.upos === "PROPN" || QUOTE.test(behind?.candidate.lemma ?? "");
  return before === "ال" || hasPronoun(word.candidate) || isNamed;
}

/** Tells whether a word is a feminine that the verb behind it can be about. */
function isFeminine(word: Label | undefined): boolean {
  const { form_gen, gen } = word?.candidate.analysis?.features ?? {};
  return (word?.upos === "NOUN" || word?.upos === "ADJ") && (gen ?? form_gen) === "f";
}

const hasPronoun = ({ analysis }: Candidate): boolean => (analysis?.features.enc0 ?? "0") !== "0";

/** Tells whether a verb has itself for its object, which takes a reflexive: 1s with ني. */
function isReflexive({ per, enc0 }: Features): boolean {
  return per !== undefined && per !== "3" && enc0?.startsWith(per) === true;
}

/** Verbs of being, whose subject stands behind them. */
const BEING: ReadonlySet<string> = new Set(["كان", "أصبح", "صار", "ليس", "ظل", "بات"]);

const isBeing = (word: Label | undefined): boolean =>
  word !== undefined && BEING.has(word.candidate.lemma) && (word.upos === "AUX" || word.upos === "VERB");

/** Letters that a noun has at its end in the construct, and that it may have otherwise as well. */
const CONSTRUCT_END = /[يوا]$/u;

/** Tells whether a form is in the construct by an ending that is written: مدينتي, أخي, لاعبو. */
function isWrittenConstruct({ features, ending }: Analysis): boolean {
  return features.stt === "c" && features.enc0 === "0" && CONSTRUCT_END.test(ending.letters);
}

/**
 * Returns the labels of a sentence with the forms that fit it: a dual, plural or أخي in the construct has a noun
 * behind it (مدينتي is my city where none is), and who speaks in a sentence, or is spoken to, is who its verbs and
 * pronouns can be of.
 */
export function formsInContext(labels: readonly Label[], words: readonly WordReadings[]): Label[] {
  const speech = speechOf(words);
  const chosen = labels.map((label, place) => fittingForm(label, { labels, place, speech }));
  if (speech.first || !chosen.some(({ candidate }) => saysMine(candidate))) return chosen;
  // Who says "my" anywhere speaks of himself.
  return labels.map((label, place) => fittingForm(label, { labels, place, speech: { ...speech, first: true } }));
}

const saysMine = ({ analysis }: Candidate): boolean => analysis?.features.enc0 === "1s_poss";

type Place = { labels: readonly Label[]; place: number; speech: Speech };

function fittingForm(label: Label, { labels, place, speech }: Place): Label {
  const { candidate } = label;
  const { analyses, pos } = candidate;
  if (candidate.analysis === undefined || analyses.length < 2) return label;
  if (!speech.first && !speech.second && !isWrittenConstruct(candidate.analysis)) return label;
  const isNominal = /^(?:noun|adj)/.test(pos);
  const isNoun = label.upos === "NOUN";
  const before = labels[place - 1];
  const behind = labels.slice(place + 1, place + 3).find(({ candidate: { lemma } }) => !QUOTE.test(lemma));
  const hasNoun = takesConstruct(behind);
  // The subject of "was" is in the nominative, where no construct ends in ي: كانت والدتي معلمة.
  const isMine = (each: Analysis): boolean => isBeing(before) && each.ending.letters.endsWith("ي");
  const hasSubject = isFeminine(before) || isSubject(behind, labels[place + 2]);
  const costOf = (each: Analysis): number => {
    const { cost, features } = each;
    if (pos === "verb") {
      const isSpoken = (features.per === "1" && speech.first) || (features.per === "2" && speech.second);
      return cost + (isReflexive(features) ? MISFIT : 0) - (isSpoken && !hasSubject ? SPOKEN : 0);
    }
    if (!isNominal) return cost;
    const misfit = isWrittenConstruct(each) && (!hasNoun || isMine(each)) ? MISFIT : 0;
    return cost + misfit - (speech.first && isNoun && !hasNoun && isOf("1", features) ? SPOKEN : 0);
  };
  const best = analyses.reduce((least, each) => (costOf(each) < costOf(least) ? each : least));
  return best === candidate.analysis ? label : { ...label, candidate: { ...candidate, analysis: best } };
}
