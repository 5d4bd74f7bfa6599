import { anyIn, forms, isIn, KINDS } from "./cues.ts";
import { type Mention, type TextWord, withoutClitics } from "./outlets.ts";

/** Words behind which what an outlet told follows at once, or a few words on. */
const NEAR_CUES = forms(
  "منشورة المنشورة منشور المنشور نقلا نقلت نقل نقلته نقلها نقلتها تنقل بحسب حسب حسبما وفق وفقا وفقما ذكرت ذكر ذكرته ذكرتها تذكر أوردت أورد أوردته أوردتها " +
    "تورد أفادت أفاد أفادته تفيد نشرت نشر نشرته نشرتها تنشر بثت بثته بثتها بث كشفت كشفته أعلنت المصدر كتبت تقول رصدت سألت " +
    "استنادا نسبت عزت نقلتهم مستندا نقله أذاعت تناقلت تناقلته ناقلة مضيفة",
);
/** Verbs of which an outlet is the subject only where it follows at once. */
const ADJACENT_CUES = forms(
  "قالت قال اطلعت شاهدت علمت حصلت فهمت أكدت أكد أضافت أضاف أشارت أوضحت لفتت زعمت ادعت رأت اعتبرت تابعت بينت عنونت أعلن كشف تحدثت علقت وصفت ذهبت خلصت أبرزت تساءلت تؤكد تشير أبلغت نقول",
);
/** Verbs of which an outlet is the subject where what it is stands between: `حثت صحيفة …`. */
const KIND_CUES = forms(
  "كتب صنفت وصفت أسمت سمت حثت حذرت دعت طالبت انتقدت توقعت رجحت سخرت شككت ألمحت لمحت نوهت كررت فضحت فصلت سلطت تناولت استعرضت عرضت هاجمت استبعدت شرحت " +
    "استند استندت اعتمد اعتمدت خصصت أنتجت صورت نفت قدرت لخصت حاورت التقت أجرت أظهرت نبهت استطلعت وثقت تكهنت أفردت سردت",
);
/** Words that say that somebody speaks: to whom is joined by `ل`. */
const SPEECH = forms(
  "أكده أكدته ذكره قاله قالته ذكرته أفاد أفادت قال قالت قالوا قالا يقول تقول صرح صرحت صرحوا أكد أكدت يؤكد أضاف أضافت أوضح أوضحت ذكر ذكرت أبلغ أبلغت تصريح تصريحات تصريحاته تصريحه تصريحها تسنى " +
    "تصريحاتها كتب كشف كشفت أفاد أفادت أعلن أعلنت حديث حديثه حديثها روى روت مصدر مصادر مقابلة لقاء حوار سؤال ردا رد قوله قولها " +
    "رد يرد طلب طلبات اتصال اتصالات أشار أشارت اعترف نفى نفت اعتبر اعتبرت شدد تحدث تحدثت أخبر مراسل بيان قائلا قائلة لافتا مضيفا مضيفة موضحا مؤكدا مشيرا يضيف " +
    "يوضح وصرح توقع توقعت رفض رفضت علق علقت لفت شرح شرحت رأى تابع",
);
/** Nouns for the work of an outlet: `تقرير لصحيفة …`. */
const REPORTS = forms(
  "تقرير تقارير تقريرا تحقيق تحقيقات تحقيقا مقال مقالا مقالة افتتاحية استطلاع خبر تسريب قائمة تصنيف رأي تعليق المقال التقرير المقالة التحقيق",
);
/** Verbs of those who hear or see an outlet, and are not told by it. */
const HEARING = forms("يستمع تستمع يستمعون استمع استمعت الاستماع مستمع يشاهد تشاهد انضم انضمت عمل يعمل تعمل عملت");
/** Verbs whose object an outlet is: `أبلغ الوزير قناة …`. */
const TELLING = forms("أبلغ أبلغت أخبر أخبرت أبلغوا");
/** Words behind which an outlet is where something was said: `تصريحات … في إذاعة …`. */
const PLACES = forms("في عبر على إلى");
/** People of an outlet to whom something is said. */
const REPORTERS = forms("مراسل مراسلة مراسلي مراسلو مراسلون مراسلين مذيع مذيعة");
/** People who saw what an outlet tells: `شاهد من رويترز`. */
const WITNESSES = forms("شاهد شهود شاهدة مراسل مراسلون");
const MEETING = forms(
  "مقابلة مقابلته مقابلتها لقاءه لقائه لقاءها لقائها حواره حوارها مداخلة اتصال مقابل حديث حديثه حديثها حوار لقاء مقابلات محادثة دردشة أجراها أجراه أجرته أجرتها أجرى أجرت",
);
/** Nouns and verbs for speech to an outlet, wherever it is sent. */
const SAID_THERE = forms(
  "تصريح تصريحات تصريحاته تصريحاتها مقابلة حوار لقاء مداخلة حديث حديثه حديثها متحدثا متحدثة قال قالت صرح صرحت " +
    "عمود عمودا العمود عاموده العامود مقال مقالا مقالة مقاله مقالته",
);
/** Verbs of what stands in a paper. */
const PUBLISHED = forms("نشر نشرت نشره نشرها ينشر المنشور المنشورة منشور منشورة نشروا");
/** Verbs of those who write in a paper: `ويرى … في صحيفة …`. */
const WRITTEN_THERE = forms(
  "كتب كتبت يرى ترى رأى رأت ناقش ناقشت يناقش تناول تناولت يتناول اعتبر اعتبرت يعتبر حذر حذرت نبه يقول تقول تساءل يتساءل سلط علق",
);
/** Words for those who work for a paper, which what they do elsewhere does not make a source. */
const STAFF = forms(
  "محرر محررة محررا كاتب كاتبة كاتبا صحفي صحفية صحفيا صحافي صحافية عمل يعمل تعمل عملت موظف رئيس مدير وظيفة أسهم",
);
/** Verbs for a programme that an outlet shows. */
const SHOWN = forms("يبث تبث يعرض تعرض يذاع تذاع يقدمه تقدمه يقدم تقدم يقدمها");
/** Words that begin a clause about an outlet, behind which its verb follows. */
const RELATIVE = forms("التي الذي القريبة المقربة الموالية المعروفة التابعة المملوكة");
const RELATIVE_WORDS = 8;
/** Adjectives of an outlet at most, with its verb: `… الإيرانية شبه الرسمية أوردت`. */
const BEHIND_WORDS = 5;
/** Words before a name that is no source: who works there, its house, its pictures. */
const NOT_SOURCE_AR = forms(
  "صورة صور تصوير عدسة مقر مبنى شركة أسهم سهم موظف موظفو رئيس مدير محرر تحرير نادي فريق شارع ميدان منطقة مدينة محافظة مؤسسة جائزة مركز مجموعة سفير صحفي صحفية صحافي صحافية صحفيي صحفيا مصور مصورو المصور",
);

