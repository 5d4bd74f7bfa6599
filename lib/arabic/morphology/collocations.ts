import { type Candidate, vowelledLemma } from "./candidates.ts";
import type { WordReadings } from "./speech.ts";

/**
 * Words that are one lemma where they stand: letters in normal form without conjunction, the lemma, the words before
 * and behind, in normal form too; `-` for any. Every one was read otherwise in news.
 */
const COLLOCATIONS = `
توفي تَوَفَّى - -
توفيت تَوَفَّى - -
تراس تَرَأَّس - -
تراست تَرَأَّس - -
كلا كِلَا - ال.+
كلا كُلّ - من
فضلا فَضل - عن
دعت دَعَا - -
دعا دَعَا - -
عمان عُمَان (?:سلطنه|خليج|بحر|وسلطنه|بسلطنه|لسلطنه) -
الحكم حَكَم (?:صافره|احتسب|اشهر|طرد|انذر|الغي|استشار|عاد|اطلق) -
الحكم حَكَم - (?:المساعد|الرابع|الاسباني|الايطالي|الانجليزي|الالماني|الفرنسي|البرتغالي|الهولندي|التركي|المغربي)
للحكم حَكَم - (?:المساعد|الرابع|الاسباني|الايطالي|الانجليزي|الالماني|الفرنسي|البرتغالي|الهولندي|التركي|المغربي)
سلام سَلام (?:اتفاق|اتفاقيه|معاهده|عمليه|محادثات|مباحثات|خطه|مفاوضات|قوات|رساله|رجل|موتمر) -
ودعا وَدَّع (?:الذي|اللذين|اللذان|قد) -
ودعت وَدَّع (?:التي|قد) -
ودعا وَدَّع - ال(?:مونديال|بطوله|منافسات|كاس|مسابقه|دوري|ملاعب)
ودعت وَدَّع - ال(?:مونديال|بطوله|منافسات|كاس|مسابقه|دوري|ملاعب)
ودع وَدَّع - ال(?:مونديال|بطوله|منافسات|كاس|مسابقه|دوري|ملاعب)
بيان بَيان في -
من مَن - (?:هو|هي)
يشاركن شَارَك - -
بغاز غاز - ال.+
يعد عَدّ (?:ما|مما|الذي) -
تعد عَدّ (?:ما|مما|التي) -
مصرعهم مَصرَع - -
مصرعه مَصرَع - -
مصرعها مَصرَع - -
وقعت وَقَع - (?:ال)?(?:حادث|حادثه|سرقه|جريمه|هجوم|انفجار|انفجارات|زلزال|كارثه|حرب|اشتباكات|مواجهات|قتلي|اصابات|خسائر|عمليه)
وقع وَقَع - (?:ال)?(?:حادث|حادثه|سرقه|جريمه|هجوم|انفجار|انفجارات|زلزال|كارثه|حرب|اشتباكات|مواجهات|قتلي|اصابات|خسائر|عمليه)
واقعه واقِعَة - (?:تحرش|اغتصاب|اعتداء|قتل|سرقه|الاعتداء|التحرش|القتل|اطلاق|وفاه|مقتل)
`
  .trim()
  .split("\n")
  .map((line) => {
    const [letters = "", lemma = "", ...around] = line.split(" ");
    const [before, behind] = around.map((pattern) =>
      pattern === "-" ? undefined : new RegExp(`^(?:${pattern})$`, "u"),
    );
    return { letters, lemma: lemma.normalize("NFC"), before, behind };
  });

/** Returns words with their conjunctions, so that a word is looked up and not taken apart. */
const joined = (words: string): string[] => words.split(" ").flatMap((word) => [word, `و${word}`, `ف${word}`]);

/** Rules by the letters of words: those that have the conjunction come before those that do not. */
const BY_LETTERS = new Map<string, typeof COLLOCATIONS>();
for (const bare of [false, true]) {
  for (const rule of COLLOCATIONS) {
    const [written = "", ...others] = joined(rule.letters);
    for (const letters of bare ? others : [written])
      BY_LETTERS.set(letters, [...(BY_LETTERS.get(letters) ?? []), rule]);
  }
}

/** A word between others; undefined at the beginning and the end of a sentence. */
type Between = { own: WordReadings; before: WordReadings | undefined; behind: WordReadings | undefined };

