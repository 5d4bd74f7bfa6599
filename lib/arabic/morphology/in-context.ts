import { at } from "../../std/mod.ts";
import type { Analysis } from "./analyse.ts";
import type { Candidate } from "./candidates.ts";
import type { Label } from "./features.ts";
import type { Features } from "./lexicon.ts";
import { isOf, type Speech, speechIn, speechOf, type WordReadings } from "./speech.ts";
import { genderOf, likeliest, numberOf, PREPOSITIONAL } from "./strays.ts";

/** Universal parts of speech of what a construct stands before. */
const BEHIND_CONSTRUCT: ReadonlySet<string> = new Set(["NOUN", "PROPN", "PRON", "DET", "X"]);

/** Parts of speech of the lexicon that it stands before besides: عامي 2004 are two years. */
const DIGITS = "digit";

/** Says how much dearer than the noun an adjective may be that stands behind a definite noun, and one of a country. */
const ADJECTIVE = { dearer: 4, nisba: 10 };

/** Tells whether a label is definite: by its article or its pronoun. */
export const isDefinite = ({ candidate }: Label): boolean =>
  /(?:ال|لل)$/u.test(candidate.before) || hasPronoun(candidate);

/**
 * Returns the labels of a sentence with the adjectives that behind a definite noun are no nouns: الحارس الإيطالي,
 * موافقتها السابقة.
 */
export function adjectivesInContext(labels: readonly Label[], words: readonly WordReadings[]): Label[] {
  return labels.map((label, place) => {
    const noun = labels[place - 1];
    if (noun?.candidate.analysis === undefined || label.candidate.before !== "ال") return label;
    if (label.upos !== "NOUN" || noun.upos !== "NOUN" || !isDefinite(noun)) return label;
    if (TIMES.has(label.candidate.lemma) || label.candidate.lemma === "عديد") return label;
    const adjective = words[place]?.candidates.find(
      (each) =>
        each.pos === "adj" &&
        each.before === "ال" &&
        each.cost <= label.candidate.cost + (each.lemma.endsWith("ي") ? ADJECTIVE.nisba : ADJECTIVE.dearer) &&
        each.analyses.some((own) => agrees(own, noun.candidate.analysis)),
    );
    return adjective === undefined ? label : { candidate: adjective, upos: "ADJ" };
  });
}

/** Tells whether an adjective can be said of a noun; of a plural its feminine may be. */
function agrees({ features: own }: Analysis, noun: Analysis | undefined): boolean {
  const features = noun?.features ?? {};
  if (numberOf(features) === "p") return numberOf(own) === "p" || genderOf(own) === "f";
  return numberOf(own) === numberOf(features) && genderOf(own) === genderOf(features);
}

/** Words that tell when, and nouns of time, which stand before them: سيارتي أمس, يومي أمس وأول أمس. */
const WHEN: ReadonlySet<string> = new Set(["أمس", "آن", "غد", "يوم"]);
const TIMES: ReadonlySet<string> = new Set([
  "يوم",
  "ليلة",
  "صباح",
  "مساء",
  "ساعة",
  "فترة",
  "أسبوع",
  "شهر",
  "عام",
  "سنة",
]);

/** Tells whether a word tells when by itself: أمس, اليوم. */
const tellsWhen = ({ candidate: { lemma, before } }: Label): boolean =>
  WHEN.has(lemma) && (lemma !== "يوم" || before === "ال");

/** Tells whether a construct can stand before a word: a noun, be it a name, that nothing is joined to. */
function takesConstruct(own: Candidate, behind: Label | undefined): boolean {
  if (behind === undefined) return false;
  if (tellsWhen(behind) && !TIMES.has(own.lemma)) return false;
  if (!BEHIND_CONSTRUCT.has(behind.upos)) return behind.candidate.pos === DIGITS;
  const { before, lemma, analysis } = behind.candidate;
  if (analysis === undefined) return true;
  // What ends in the alef of the accusative is an object: سأل معلمي سؤالا.
  return !PREPOSITIONAL.has(lemma) && !/F$/.test(analysis.ending.form) && !/^(?:[وف]|[بك](?!ل)|ل(?!ل))/u.test(before);
}

