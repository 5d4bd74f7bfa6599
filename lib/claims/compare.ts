import { wordForm } from "../text/word-terms.ts";
import { type Name, namesApart, readNames, sharedWords, type Word, wordsOf } from "./names.ts";
import { type NumberFacts, readNumbers } from "./numbers.ts";

/** Says which way a sentence says that something went, on each axis that it speaks of: 1, -1, or both (0). */
type Polarity = { negated: boolean; axes: ReadonlyMap<Axis, -1 | 0 | 1> };

type Axis = "amount" | "consent" | "open" | "win" | "free" | "allow" | "sanction" | "guilt" | "presence" | "office";

/** Words in their normal form, which has no apostrophe: `didnt`. */
const NEGATORS_EN =
  /^(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|(?:do|does|did|is|are|was|were|has|have|had|wo|would|ca|could|should|must|need|ai)nt|unchanged|untrue|false|falsely|den(?:y|ies|ied|ying|ial)|refut(?:e|es|ed|ing)|debunk(?:s|ed)?|hoax|lack(?:s|ed)?)$/;
const NEGATORS_AR = new Set(
  "لا لم لن ليس ليست ليسوا لست ولا ولم ولن وليس وليست فلا فلم بلا دون بدون غير عدم بعدم لعدم وعدم خال خالي خالية خلت خلا انعدام"
    .split(" ")
    .map(wordForm),
);
const DENIALS_AR =
  /^[وف]?(?:[يت]?نف[ىيت]|نف(?:ت|وا|ى)|نفي(?:ه|ها|هم)?|نافي(?:ا|ه)|ينف(?:ي|ون)|انكر|تنكر|ينكر|كذب|تكذب|يكذب|تكذيب|دحض|يدحض|تدحض|فند|يفند|تفند)/;

