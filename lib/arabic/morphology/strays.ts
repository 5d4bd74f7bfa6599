import { normalForm } from "../../text/mod.ts";
import type { Analysis } from "./analyse.ts";
import { type Candidate, isStrayJussive } from "./candidates.ts";
import { isNounForVerb, isOfOtherLemma, isOneByPlural } from "./collocations.ts";
import type { Features } from "./lexicon.ts";
import type { WordReadings } from "./speech.ts";

/** Words that no finite verb follows, with the conjunctions that can be joined to them. */
const PREPOSITION = /^[وف]?(?:في|الي|علي|عن|اثناء|خلال|بسبب)$/u;

/** A word, and those before it and behind it; undefined at the beginning and the end of a sentence. */
type InPlace = { own: WordReadings; before: WordReadings | undefined; behind: WordReadings | undefined };

/** Tells whether a reading of a word cannot stand where it does. */
export function isStray(reading: Candidate, { own, before, behind }: InPlace): boolean {
  return (
    isStrayJussive(reading, before?.text) ||
    isVerbBehindPreposition(reading, before) ||
    isQadByNoun(reading, behind) ||
    isOtherWish(reading, behind) ||
    isWeByNumber(reading, before) ||
    isYearByNoun(reading, before, behind) ||
    isBareMonday(reading, before) ||
    isOtherByNoun(reading, before, behind) ||
    isActByPlural(reading, { own, before, behind }) ||
    isAbuByNone(reading, behind) ||
    isUnlike(reading, behind) ||
    isMineByNoun(reading, behind) ||
    isOtherParticle(reading, { own, before, behind }) ||
    isWordByName(reading, { own, before, behind }) ||
    isNounBehindParticle(reading, { own, before, behind }) ||
    isVerbOfNoun(reading, { own, before, behind }) ||
    isHers(reading, { own, before, behind }) ||
    isOfOtherGender(reading, { own, before, behind }) ||
    isNameByTanwin(reading, own) ||
    isOfTwoByFor(reading, own, behind) ||
    isVerbByBeing(reading, own, before) ||
    isVerbOfCalled(reading, own, before) ||
    isAdjectiveOfHis(reading, own) ||
    isOfThem(reading, own) ||
    isOfOtherLemma(reading, { own, before, behind }) ||
    isNounForVerb(reading, { own, before, behind }) ||
    isOneByPlural(reading, { own, before, behind }) ||
    isMySir(reading, before, behind)
  );
}

/** Tells whether all that the lexicon has a word as is of a part of speech, and there is something. */
const isOnly = (word: WordReadings | undefined, pos: RegExp): boolean =>
  readingsOf(word).length > 0 && readingsOf(word).every((each) => pos.test(each.pos));

/** Returns the readings of a word that are no guesses. */
const readingsOf = (word: WordReadings | undefined): readonly Candidate[] =>
  (word?.candidates ?? []).filter(({ analysis, pos }) => analysis !== undefined || pos === "punc");

/** Returns gender and number of a form: what it is before what it looks like. */
export const genderOf = ({ gen, form_gen }: Features): string | undefined => gen ?? form_gen;
export const numberOf = ({ num, form_num }: Features): string | undefined => num ?? form_num;

/** Returns the likeliest reading of a word by itself. */
export const likeliest = (word: WordReadings | undefined): Candidate | undefined => word?.candidates[0];

const hasArticle = (word: WordReadings | undefined): boolean => /^[وف]?(?:[بك]?ال|لل)/u.test(word?.letters ?? "");

/** Nobody speaks of himself behind a number: in ٧ ونصف is a half, and not "we describe". */
function isWeByNumber({ pos, analyses }: Candidate, before: WordReadings | undefined): boolean {
  const isOfUs = pos === "verb" && analyses.length > 0 && analyses.every(({ features }) => features.per === "1");
  return isOfUs && likeliest(before)?.pos === "digit";
}

/** Adjectives that a year has. */
const OF_YEAR =
  /^ال(?:ماضي|حالي|جاري|مقبل|قادم|منصرم|فايت|فائت|منقضي|سابق|جديد|دراسي|جامعي|مالي|هجري|ميلادي|تالي|نفسه|ذاته|اول|ثاني|ثالث)$/u;