/** Words before a name that may say its kind; more before brackets: `وكالة الأنباء الرسمية في سوريا (سانا)`. */
const KIND_WORDS = 3;
const BRACKET_WORDS = 6;
/** Nouns before what an outlet is. */
const HOUSES = forms("هيئة موقع موقعي محطة شبكة");

/** Words between what is said or written and the paper that it stands in. */
const IN_PAPER_WORDS = 12;

/** Returns whether an Arabic sentence says that what is told is from an outlet; it begins at `first`. */
export function isAttributedInArabic(
  text: string,
  words: readonly TextWord[],
  mention: Mention,
  first: number,
): boolean {
  let { from, clitic } = mention;
  // A letter that stands apart before quotes: `لـ"رويترز"`.
  if (clitic === "" && words[from - 1]?.form === "ل" && from > first) [from, clitic] = [from - 1, "ل"];
  // What it is may be part of its name: `وكالة أنباء الطلبة`.
  let hasKind = isIn(words, from, KINDS.any) && mention.to > from + 1;
  // What it is stands before it, perhaps with where it is from: `وكالة الأنباء الروسية إنترفاكس`.
  const isBracketed = /\($/.test(text.slice(mention.start - 1, mention.start));
  for (let back = 1; back <= (isBracketed ? BRACKET_WORDS : KIND_WORDS) && mention.from - back >= first; back++) {
    const kind = withoutClitics(words[mention.from - back]?.form ?? "").find(
      ({ form }) => KINDS.any.has(form.replace(/^ال/, "")) || KINDS.any.has(form),
    );
    if (kind === undefined) continue;
    hasKind = true;
    from = mention.from - back;
    clitic = kind.clitic;
  }
  // `هيئة الإذاعة`, `موقع صحيفة`.
  if (hasKind && from - 1 > first && isIn(words, from - 1, HOUSES)) {
    from--;
    clitic = withoutClitics(words[from]?.form ?? "").find(({ form }) => HOUSES.has(form))?.clitic ?? clitic;
  }
  const own = withoutClitics(words[from - 1]?.form ?? "").map(({ form }) => form);
  const isReporters = own.some((form) => REPORTERS.has(form));
  if (
    mention.isWeak &&
    !(hasKind && isNamedByKind(text, words, mention, from)) &&
    !isSigned(text, words, mention) &&
    !isToldInQuotes(text, words, { ...mention, from, clitic }, first) &&
    !isReporters
  )
    return false;
  const hasSpeech = (reach: number): boolean => {
    for (let at = from - 1; at >= Math.max(first, from - reach); at--)
      if (isIn(words, at, SPEECH) && words[at + 1]?.form !== "نظر") return true;
    return false;
  };
  if (own.some((form) => HEARING.has(form))) return false;
  if (clitic.endsWith("ل") && anyIn(words, from - 1, Math.max(first, from - 4), REPORTS)) return true;
  // `حقوق النشر محفوظة لمجلة …`.
  if (clitic.endsWith("ل") && own.includes("محفوظه")) return true;
  if (clitic.endsWith("ل")) return hasSpeech(40) || hasNearCue(words, from, first, 6) || from - first <= 1;
  if (own.some((form) => NOT_SOURCE_AR.has(form)) && !hasNearCue(words, from - 1, first, 2)) return false;
  if (
    from > first &&
    (hasKind && !isAttacked(words, from) ? CUES : SUBJECT_CUES).some((cues) => isVerbIn(words, from - 1, cues))
  )
    return true;
  if (own.includes("من") && !mention.isWeak && isIn(words, from - 2, WITNESSES)) return true;
  if (!mention.isWeak && isIn(words, from - 1, KIND_CUES)) return true;
  if (own.includes("عن") && hasNearCue(words, from - 1, first, 12)) return true;
  if (own.includes("مع"))
    for (let back = 2; back <= 5; back++) if (from - back >= first && isIn(words, from - back, MEETING)) return true;
  // `بحسب ما جاء في مقال نشرته صحيفة …`.
  if (hasKind && hasNearCue(words, from, first, 8)) return true;
  if (hasKind && (own.includes("في") || own.includes("وفي")) && from - first <= 1) return true;
  const isMarked = /[(["\u201c\u00ab] ?$/.test(text.slice(Math.max(0, mention.start - 2), mention.start));
  // `أما "ماركا" فاكتفت`.
  if (own.includes("اما") && /^ف/.test(words[mention.to]?.form ?? "")) return true;
  if (own.includes("الي") && hasKind && anyIn(words, from - 2, Math.max(first, from - 4), SPEECH)) return true;
  if (isReporters && clitic.includes("ب")) return false;
  if (isReporters) return isMarked || hasSpeech(20);
  // `اطلعت عليها رويترز`, `اختارت رويترز`.
  if (/^(?:علي|من|ب|ل)(?:ه|ها|هم)$/.test(own[0] ?? "") && CUES.some((cues) => isIn(words, from - 2, cues))) return true;
  if ((hasKind || !mention.isWeak) && isAct((own[0] ?? "").replace(/(?<=ت)(?:ه|ها)$/, ""))) return true;
  if ((hasKind || (mention.isListed && !mention.isWeak)) && own.some((form) => REPORTS.has(form))) return true;
  const isToldBehind = TOLD.has(words[mention.to]?.form ?? "");
  const toldWithin = isToldBehind ? SPEAKER_WORDS : 4;
  if ((hasKind || !mention.isWeak) && anyIn(words, from - 1, Math.max(first, from - toldWithin), TELLING)) return true;
  // `وتحدثت وسائل الإعلام، وعلى رأسها صحيفة …، عن`.
  if (
    hasKind &&
    /^(?:راسها|بينها|منها|ابرزها)$/.test(own[0] ?? "") &&
    hasVerb(words, from - 2, Math.max(first, from - 9))
  )
    return true;
  // `مقابلة أجرتها معه مجلة`, `لدى سؤالها في برنامج تبثه شبكة`.
  if (hasKind && /^مع(?:ه|ها|هم)$/.test(own[0] ?? "") && isIn(words, from - 2, MEETING)) return true;
  if (hasKind && SHOWN.has((own[0] ?? "").replace(/(?:ه|ها)$/, "")) && /(?:ه|ها)$/.test(own[0] ?? "") && hasSpeech(20))
    return true;
  if (own.includes("في") && hasKind && anyIn(words, from - 2, Math.max(first, from - 3), REPORTS)) return true;
  if (own.some((form) => PLACES.has(form)) && (hasKind || (mention.isListed && !mention.isWeak))) {
    if (/^(?:و|ف)?(?:جاء|ورد)$/.test(words[from - 2]?.form ?? "")) return true;
    const reach = Math.max(first, from - IN_PAPER_WORDS);
    if (hasCue(words, from - 2, reach, SAID_THERE) && !anyIn(words, from - 2, reach, SHOWN)) return true;
    const isInIt = own.includes("في") || own.includes("وفي");
    if (isInIt && hasCue(words, from - 2, reach, PUBLISHED)) return true;
    if (isInIt && anyIn(words, from - 2, reach, WRITTEN_THERE) && !anyIn(words, from - 2, reach, STAFF)) return true;
  }
  return (
    hasNearCue(words, from, first, 4) ||
    followsCue(words, mention.to, hasKind || (mention.isListed && !mention.isWeak)) ||
    isFirst(words, mention.to)
  );
}

/** Returns whether an outlet is an object, as in `هاجم قناة …`: a verb of its own would end in `ت`. */
const isAttacked = (words: readonly TextWord[], at: number): boolean =>
  !isIn(words, at, MASCULINE) &&
  withoutClitics(words[at - 1]?.form ?? "").every(({ form }) => !/ت(?:ه|ها)?$/.test(form));

/** Kinds of outlets whose verbs have no ending. */
const MASCULINE = forms("موقع تلفزيون راديو");

/** Returns whether an outlet was the first: `صحيفة "لوموند" اليومية أول من نشره`. */
function isFirst(words: readonly TextWord[], to: number): boolean {
  for (let at = to; at < to + BEHIND_WORDS; at++) {
    if (words[at]?.form !== "اول" || words[at + 1]?.form !== "من") continue;
    const verb = (words[at + 2]?.form ?? "").replace(/(?:ه|ها)$/, "");
    return CUES.some((cues) => cues.has(verb) || cues.has(`${verb}ت`));
  }
  return false;
}

/** Verbs in the past of an outlet as a firm. */
const AS_A_FIRM = forms(
  "اعتذرت أوقفت أطلقت فصلت أقالت ألغت باعت اشترت خسرت ربحت فازت بدأت وقعت عينت تعاقدت أنهت توقفت حذفت سحبت رفضت قررت أغلقت دفعت طردت سرحت أسست استحوذت حصدت تأسست احتفلت تراجعت استضافت افتتحت خفضت رفعت وافقت تركت",
);

/** Returns whether a word may be a verb of which what follows is the subject: a past with `ت`. */
const isAct = (form: string): boolean =>
  /^[^ا].{1,}[^ا]ت$|^ا[^ل].{1,}[^ا]ت$/.test(form) &&
  !AS_A_FIRM.has(form) &&
  !/^(?:انترنت|وكانت|كانت|باتت|ليست|ظلت|صارت)$/.test(form);

/**
 * Returns whether what an outlet is stands right before it, with no more between than `الأنباء`. Sites and networks are
 * had by clubs and by the underground, too: behind these only what stands in quotes is a name.
 */
function isNamedByKind(
  text: string,
  words: readonly TextWord[],
  { from, start, isListed }: Mention,
  kind: number,
): boolean {
  const isQuoted = /["\u201c\u00ab] ?$/.test(text.slice(Math.max(0, start - 2), start));
  const between = isQuoted ? /^(?:انباء|ال.{2,12})$/ : /^(?:(?:ال)?انباء|الرسميه|الحكوميه|المحليه)$/;
  for (const { form } of words.slice(kind + 1, from)) {
    if (!between.test(form) && !(isQuoted && KINDS.any.has(form))) return false;
  }
  // `البوابة العربية`: what it is has an adjective, and no name.
  if (/^ال/.test(words[kind]?.form ?? "") && kind + 1 === from) return false;
  return withoutClitics(words[kind]?.form ?? "").some(
    ({ form }) =>
      /^(?:ال)?(?:وكال|صحيف|جريد|مجل|قنا|محط|بواب|يومي|تلفزيون|اذاع|راديو)/.test(form) ||
      (isQuoted && /^(?:ال)?(?:موقع|شبك)/.test(form)) ||
      (!isListed && /^شبك/.test(form)),
  );
}

/** Returns whether something is told to what stands in quotes, and what was told follows: `أكد مصدر لـ"…" أن`. */
function isToldInQuotes(text: string, words: readonly TextWord[], mention: Mention, first: number): boolean {
  const { from, to, start, end, clitic } = mention;
  if (clitic !== "ل" || !/["\u201c\u00ab] ?$/.test(text.slice(Math.max(0, start - 2), start))) return false;
  if (!/^ ?["\u201d\u00bb]/.test(text.slice(end, end + 2)) || !TOLD.has(words[to]?.form ?? "")) return false;
  for (let at = from - 1; at >= Math.max(first, from - SPEAKER_WORDS); at--) {
    if (TOLD.has(words[at]?.form ?? "")) return false;
    if (isIn(words, at, SPEECH)) return true;
  }
  return false;
}

/** Words that begin what was told. */
const TOLD = forms("أن إن بأن أنه إنه أنها إنها أنهم إنهم بأنه بأنها");

/** Words that name who speaks, between what he does and to whom. */
const SPEAKER_WORDS = 12;

/** Returns whether a text says that all of it is taken from an outlet: `نقلاً عن … *`, or with where it is from. */
function isSigned(text: string, words: readonly TextWord[], { from, to, end }: Mention): boolean {
  if (words[from - 1]?.form !== "عن" || !isIn(words, from - 2, NEAR_CUES)) return false;
  return /^ال.*يه$/.test(words[to]?.form ?? "") || /^[\s"\u201d\u00bb]*(?:[*.]|$)/.test(text.slice(end, end + 4));
}

/** Returns whether a verb follows of which the outlet before it is the subject: `وكانت صحيفة … قد نشرت`. */
function followsCue(words: readonly TextWord[], to: number, hasKind: boolean): boolean {
  const reach = RELATIVE.has(words[to]?.form ?? "") ? RELATIVE_WORDS : BEHIND_WORDS;
  for (let at = to; at < to + reach; at++) {
    const form = words[at]?.form ?? "";
    if (/^[وفل]?قد$/.test(form)) return CUES.some((cues) => isIn(words, at + 1, cues));
    if (hasKind ? NEAR_CUES.has(form) || ADJACENT_CUES.has(form) : at > to && NEAR_CUES.has(form)) return true;
    if (reach === RELATIVE_WORDS) {
      if (at > to + 1 && ADJACENT_CUES.has(form)) return true;
      continue;
    }
    // `… الإيرانية شبه الرسمية أوردت`, `… الإيرانية من جانبها تحدثت`.
    if (/^(?:شبه|من|جانبها|جهتها|بدورها|للانباء|كان|كانت)$/.test(form)) continue;
    if (!/^ال.*(?:يه|ي)$/.test(form)) return false;
  }
  return false;
}

const SUBJECT_CUES = [NEAR_CUES, ADJACENT_CUES];
const CUES = [...SUBJECT_CUES, KIND_CUES];

/** Returns whether one of these words, counted down, is a verb of outlets. */
const hasVerb = (words: readonly TextWord[], from: number, to: number): boolean =>
  CUES.some((cues) => hasCue(words, from, to, cues));

/** Returns whether a word is one of a set as it stands, or would be with the ending of a woman's or a paper's verb. */
const isVerbIn = (words: readonly TextWord[], at: number, set: ReadonlySet<string>): boolean =>
  isIn(words, at, set) ||
  withoutClitics(words[at]?.form ?? "").some(({ form }) => form !== "بين" && set.has(`${form}ت`));

function hasNearCue(words: readonly TextWord[], from: number, first: number, reach: number): boolean {
  return hasCue(words, from - 1, Math.max(first, from - reach), NEAR_CUES);
}

/** Returns whether one of these words, counted down, is in a set and not denied. */
function hasCue(words: readonly TextWord[], from: number, to: number, cues: ReadonlySet<string>): boolean {
  for (let at = from; at >= to; at--) if (isIn(words, at, cues) && !NOT.has(words[at - 1]?.form ?? "")) return true;
  return false;
}

/** Words before what was not done: `عدم نشر …`. */
const NOT = forms("عدم دون لم");