/** Tells whether a word is another lemma than a reading's where it stands, by the words beside it: كلا الجانبين. */
export function isOfOtherLemma(reading: Candidate, { own, before, behind }: Between): boolean {
  const rule = BY_LETTERS.get(own.letters)?.find(
    (each) =>
      (each.before?.test(before?.letters ?? "") ?? true) &&
      (each.behind?.test(behind?.letters ?? "") ?? true) &&
      own.candidates.some((candidate) => lemmaOf(candidate) === each.lemma),
  );
  return rule !== undefined && lemmaOf(reading) !== rule.lemma;
}

const lemmaOf = (reading: Candidate): string => vowelledLemma(reading).normalize("NFC");

/** Relative pronouns, and particles that a verb stands behind, with conjunctions. */
const BEFORE_HER: ReadonlySet<string> = new Set(
  joined("الذي التي الذين اللذين اللذان حين حينما عندما بعدما قبلما لما مما كما قد لقد ان"),
);

/** The end of a woman's perfect with its object. */
const HER_ACT = /ت(?:ه|ها|هم|هما|هن|ني|نا|ك)$/u;

/**
 * Tells whether a noun with a pronoun stands behind a relative where a woman's verb in its letters does, or a noun
 * behind "still" where a verb does: الذي قادته الولايات, ما زالت تأمل.
 */
export function isNounForVerb(reading: Candidate, { own, before }: Between): boolean {
  if (!/^noun/.test(reading.pos)) return false;
  const isVerb = (asp: string) => (each: Candidate) =>
    each.pos === "verb" && each.analyses.some(({ features }) => features.asp === asp);
  if (STILL.has(before?.letters ?? "") && reading.before === "") return own.candidates.some(isVerb("i"));
  if (!BEFORE_HER.has(before?.letters ?? "") || !HER_ACT.test(own.letters)) return false;
  const isOfSomeone = ({ analysis }: Candidate): boolean => (analysis?.features.enc0 ?? "0") !== "0";
  return isOfSomeone(reading) && own.candidates.some((each) => isVerb("p")(each) && isOfSomeone(each));
}

/** "Still", in its forms. */
const STILL: ReadonlySet<string> = new Set(joined("زال زالت زالوا زلنا زلت يزال تزال نزال يزالون"));

/** Says how much dearer the noun may be that is meant as a plural. */
const DEARER_PLURAL = 3;

/**
 * Tells whether a man or a thing with article stands before an adjective of a woman or of things, where the plural of
 * another noun is written so: المرافق الصحية are facilities and no companion. Behind a feminine in the construct the
 * adjective is said of that: وزارة العدل الأميركية.
 */
export function isOneByPlural(reading: Candidate, { own, before, behind }: Between): boolean {
  if (!/^(?:noun|adj)$/.test(reading.pos) || !DEFINITE.test(reading.before)) return false;
  if (reading.before === "ال" && isHerConstruct(before)) return false;
  const adjective = behind?.candidates[0];
  if (adjective?.pos !== "adj" || adjective.before !== "ال" || !areOf(adjective, "f")) return false;
  if (!areOf(reading, "m")) return false;
  return own.candidates.some(
    ({ pos, before: clitics, analysis, cost }) =>
      pos === "noun" &&
      DEFINITE.test(clitics) &&
      analysis?.features.num === "p" &&
      analysis.features.rat === "i" &&
      cost <= reading.cost + DEARER_PLURAL,
  );
}

const DEFINITE = /(?:ال|لل)$/u;

/** Tells whether all forms of a reading are of one, and of a gender. */
const areOf = ({ analyses }: Candidate, gender: "m" | "f"): boolean =>
  analyses.length > 0 &&
  analyses.every(
    ({ features: { gen, form_gen, num, form_num } }) => (gen ?? form_gen) === gender && (num ?? form_num) === "s",
  );

/** Tells whether a word is likeliest a feminine noun without article or pronoun. */
function isHerConstruct(word: WordReadings | undefined): boolean {
  const [noun] = word?.candidates ?? [];
  if (noun?.analysis === undefined || !/^noun/.test(noun.pos) || DEFINITE.test(noun.before)) return false;
  const { gen, form_gen, num, enc0 } = noun.analysis.features;
  return ((gen ?? form_gen) === "f" || num === "p") && (enc0 ?? "0") === "0";
}