/**
 * Tells whether a word with its article can be an adjective of what would be one of two in the construct: منزلي الجديد
 * is "my new house", and فريقي الأهلي والزمالك are two teams.
 */
function isSaidOf({ analysis }: Candidate, behind: WordReadings | undefined, next: WordReadings | undefined): boolean {
  if (analysis === undefined || numberOf(analysis.features) !== "d") return false;
  if (likeliest(next)?.before.startsWith("و") === true) return false;
  const gender = genderOf(analysis.features);
  const isAlike = ({ features }: Analysis): boolean => numberOf(features) === "s" && genderOf(features) === gender;
  return (behind?.candidates ?? []).some(
    ({ pos, before, analyses }) => pos === "adj" && before === "ال" && analyses.some(isAlike),
  );
}

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
  const whole = speechOf(words);
  const speech = whole.first ? speechIn(words) : words.map(() => whole);
  const chosen = labels.map((label, place) => fittingForm(label, { labels, words, place, speech: at(speech, place) }));
  if (!chosen.some(({ candidate }) => saysMine(candidate))) return chosen;
  // Who says "my" anywhere speaks of himself.
  const parts = whole.first ? speech : speechIn(words);
  const mine = new Set(
    chosen
      .flatMap(({ candidate }, place) => (saysMine(candidate) ? [at(parts, place)] : []))
      .filter(({ first }) => !first),
  );
  if (mine.size === 0) return chosen;
  return chosen.map((form, place) => {
    const own = at(parts, place);
    if (!mine.has(own)) return form;
    return fittingForm(at(labels, place), { labels, words, place, speech: { ...own, first: true } });
  });
}

const saysMine = ({ analysis }: Candidate): boolean => analysis?.features.enc0 === "1s_poss";

/** Returns an adjective behind a dual as one, where it is read as a plural in the same letters: خيارين صعبين. */
function dualBehind({ candidate, upos }: Label, before: Label | undefined): Label | undefined {
  const [own, noun] = [candidate.analysis?.features, before?.candidate.analysis?.features];
  if (upos !== "ADJ" || own === undefined || noun === undefined) return undefined;
  if (numberOf(noun) !== "d" || numberOf(own) !== "p") return undefined;
  const analysis = candidate.analyses.find(({ features }) => numberOf(features) === "d" && features.enc0 === own.enc0);
  return analysis && { upos, candidate: { ...candidate, analysis } };
}

type Place = { labels: readonly Label[]; words: readonly WordReadings[]; place: number; speech: Speech };

function fittingForm(label: Label, { labels, words, place, speech }: Place): Label {
  const { candidate } = label;
  const { analyses, pos } = candidate;
  if (candidate.analysis === undefined || analyses.length < 2) return label;
  const dual = dualBehind(label, labels[place - 1]);
  if (dual !== undefined) return dual;
  if (!speech.first && !speech.second && !isWrittenConstruct(candidate.analysis)) return label;
  const isNominal = /^(?:noun|adj)/.test(pos);
  const isNoun = label.upos === "NOUN";
  const before = labels[place - 1];
  const behind = labels.slice(place + 1, place + 3).find(({ candidate: { lemma } }) => !QUOTE.test(lemma));
  const hasNoun = takesConstruct(candidate, behind) && !isSaidOf(candidate, words[place + 1], words[place + 2]);
  // The subject of "was" is in the nominative, where no construct ends in ي: كانت والدتي معلمة.
  const isMine = (each: Analysis): boolean => isBeing(before) && each.ending.letters.endsWith("ي");
  // Of himself nobody says what is written as it is said of another man: لفت.
  const isHis = analyses.some(({ features: { asp, per, gen, num } }) => `${asp} ${per} ${gen} ${num}` === "p 3 m s");
  const hasSubject = isHis || isFeminine(before) || isSubject(behind, labels[place + 2]);
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
