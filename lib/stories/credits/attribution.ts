import { normalForm } from "../../text/mod.ts";
import { type Mention, type TextWord, withoutClitics } from "./outlets.ts";

const forms = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(normalForm));

/** Nouns that say what an outlet is. */
export const KINDS = {
  paper: forms("صحيفة جريدة مجلة وكالة الصحيفة صحيفتي صحيفتا"),
  any: forms(
    "صحيفة جريدة مجلة وكالة وكالتي وكالتا موقع قناة شبكة تلفزيون إذاعة راديو محطة صحيفتي صحيفتا الأنباء أنباء وكالات بوابة يومية",
  ),
  english: forms(
    "newspaper paper daily magazine agency network website broadcaster tabloid channel station newspapers",
  ),
};

/** Words behind which what an outlet told follows at once, or a few words on. */
const NEAR_CUES = forms(
  "نقلا نقلت نقل نقلته نقلها نقلتها تنقل بحسب حسب حسبما وفق وفقا وفقما ذكرت ذكر ذكرته ذكرتها تذكر أوردت أورد أوردته أوردتها " +
    "تورد أفادت أفاد أفادته تفيد نشرت نشر نشرته نشرتها تنشر بثت بثته بثتها بث كشفت كشفته أعلنت المصدر كتبت تقول رصدت سألت " +
    "استنادا نسبت عزت نقلتهم مستندا نقله أذاعت تناقلت تناقلته ناقلة مضيفة",
);
/** Verbs of which an outlet is the subject only where it follows at once. */
const ADJACENT_CUES = forms(
  "قالت قال اطلعت شاهدت علمت حصلت فهمت أكدت أكد أضافت أضاف أشارت أوضحت لفتت زعمت ادعت رأت اعتبرت تابعت بينت عنونت أعلن كشف تحدثت علقت وصفت ذهبت خلصت أبرزت تساءلت تؤكد تشير أبلغت نقول",
);
/** Words that say that somebody speaks: to whom is joined by `ل`. */
const SPEECH = forms(
  "أكده أكدته ذكره قاله قالته ذكرته أفاد أفادت قال قالت قالوا قالا يقول تقول صرح صرحت صرحوا أكد أكدت يؤكد أضاف أضافت أوضح أوضحت ذكر ذكرت أبلغ أبلغت تصريح تصريحات تصريحاته " +
    "تصريحاتها كتب كشف كشفت أفاد أفادت أعلن أعلنت حديث حديثه حديثها روى روت مصدر مصادر مقابلة لقاء حوار سؤال ردا رد قوله قولها " +
    "أشار أشارت اعترف نفى نفت اعتبر اعتبرت شدد تحدث تحدثت أخبر مراسل بيان قائلا قائلة لافتا مضيفا مضيفة موضحا مؤكدا مشيرا يضيف " +
    "يوضح وصرح توقع توقعت رفض رفضت علق علقت لفت شرح شرحت رأى تابع",
);
/** People of an outlet to whom something is said. */
const REPORTERS = forms("مراسل مراسلة مراسلي");
const MEETING = forms("مقابلة حديث حديثه حديثها حوار لقاء مقابلات");
/** Words before a name that is no source: who works there, its house, its pictures. */
const NOT_SOURCE_AR = forms(
  "صورة صور تصوير عدسة مقر مبنى شركة أسهم سهم موظف موظفو رئيس مدير محرر نادي فريق شارع ميدان منطقة مدينة محافظة مؤسسة جائزة مركز مجموعة سفير صحفي صحفية صحافي صحافية صحفيي صحفيا مصور مصورو المصور",
);
const NOT_SOURCE_EN = forms(
  "photo photos picture pictures image images photograph photographer photographs getty courtesy",
);

const ENGLISH_VERBS = forms(
  "labelling labeling calling describing reporting said says say contributed reported reports report quoted quotes cited cites wrote writes revealed reveals confirmed claimed claims quoting noted notes learned published publishes announced added citing disclosed obtained",
);
const ENGLISH_REPORTERS = forms("writer writers reporter reporters correspondent");
const ENGLISH_AUX = forms(
  "writer reporter columnist has had have also first later earlier previously recently is was which the a that",
);
const TOLD = forms(
  "told tell tells telling writes reports echoing citing quoting quotes quoted cited told informed via",
);
const ENGLISH_PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [forms("according"), forms("to")],
  [
    forms(
      "posted story article contacted interviewed asked reported published quoted cited obtained conducted released seen broadcast aired written carried commissioned report reports",
    ),
    forms("by in on"),
  ],
  [forms("interview interviews"), forms("with")],
  [
    forms("statement interview spoke speaking speak talking talked writing comments remarks said"),
    forms("to with in on through"),
  ],
  [forms("files material information reporting"), forms("from by")],
  [forms("reporter correspondent writer"), forms("for of with from")],
  [forms("attributed"), forms("to")],
];
const MODIFIERS = 5;