/** Those of them that nobody has who is general: المدير العام الحالي is one. */
const ONLY_OF_YEAR = /^ال(?:ماضي|مقبل|قادم|منصرم|فايت|فائت)$/u;

/** Behind a noun in the masculine العام is "general" (الاتحاد العام), unless what follows is said of a year. */
function isYearByNoun(
  { pos, lemma, before: clitics }: Candidate,
  before: WordReadings | undefined,
  behind: WordReadings | undefined,
): boolean {
  if (lemma !== "عام" || clitics !== "ال") return false;
  if (pos === "adj") return ONLY_OF_YEAR.test(behind?.letters ?? "");
  if (pos !== "noun" || !hasArticle(before)) return false;
  if (OF_YEAR.test(behind?.letters ?? "") || likeliest(behind)?.pos === "digit") return false;
  const { pos: kind, analyses = [] } = likeliest(before) ?? {};
  return kind === "noun" && analyses.every(({ features }) => numberOf(features) !== "p" && genderOf(features) !== "f");
}

/** The days of the week have the article, or the word day before them: حافلتين اثنين are two. */
function isBareMonday({ analysis, before: clitics }: Candidate, before: WordReadings | undefined): boolean {
  return analysis?.lemma.form === "{ivonayoni" && !/ل$/u.test(clitics) && likeliest(before)?.lemma !== "يوم";
}

/** Before a noun آخر is the last, and behind one another: آخر أربعة أطفال, طفل آخر. */
function isOtherByNoun(
  { pos, analysis }: Candidate,
  before: WordReadings | undefined,
  behind: WordReadings | undefined,
): boolean {
  if (analysis?.lemma.form !== "|xar" || pos !== "adj_comp" || hasPronounOrArticle(analysis)) return false;
  const isNoun =
    /^(?:noun|adj)/.test(likeliest(before)?.pos ?? "") && !PREPOSITIONAL.has(likeliest(before)?.lemma ?? "");
  if (isNoun && !hasArticle(before)) return false;
  const next = likeliest(behind);
  return next !== undefined && /^noun(?!_prop)/.test(next.pos) && /^(?:ال)?$/.test(next.before);
}

const hasPronounOrArticle = ({ features: { prc0, enc0, num, form_gen } }: Analysis): boolean =>
  prc0?.startsWith("Al") === true || (enc0 ?? "0") !== "0" || num === "p" || form_gen === "f";

/** At the head of a clause, before a plural without article, what is written as a comparative is one: أبرز أخبار. */
function isActByPlural({ pos }: Candidate, { own, before, behind }: InPlace): boolean {
  if (pos !== "verb" || !(before === undefined || isOnly(before, /^punc/))) return false;
  if (!own.candidates.some((each) => each.pos === "adj_comp" && each.before === "")) return false;
  const { pos: next, before: clitics, analyses = [], after = "" } = likeliest(behind) ?? {};
  if (next !== "noun" || clitics !== "" || after.endsWith("ا")) return false;
  return analyses.length > 0 && analyses.every(({ features }) => numberOf(features) === "p");
}

/** أبي is a part of a name before its other part, and "my father" where none follows. */
function isAbuByNone({ pos, lemma, before: clitics }: Candidate, behind: WordReadings | undefined): boolean {
  if (pos !== "noun_prop" || lemma !== "أبي" || clitics !== "") return false;
  return !/^(?:noun|adj|foreign)/.test(likeliest(behind)?.pos ?? "");
}

const DIRECTIONS: ReadonlySet<string> = new Set(["شرق", "غرب", "شمال", "جنوب"]);

/** Nobody has a direction that a noun is behind: شرقي تركيا. */
function isMineByNoun({ lemma, analyses }: Candidate, behind: WordReadings | undefined): boolean {
  if (!DIRECTIONS.has(lemma) || !analyses.every(({ features }) => features.enc0 === "1s_poss")) return false;
  const { pos = "", before = "" } = likeliest(behind) ?? {};
  return /^noun/.test(pos) && /^(?:ال)?$/u.test(before);
}