/** Holds what says one way or the other; tested on a word in its normal form. */
const AXES: readonly { axis: Axis; up: RegExp; down: RegExp }[] = [
  {
    axis: "amount",
    up: /^(?:r[io]se(?:s|n)?|rising|climb(?:s|ed|ing)?|increas(?:e|es|ed|ing)|gr[eo]w(?:s|n|ing)?|growth|soar(?:s|ed|ing)?|surg(?:e|es|ed|ing)|jump(?:s|ed|ing)?|rais(?:e|es|ed|ing)|higher|highest|more|up|doubl(?:e|es|ed|ing)|strengthen(?:s|ed|ing)?|expand(?:s|ed|ing)?|gain(?:s|ed|ing)?)$|^(?:[وفبل]|ال|وال)?(?:[يتن]?رتفع|ارتف[عا]|ازداد|[يت]زداد|زاد|[يت]زيد|زياد|صعد|[يت]صعد|صعود|تصاعد|نما$|نمت$|[يت]?نمو|رفع|[يت]رفع|تضاعف|اتسع|[يت]تسع|توسع|قفز|اعلى|اكثر|تحسن)/,
    down: /^(?:f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|shr[aiu]nk(?:s|ing)?|slump(?:s|ed)?|plung(?:e|es|ed)|cuts?|cutting|lower|lowered|lowest|reduc(?:e|es|ed|ing)|less|fewer|fewest|down|halv(?:e|es|ed)|weaken(?:s|ed|ing)?|slid(?:e|es)?)$|^(?:[وفبل]|ال|وال)?(?:[يتن]?نخفض|انخف[ضا]|[يت]?تراجع|هبط|[يت]هبط|هبوط|نزل|[يت]نزل|تقلص|[يت]تقلص|قلص|[يت]قلص|انكم[شا]|[يت]نكمش|تدن[ىيت]|خفض|[يت]خفض|تخفيض|قل$|قلت$|نقص|تناقص|ادنى|اقل$)/,
  },
  {
    axis: "consent",
    up: /^(?:accept(?:s|ed|ing)?|agree(?:s|d|ing)?|approv(?:e|es|ed|ing|al)|pass(?:es|ed)?|back(?:s|ed)?|endors(?:e|es|ed)|adopt(?:s|ed)?|ratif(?:y|ies|ied))$|^(?:[وف])?(?:وافق|[يت]وافق|موافق|قبل(?:ت|وا)$|[يت]قبل|اقر$|اقرت$|[يت]قر$|اقرار|ايد|[يت]ؤيد)/,
    down: /^(?:reject(?:s|ed|ing|ion)?|refus(?:e|es|ed|ing|al)|oppos(?:e|es|ed|ing)|veto(?:es|ed)?|declined)$|^(?:[وف]|ال)?(?:رفض|[يت]رفض|عارض|[يت]عارض)/,
  },
  {
    axis: "open",
    up: /^(?:(?:re)?open(?:s|ed|ing)?|resum(?:e|es|ed|ing)|restor(?:e|es|ed|ing))$|^[وف]?(?:ا?فتح|[يت]?فتتح|افتتح|استانف|[يت]ستانف|استئناف)/,
    down: /^(?:clos(?:e|es|ed|ing|ure)|shut(?:s|ting)?|suspend(?:s|ed|ing)?|halt(?:s|ed|ing)?|cancel(?:s|led|ed)?)$|^[وف]?(?:اغلق|[يت]غلق|اغلاق|علق|[يت]علق|تعليق|اوقف|الغ[ىيت]|الغاء)/,
  },
  {
    axis: "win",
    up: /^(?:w[io]n(?:s|ning)?|victory)$|^[وف]?(?:فاز|[يت]فوز|فوز|كسب|[يت]كسب|انتصر)/,
    down: /^(?:los(?:e|es|t|ing)|defeat)$|^[وف]?(?:خسر|[يت]خسر|فقد|[يت]فقد|انهزم)/,
  },
  {
    axis: "free",
    up: /^(?:releas(?:e|es|ed|ing)|freed)$|^[وف]?(?:افرج|[يت]فرج|الافراج|سراح)/,
    down: /^(?:arrest(?:s|ed|ing)?|detain(?:s|ed|ing)?|captur(?:e|ed|es)|seiz(?:e|ed|es)|kidnap(?:s|ped)?)$|^[وف]?(?:احتجز|[يت]حتجز|احتجاز|اعتقل|[يت]عتقل|اعتقال|خطف)/,
  },
  {
    axis: "allow",
    up: /^(?:allow(?:s|ed|ing)?|permit(?:s|ted)?|legali[sz](?:e|es|ed)|lift(?:s|ed)?)$|^[وف]?(?:سمح|[يت]سمح|اجاز|[يت]جيز)/,
    down: /^(?:ban(?:s|ned|ning)?|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|outlaw(?:s|ed)?)$|^[وف]?(?:حظر|[يت]حظر|منع|[يت]منع)/,
  },
  {
    axis: "sanction",
    up: /^(?:impos(?:e|es|ed|ing)|slap(?:s|ped)?)$|^[وف]?(?:فرض|[يت]فرض)/,
    down: /^lift(?:s|ed|ing)?$/,
  },
  {
    axis: "guilt",
    up: /^(?:sentenc(?:e|es|ed)|convict(?:s|ed|ion)?|jail(?:s|ed)?|guilty|imprison(?:s|ed)?)$|^[وف]?(?:ادان|[يت]دين|بالسجن|بحبس|السجن)/,
    down: /^(?:acquit(?:s|ted|tal)?|exonerat(?:e|ed|es)|innocent|cleared)$|^[وف]?(?:برات|برا$|[يت]برئ|تبرئ|براء)/,
  },
  {
    axis: "presence",
    up: /^(?:enter(?:s|ed|ing)?|join(?:s|ed|ing)?|arriv(?:e|es|ed|ing))$|^[وف]?(?:دخل|[يت]دخل|انضم|[يت]نضم|وصل|[يت]صل$)/,
    down: /^(?:withdr[ae]w(?:s|n|al)?|pull(?:s|ed)?|leav(?:e|es|ing)|left|quit(?:s)?|retreat(?:s|ed)?)$|^[وف]?(?:انسحب|[يت]نسحب|انسحاب|غادر|[يت]غادر)/,
  },
  {
    axis: "office",
    up: /^(?:appoint(?:s|ed|ing|ment)?|hir(?:e|es|ed))$|^[وف]?(?:عين$|عينت|تعيين)/,
    down: /^(?:resign(?:s|ed|ing|ation)?|sack(?:s|ed)?|dismiss(?:es|ed|al)?|fir(?:ed|ing))$|^[وف]?(?:استقال|[يت]ستقيل|اقال|اقيل|[يت]قيل)/,
  },
];