const WEAK_ACRONYM = 4;

/** Characters of what stands in brackets with an outlet, before it and behind it. */
const MAX_MARK = 32;

/** Returns whether a mention of an outlet says that what is told is from there; its sentence begins at `first`. */
export function isAttributed(text: string, words: readonly TextWord[], mention: Mention, first: number): boolean {
  if (isPicture(text, words, mention)) return false;
  if (isMark(text, mention)) return !mention.isWeak || mention.end - mention.start <= WEAK_ACRONYM;
  return /^[A-Za-z]/.test(text.slice(mention.start)) && !isArabicAround(words, mention)
    ? isAttributedInEnglish(text, words, mention, first)
    : isAttributedInArabic(words, mention, first);
}

/** Returns what stands in quotes right behind the word that ends at `from`: a name of a few words. */
export function quotedAfterKind(text: string, from: number): { start: number; end: number } | undefined {
  const quoted = /^ ?["\u201c\u00ab]([^"\u201d\u00bb\n]{2,40})["\u201d\u00bb]/.exec(text.slice(from, from + 48));
  if (quoted === null || (quoted[1] ?? "").trim().split(/\s+/).length > 4) return undefined;
  const start = from + quoted[0].indexOf(quoted[1] ?? "");
  return { start, end: start + (quoted[1] ?? "").length };
}

function isArabicAround(words: readonly TextWord[], { from, to }: Mention): boolean {
  const near = words[from - 1] ?? words[to];
  return near !== undefined && /^\p{Script=Arabic}/u.test(near.form);
}