/**
 * A plural of things, or a feminine, is not what a masculine adjective behind it is said of, and nobody of whom no more
 * is told does anything: فرق شاسع. Those who are called by their country do (قتل فلسطيني).
 */
function isUnlike({ pos, analyses }: Candidate, behind: WordReadings | undefined): boolean {
  if (!/^(?:noun|verb)$/.test(pos) || analyses.length === 0 || !isOnly(behind, /^adj$/)) return false;
  const isMasculine = (each: Candidate): boolean =>
    each.before === "" &&
    each.analyses.length > 0 &&
    each.analyses.every(({ features }) => genderOf(features) === "m" && numberOf(features) === "s");
  const adjectives = readingsOf(behind);
  if (!adjectives.every(isMasculine)) return false;
  if (pos === "verb") return adjectives.every(({ lemma }) => !lemma.endsWith("ي"));
  return analyses.every(({ features }) => {
    const isBare = (features.enc0 ?? "0") === "0" && features.prc0?.startsWith("Al") !== true;
    return isBare && (numberOf(features) === "p" || genderOf(features) === "f");
  });
}

/** Letters of والا. */
const MAX_PARTICLE_LETTERS = 4;

/** Before أن what is written الا is "but", and without article ان is no time: إلا أن, لا شك في أن. */
function isOtherParticle({ lemma, before: clitics }: Candidate, { own, behind }: InPlace): boolean {
  if (own.letters.length > MAX_PARTICLE_LETTERS) return false;
  if (/^[وف]?الا$/u.test(own.letters)) return lemma !== "إلا" && /^ان/u.test(behind?.letters ?? "");
  return own.letters === "ان" && lemma === "آن" && clitics === "" && behind?.letters !== "واحد";
}

/** Tells whether a reading is a man's finite verb in the perfect, without pronoun. */
const isHisPerfect = ({ analyses }: Candidate): boolean =>
  analyses.some(
    ({ features: { asp, per, gen, num, enc0 } }) =>
      `${asp} ${per} ${gen} ${num}` === "p 3 m s" && (enc0 ?? "0") === "0",
  );

/** Returns words, and each with one of some letters before it. */
function withClitics(clitics: string, words: string): ReadonlySet<string> {
  return new Set(words.split(" ").flatMap((word) => ["", ...clitics].map((clitic) => clitic + word)));
}

/** Particles that a verb stands behind. */
const BEFORE_VERB = withClitics("وفل", "قد لقد مما عندما بعدما حينما كلما اذ ريثما طالما");

/** Tells whether a noun without article stands where a verb in the same letters does: إذ تبادل. */
function isNounBehindParticle({ pos, before: clitics }: Candidate, { own, before }: InPlace): boolean {
  if (pos !== "noun" || clitics !== "" || !BEFORE_VERB.has(before?.letters ?? "")) return false;
  return own.candidates.some((each) => each.before === "" && isHisPerfect(each));
}

/** Prepositions and nouns that a verbal noun stands behind, and not the verb in the same letters. */
const BY_VERBAL_NOUN = withClitics(
  "وفبل",
  "مع لدي ضد نحو حول عبر بدون دون تحت ضمن عدم بشان منع عند جراء نتيجه بهدف بغيه قصد",
);

/**
 * Tells whether a man's verb stands behind a feminine noun without article, or what takes a noun, where the word can be
 * a noun as well: تقييد نشر, قضية فض اعتصام.
 */
function isVerbOfNoun(reading: Candidate, { own, before, behind }: InPlace): boolean {
  if (reading.pos !== "verb" || reading.before !== "" || !isHisPerfect(reading)) return false;
  if (
    !own.candidates.some(
      ({ pos, before: clitics, analysis }) => pos === "noun" && clitics === "" && analysis !== undefined,
    )
  )
    return false;
  if (BY_VERBAL_NOUN.has(before?.letters ?? "")) return true;
  // رسالة كتب فيها: what is told of the noun has its pronoun.
  if (OF_HER.test(behind?.letters ?? "")) return false;
  return /ة\p{M}*$/u.test(before?.text ?? "") && !hasArticle(before) && isOnly(before, /^noun$/);
}