/** Two words that say that something is not. */
const PHRASES = /\b(?:ran|run|runs|running) out\b|\bfree of\b|\bno longer\b/i;

/** Reads which way a sentence goes. `forms`: its words in normal form. */
export function readPolarity(text: string, forms: readonly string[]): Polarity {
  const axes = new Map<Axis, -1 | 0 | 1>();
  let negated = PHRASES.test(text);
  for (const form of forms) {
    if (form.length > 24) continue;
    if (NEGATORS_EN.test(form) || NEGATORS_AR.has(form) || DENIALS_AR.test(form)) negated = true;
    for (const { axis, up, down } of AXES) {
      const way = up.test(form) ? 1 : down.test(form) ? -1 : undefined;
      if (way === undefined) continue;
      const before = axes.get(axis);
      axes.set(axis, before === undefined || before === way ? way : 0);
    }
  }
  return { negated, axes };
}

/**
 * Tells whether two sentences say the opposite of one another. Who does not accept rejects; what did not rise has not
 * fallen for that.
 */
export function isOpposite(a: Polarity, b: Polarity): boolean {
  let isReversed = false;
  for (const [axis, way] of a.axes) {
    if (way * (b.axes.get(axis) ?? 0) !== -1) continue;
    if (axis === "amount") return true;
    isReversed = true;
  }
  return (a.negated !== b.negated) !== isReversed;
}

/** Everything of a sentence that has to agree with another one for both to claim the same. */
export type Facts = {
  words: readonly Word[];
  names: readonly Name[];
  numbers: NumberFacts;
  polarity: Polarity;
};

/** Reads the facts of a sentence; `names`: as a tagger found them in it. */
export function readFacts(text: string, names: readonly string[] = []): Facts {
  const { words, forms } = wordsOf(text);
  return { words, names: readNames(names), numbers: readNumbers(text), polarity: readPolarity(text, forms) };
}

/** Says how two sentences compare, but for what they mean. */
export type Agreement = {
  /** Holds what contradicts: such two never claim the same. */
  conflict: "number" | "date" | "name" | "direction" | undefined;
  /** Shares of the words of each that the other has, and the mean of both. */
  ofA: number;
  ofB: number;
  /** Numbers that both have; those that one lacks. */
  shared: number;
  extra: number;
  /** Names that one lacks. */
  apart: number;
};

/** Compares the facts of two sentences. */
export function compareFacts(a: Facts, b: Facts): Agreement {
  const quantities = leftOver(
    a.numbers.quantities,
    b.numbers.quantities,
    (x, y) => x.unit === y.unit && Math.abs(x.value - y.value) <= TOLERANCE * Math.max(x.value, y.value),
  );
  const equal = (x: number, y: number) => x === y;
  const dates = [
    leftOver(a.numbers.years, b.numbers.years, equal),
    leftOver(a.numbers.months, b.numbers.months, equal),
    leftOver(a.numbers.days, b.numbers.days, equal),
    leftOver(a.numbers.weekdays, b.numbers.weekdays, equal),
  ];
  const names = namesApart(a, b);
  const { inA, inB } = sharedWords(a.words, b.words);
  const isApart = ({ ofA, ofB }: { ofA: number; ofB: number }) => ofA > 0 && ofB > 0;
  return {
    conflict: isApart(quantities)
      ? "number"
      : dates.some(isApart)
        ? "date"
        : isApart(names)
          ? "name"
          : isOpposite(a.polarity, b.polarity)
            ? "direction"
            : undefined,
    ofA: share(inB),
    ofB: share(inA),
    shared: a.numbers.quantities.length - quantities.ofA,
    extra: quantities.ofA + quantities.ofB,
    apart: names.ofA + names.ofB,
  };
}

/** Says how far two numbers may differ and be one, rounded: `1.2 million` and `1,204,000`. */
const TOLERANCE = 0.005;

const share = (flags: readonly boolean[]): number =>
  flags.length === 0 ? 0 : flags.filter(Boolean).length / flags.length;