/** Returns the character before a place, without spaces and quotes; the empty text where none is near. */
function lastVisible(text: string, place: number): string {
  for (let at = place - 1; at >= Math.max(0, place - 8); at--)
    if (!/[\s"'\u201c\u201d\u00ab\u00bb]/.test(text.charAt(at))) return text.charAt(at);
  return "";
}

/** Returns whether a mention stands as a mark: in brackets or between dashes where a text begins or a sentence ends. */
function isMark(text: string, { start, end }: Mention): boolean {
  const before = lastVisible(text, start);
  const after =
    /^[\s"'\u201c\u201d\u00ab\u00bb]*([^\s"'\u201c\u201d\u00ab\u00bb]?)/.exec(text.slice(end, end + 8))?.[1] ?? "";
  const isEarly = start < 90;
  const isLast = /^[\s)\].\-–—"'\u201d\u00bb]*$/.test(text.slice(end, end + 40)) && text.length - end <= 40;
  const opening = text.slice(Math.max(0, start - MAX_MARK), start).search(/[([][^()[\]]*$/);
  const closing = text.slice(end, end + MAX_MARK).search(/[()[\]]/);
  if (opening >= 0 && closing >= 0 && /[)\]]/.test(text.charAt(end + closing))) {
    const from = Math.max(0, start - MAX_MARK) + opening;
    const behind = text.slice(end + closing + 1, end + closing + 6).trimStart();
    const ahead = text.slice(Math.max(0, from - 6), from).trimEnd();
    const isAlone = start - from <= 3 && closing <= 2;
    if (/^[-–—]/.test(behind)) return true;
    return (
      isAlone && (isEarly || behind === "" || /[.!?؟"\u201d\u00bb]$/.test(ahead) || (behind.startsWith(".") && isLast))
    );
  }
  if (isEarly && /[-–—/،,]/.test(before) && /[-–—/:(]/.test(after)) return true;
  if (isEarly && start < 3 && /[-–—:]/.test(after)) return true;
  return isLast && /^(?:[.!?؟)\-–—/]|)$/.test(before);
}

function isPicture(text: string, words: readonly TextWord[], { from, to, end }: Mention): boolean {
  const [before, behind] = [words[from - 1]?.form ?? "", words[to]?.form ?? ""];
  if (NOT_SOURCE_EN.has(before) || NOT_SOURCE_EN.has(behind)) return true;
  if (/^\/(?:Getty|[A-Z][a-z]+ [A-Z])/.test(text.slice(end, end + 20))) return true;
  return withoutClitics(before).some(({ form }) => form.startsWith("صور") || form === "تصوير" || form === "عدسه");
}

function isAttributedInArabic(words: readonly TextWord[], mention: Mention, first: number): boolean {
  let { from, clitic } = mention;
  let hasKind = false;
  // What it is stands before it, perhaps with where it is from: `وكالة الأنباء الروسية إنترفاكس`.
  for (let back = 1; back <= 3 && from - back >= first; back++) {
    const kind = withoutClitics(words[mention.from - back]?.form ?? "").find(
      ({ form }) => KINDS.any.has(form.replace(/^ال/, "")) || KINDS.any.has(form),
    );
    if (kind === undefined) continue;
    hasKind = true;
    from = mention.from - back;
    clitic = kind.clitic;
  }
  if (mention.isWeak && !(hasKind && isNamedByKind(words, mention.from, from))) return false;
  const own = withoutClitics(words[from - 1]?.form ?? "").map(({ form }) => form);
  const hasSpeech = (reach: number): boolean => {
    for (let at = from - 1; at >= Math.max(first, from - reach); at--) if (isIn(words, at, SPEECH)) return true;
    return false;
  };
  if (clitic.endsWith("ل")) return hasSpeech(40) || hasNearCue(words, from, first, 6) || from - first <= 1;
  if (own.some((form) => NOT_SOURCE_AR.has(form)) && !hasNearCue(words, from - 1, first, 2)) return false;
  if (own.some((form) => ADJACENT_CUES.has(form) || NEAR_CUES.has(form))) return true;
  if (own.includes("عن") && hasNearCue(words, from - 1, first, 12)) return true;
  if (own.includes("مع"))
    for (let back = 2; back <= 5; back++) if (from - back >= first && isIn(words, from - back, MEETING)) return true;
  // `بحسب ما جاء في مقال نشرته صحيفة …`.
  if (hasKind && hasNearCue(words, from, first, 8)) return true;
  if (hasKind && (own.includes("في") || own.includes("وفي")) && from - first <= 1) return true;
  if (own.some((form) => REPORTERS.has(form))) return hasSpeech(20);
  return hasNearCue(words, from, first, 4) || followsCue(words, mention.to);
}

/** Returns whether what an outlet is stands right before it, with no more between than `الأنباء`. */
function isNamedByKind(words: readonly TextWord[], at: number, kind: number): boolean {
  for (let between = kind + 1; between < at; between++)
    if (!/^(?:(?:ال)?انباء|الرسميه|الحكوميه|المحليه)$/.test(words[between]?.form ?? "")) return false;
  return withoutClitics(words[kind]?.form ?? "").some(({ form }) =>
    /^(?:ال)?(?:وكال|صحيف|جريد|مجل|موقع|قنا|شبك|بواب|يومي)/.test(form),
  );
}

/** Returns whether a verb follows of which the outlet before it is the subject: `وكانت صحيفة … قد نشرت`. */
function followsCue(words: readonly TextWord[], to: number): boolean {
  for (let at = to; at < to + 3; at++) {
    const form = words[at]?.form ?? "";
    if (form === "قد") return isIn(words, at + 1, NEAR_CUES) || isIn(words, at + 1, ADJACENT_CUES);
    if (at > to && NEAR_CUES.has(form)) return true;
    if (!/^ال.*(?:يه|ي)$/.test(form)) return false;
  }
  return false;
}

function hasNearCue(words: readonly TextWord[], from: number, first: number, reach: number): boolean {
  for (let at = from - 1; at >= Math.max(first, from - reach); at--) if (isIn(words, at, NEAR_CUES)) return true;
  return false;
}

const isIn = (words: readonly TextWord[], at: number, set: ReadonlySet<string>): boolean =>
  withoutClitics(words[at]?.form ?? "").some(({ form }) => set.has(form));

function isAttributedInEnglish(text: string, words: readonly TextWord[], mention: Mention, first: number): boolean {
  const { from, to, isWeak, start, end } = mention;
  const behind = words[to];
  if (isWeak) {
    const isNamed =
      /(?:^|\s)[Tt]he\s$/.test(text.slice(Math.max(0, start - 5), start)) || /^The\s/.test(text.slice(start));
    if (!isNamed && !isIn(words, from - 1, KINDS.english) && !(behind !== undefined && KINDS.english.has(behind.form)))
      return false;
    if (behind !== undefined && /^\s[A-Z]/.test(text.slice(end, end + 2))) return false;
  }
  for (let back = 1; back <= MODIFIERS && from - back >= first; back++) {
    const cue = words[from - back];
    if (cue === undefined || /[.!?;]/.test(text.slice(cue.end, start).replace(/\b[A-Z]\./g, ""))) break;
    if (TOLD.has(cue.form)) return true;
    const ahead = words[from - back - 1];
    for (const [one, two] of ENGLISH_PAIRS)
      if (two.has(cue.form) && ahead !== undefined && one.has(ahead.form) && from - back - 1 >= first) return true;
  }
  if (behind !== undefined && ENGLISH_REPORTERS.has(behind.form)) return true;
  for (let ahead = 0; ahead < 4; ahead++) {
    const word = words[to + ahead];
    if (word === undefined || /[.!?;]/.test(text.slice(end, word.start))) return false;
    if (ENGLISH_VERBS.has(word.form)) return true;
    if (
      !ENGLISH_AUX.has(word.form) &&
      !KINDS.english.has(word.form) &&
      word.form !== "news" &&
      word.form !== "correspondent"
    )
      return false;
  }
  return false;
}