/** Prepositions with the pronoun of a feminine. */
const OF_HER = /^(?:في|ب|ل|عن|من|علي|الي)ها$/u;

/** Words with the pronoun of a man or a thing, whose verb is no woman's: أنه تحدث. */
const OF_HIM = /^[وفبل]?(?:ان|لكن|لان|كان)ه$/u;

/** Tells whether a verb is a woman's in the imperfect where what stands before it is a man's in the perfect. */
function isHers(reading: Candidate, { own, before }: InPlace): boolean {
  if (reading.pos !== "verb" || !OF_HIM.test(before?.letters ?? "")) return false;
  return (
    reading.analyses.every((each) => isHerImperfect(each)) &&
    own.candidates.some((each) => each.pos === "verb" && each.before === "" && isHisPerfect(each))
  );
}

/**
 * Tells whether a verb at the head of a clause is of the other gender than the noun with article behind it, where one
 * in its letters is of the same: تغيب الوزير is his perfect, and تعرض الشركة her imperfect.
 */
function isOfOtherGender(reading: Candidate, { own, before, behind }: InPlace): boolean {
  if (reading.pos !== "verb" || !(before === undefined || isOnly(before, /^punc/)) || !hasArticle(behind)) return false;
  const subjects = readingsOf(behind);
  const areAll = (gender: string): boolean =>
    subjects.length > 0 &&
    subjects.every(
      ({ pos, before: clitics, analyses }) =>
        /^noun/.test(pos) &&
        clitics === "ال" &&
        analyses.every(
          ({ features }) => genderOf(features) === gender && (gender === "m" || numberOf(features) === "s"),
        ),
    );
  if (areAll("m")) {
    const isHers = reading.analyses.every((each) => isHerImperfect(each));
    return isHers && own.candidates.some((each) => each.pos === "verb" && each.before === "" && isHisPerfect(each));
  }
  const isHis = reading.analyses.every(({ features: { asp, gen } }) => asp !== "i" && gen === "m");
  if (!areAll("f") || !isHis) return false;
  return own.candidates.some(
    (each) => each.pos === "verb" && each.before === "ت" && each.analyses.some((one) => isHerImperfect(one)),
  );
}

const isHerImperfect = ({ features: { asp, gen, per } }: Analysis): boolean =>
  asp === "i" && (gen === "f" || per === "2");

/** Tells whether a name behind a preposition is read in what is also the accusative of a noun: بيوتا. */
function isNameByTanwin({ pos, before }: Candidate, { letters, candidates }: WordReadings): boolean {
  if (pos !== "noun_prop" || !/^[بلك]$/u.test(before) || !letters.endsWith("ا")) return false;
  return candidates.some((each) => each.pos === "noun" && each.before === "" && each.after.endsWith("ا"));
}

/** Tells whether two did what is an accusative before ل: طبقا لما, وتبعا لذلك. */
function isOfTwoByFor(
  { pos, before, analyses }: Candidate,
  { candidates }: WordReadings,
  behind: WordReadings | undefined,
) {
  if (pos !== "verb" || analyses.length === 0 || !/^ل/u.test(behind?.letters ?? "")) return false;
  if (!analyses.every(({ features: { num, asp } }) => num === "d" && asp === "p")) return false;
  return candidates.some((each) => each.pos === "noun" && each.before === before && each.after.endsWith("ا"));
}

/** Tells whether a verb stands behind the particle of who is called, where a noun does: يا بنت. */
const isVerbOfCalled = ({ pos }: Candidate, { candidates }: WordReadings, before: WordReadings | undefined): boolean =>
  pos === "verb" && before?.letters === "يا" && candidates.some((each) => each.pos === "noun" && each.before === "");

/** Tells whether a perfect stands behind the imperfect of "to be", where a comparative does: تكون أضعف. */
function isVerbByBeing({ pos, analyses }: Candidate, { candidates }: WordReadings, before: WordReadings | undefined) {
  const isBeing = ({ lemma, analyses: forms }: Candidate): boolean =>
    lemma === "كان" && forms.some(({ features }) => features.asp === "i");
  if (pos !== "verb" || !analyses.some(({ features }) => features.asp === "p")) return false;
  return before?.candidates.some(isBeing) === true && candidates.some((each) => each.pos === "adj_comp");
}