/** Counts what each of two lists has that the other one lacks. */
function leftOver<T>(a: readonly T[], b: readonly T[], isSame: (x: T, y: T) => boolean): { ofA: number; ofB: number } {
  return {
    ofA: a.filter((x) => !b.some((y) => isSame(x, y))).length,
    ofB: b.filter((y) => !a.some((x) => isSame(x, y))).length,
  };
}

/**
 * Says how alike two sentences are: cosines of the embedding, and of the model that reranks where it read them;
 * `words`: the score of a search by word, as a share of the best, where there was one.
 */
export type Meaning = { near: number; read?: number | undefined; words?: number | undefined };

/** From this similarity on, two sentences that nothing sets apart claim the same. */
const SAME_SIMILARITY = 0.5;

/**
 * Weights of the features, in the order of {@link features}: where a search by word was made, where both models read
 * the texts, and where the embedding alone did. Fitted on 800 posts with the claims that they are of (the training part
 * of CheckThat! 2020, each with its 24 nearest claims): those of the search by word so that the claim of a post stands
 * first among its candidates (a softmax over them), scaled to be a probability; the others by logistic regression, and
 * on the development half of `eval/claims`.
 */
const MATCHED = [60.527, 4.937, 3.167, 0.544, 0.43, 0.981, 0.691, -0.098, 0.111, -0.07, -0.356, 0.065, 0.315, -57.464];
const READ = [62.619, 2.775, 0, 1.803, 1.58, 1.286, 0.845, 0.036, -0.34, -0.399, -0.75, 0.007, 0.216, -55.751];
const NEAR = [0, 5.836, 0, 4.278, 5.833, 1.222, 1.086, 0.081, -0.424, -0.638, -1.081, -0.118, -0.033, -5.817];

const CONFLICTS = ["number", "date", "name", "direction"] as const;

function features(agreement: Agreement, { near, read = 0, words = 0 }: Meaning): number[] {
  const { ofA, ofB, shared, extra, apart, conflict } = agreement;
  return [
    read,
    near,
    words,
    Math.max(ofA, ofB),
    Math.min(ofA, ofB),
    ofB,
    Math.min(shared, 2),
    Math.min(extra, 3),
    Math.min(apart, 3),
    ...CONFLICTS.map((kind) => (conflict === kind ? 1 : 0)),
    1,
  ];
}

/** Returns how likely two sentences claim the same, 0 to 1. `agreement`: of the text that is asked with the other. */
export function similarityOf(agreement: Agreement, meaning: Meaning): number {
  return logistic(weighed(weightsOf(meaning), features(agreement, meaning)));
}

/** Holds the highest values of the {@link features} of an agreement, behind those of meaning. */
const AGREEMENT_RANGES = [1, 1, 1, 2, 3, 3, ...CONFLICTS.map(() => 1)];
const MEANING_FEATURES = 3;

/**
 * Returns how likely two sentences claim the same as far as meaning tells: `likely` where they agree in half of what
 * may, and `most`, which no agreement exceeds.
 */
export function similarityWithin(meaning: Meaning): { likely: number; most: number } {
  const weights = weightsOf(meaning);
  const base = weighed(weights, features(NO_AGREEMENT, meaning));
  const added = AGREEMENT_RANGES.reduce(
    (sum, most, i) => sum + Math.max(0, most * (weights[MEANING_FEATURES + i] ?? 0)),
    0,
  );
  return { likely: logistic(base + added / 2), most: logistic(base + added) };
}

const NO_AGREEMENT: Agreement = { conflict: undefined, ofA: 0, ofB: 0, shared: 0, extra: 0, apart: 0 };

function weightsOf({ read, words }: Meaning): readonly number[] {
  return read === undefined ? NEAR : words === undefined ? READ : MATCHED;
}

function weighed(weights: readonly number[], values: readonly number[]): number {
  return values.reduce((total, value, i) => total + value * (weights[i] ?? 0), 0);
}

const logistic = (sum: number): number => 1 / (1 + Math.exp(-sum));

/** Tells whether two sentences claim the same. */
export function isSame(agreement: Agreement, similarity: number): boolean {
  return agreement.conflict === undefined && similarity >= SAME_SIMILARITY;
}
