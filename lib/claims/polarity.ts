import { wordForm } from "../text/word-terms.ts";

/** Says which way a sentence says that something went, on each axis that it speaks of: 1, -1, or both (0). */
export type Polarity = { negated: boolean; axes: ReadonlyMap<Axis, -1 | 0 | 1> };

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