/** Tells whether an adjective has a pronoun where a noun in its letters has it: أمنيته. */
function isAdjectiveOfHis(reading: Candidate, { candidates }: WordReadings): boolean {
  const hasPronoun = ({ analysis }: Candidate): boolean => (analysis?.features.enc0 ?? "0") !== "0";
  return (
    reading.pos === "adj" && hasPronoun(reading) && candidates.some((each) => each.pos === "noun" && hasPronoun(each))
  );
}

/** God is called upon with اللهم, which is nobody's grief. */
const isOfThem = ({ pos }: Candidate, { letters }: WordReadings): boolean => letters === "اللهم" && pos !== "interj";

/** Before a name سيدي is the beginning of one (سيدي بوزيد), but not behind the particle of who is called. */
function isMySir(
  { pos, lemma, analyses }: Candidate,
  before: WordReadings | undefined,
  behind: WordReadings | undefined,
) {
  if (pos !== "noun" || lemma !== "سيد" || analyses.length === 0 || before?.letters === "يا") return false;
  return analyses.some(({ features }) => features.enc0 === "1s_poss") && isName(behind);
}

/** Says from which cost on a lemma is rather no word beside a name, and one that something is joined to. */
const RARE_BY_NAME = { bare: 30, joined: 26 };

/**
 * Letters that a part of a name has at most that looks like a rare word, and like one that something is joined to, or
 * "and" is.
 */
const MAX_NAME_LETTERS = { bare: 7, joined: 5, and: 3 };

/**
 * Tells whether a reading is of a rare word, without article, behind a name or before a word that nobody knows, where
 * it is rather the other part of a name: ستيف بلوك, لوكا مودريتش.
 */
function isWordByName(reading: Candidate, { own, before, behind }: InPlace): boolean {
  const [cheapest] = own.candidates;
  if (cheapest?.analysis === undefined || cheapest.analysis.lemma.cost < RARE_BY_NAME.joined) return false;
  if (own.letters.length > MAX_NAME_LETTERS.bare || isGuessedName(reading) || hasArticle(own)) return false;
  if (!own.candidates.some(isGuessedName)) return false;
  if (own.candidates.some(({ analyses }) => analyses.some(({ features }) => features.asp === "i"))) return false;
  const { lemma } = cheapest.analysis;
  const letters = own.letters.length;
  if (cheapest.before === "" && cheapest.pos !== "noun_prop")
    return lemma.cost >= RARE_BY_NAME.bare && letters <= MAX_NAME_LETTERS.bare && (isName(before) || isUnknown(behind));
  const joined = cheapest.pos === "noun_prop" ? /^[بفلك]$/u : /^[بفكو]$/u;
  const most = cheapest.before === "و" ? MAX_NAME_LETTERS.and : MAX_NAME_LETTERS.joined;
  if (!joined.test(cheapest.before) || letters > most) return false;
  return lemma.cost >= RARE_BY_NAME.joined && isName(before);
}

/** Tells whether a reading is a guess that a word is a name, with all its letters. */
const isGuessedName = ({ pos, before, analysis }: Candidate): boolean =>
  pos === "noun_prop" && before === "" && analysis === undefined;

/** Tells whether all that the lexicon has a word as is a name, and whether it has it as nothing at all. */
const isName = (word: WordReadings | undefined): boolean =>
  isUnknown(word) || (isOnly(word, /^noun_prop$/) && likeliest(word)?.before === "");
const isUnknown = (word: WordReadings | undefined): boolean =>
  word !== undefined &&
  !word.letters.startsWith("و") &&
  word.candidates.some(isGuessedName) &&
  word.candidates.every(({ analysis }) => analysis === undefined);

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

/** Nouns that stand as prepositions, which the lexicon has among nouns. */
export const PREPOSITIONAL: ReadonlySet<string> = new Set([
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
