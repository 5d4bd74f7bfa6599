import { codePointLength, codePointSlicer, sentences } from "../../text/mod.ts";

/** A stretch of a text that may be quoted: code points, end exclusive. */
export type Quotable = {
  text: string;
  start: number;
  end: number;
  /** Says that it names nobody itself: it can only stand behind the one before it. */
  leans: boolean;
  /**
   * Says that a summary is not to have it: a quotation opens in it and does not close, or the other way round; it asks,
   * announces what follows, or only enumerates.
   */
  isCutOpen: boolean;
};

/** UTF-16 units of a beginning that may be where and by whom something was reported. */
const MAX_DATELINE = 120;
const AGENCY =
  "CNN|BBC|AP|AFP|UPI|Reuters|Xinhua|سي ?إن ?إن|سي\\.إن\\.إن|رويترز|فرانس برس|أ ?ف ?ب|أ\\. ?ف\\. ?ب\\.?|د ?ب ?أ|وام|واس|قنا|بترا|سانا|الأناضول|العربية\\.?نت|وكالات|سكاي نيوز عربية";
const DATELINES = [
  // دبي، الإمارات العربية المتحدة (CNN)-- · LONDON, March 3 (Reuters) -
  new RegExp(`^[^.!?؟"«»():]{0,80}\\((?:${AGENCY})\\)\\s{0,3}(?:[-–—:]{1,3}\\s{0,3})?`, "u"),
  // القاهرة - رويترز: · باريس/ وكالات:
  new RegExp(`^[^.!?؟"«»():]{1,40}\\s?[-–—/]\\s?(?:${AGENCY})\\s{0,3}[-–—:]{1,3}\\s{0,3}`, "u"),
  // Los Angeles In this week's … · LONDON, March 3 - · WASHINGTON —
  /^(?:\p{Lu}\p{Ll}[\p{L}.]{0,15} ?){1,3}(?:, (?:\p{Lu}[\p{L}.]{1,15} ?){1,3})? ?(?=(?:The|An?|In|On|At|After|Before|When|As|It|There|This|That|More than|If|While|For|With) \p{L})/u,
  /^\p{Lu}[\p{Lu} .]{2,30}(?:, [\p{L} .]{2,20}\d{0,2})?\s?[-–—]{1,2}\s(?=\p{Lu})/u,
];

/** Returns how many UTF-16 units of a sentence say where and by whom it was reported. */
function datelineOf(sentence: string): number {
  const head = sentence.slice(0, MAX_DATELINE);
  return Math.max(0, ...DATELINES.map((pattern) => pattern.exec(head)?.[0].length ?? 0));
}

/** Words of a line that may be a credit, a byline or a notice. */
const MAX_CREDIT_WORDS = 24;
/** Words of a line without a stop that says nothing by itself: a name, a heading. */
const MAX_HEADING_WORDS = 7;
/** The same in a text whose sentences end with stops but for this share: headlines of other articles. */
const MAX_HEADLINE_WORDS = 16;
const STOPLESS_SHARE = 0.4;
const BYLINE =
  /^[\s([*•|-]{0,4}(?:(?:Story|Reporting|Reported|Edited|Editing|Written|Photo(?:graph)?s?|Pictures?|Additional reporting|Compiled) [Bb]y|By|BY) [\p{Lu}\p{Script=Arabic}]/u;
const CREDIT = new RegExp(
  "^[\\s(\\[*•|-]{0,4}(?:" +
    "story highlights|photos?|images?|pictures?|video|sources?|credits?|copyright|©|related|read more|see also|click here|follow|share this|" +
    "subscribe|sign up|watch|listen to|updated|published|advertisement|hide caption|media caption|image copyright|reuters?|" +
    "كتب|كتبت|كتبه|إعداد|أعد|أعدته|تحرير|تصوير|ترجمة|بقلم|المصدر|المصادر|مصدر الصورة|صورة|الصورة|صور|بالفيديو|بالصور|فيديو|شاهد|شاهدوا|" +
    "اقرأ|اقرأوا|إقرأ|طالع|للمزيد|المزيد|تابعونا|تابعنا|اشترك|انقر|اضغط|حقوق|جميع الحقوق|يمكنكم|حمل تطبيق|مواضيع ذات صلة|ذات صلة|أخبار ذات صلة|مراسل" +
    ")(?!\\p{L})",
  "iu",
);
/** Words of a credit that ends as a sentence does. */
const MAX_STOPPED_WORDS = 4;
const NOTICE =
  /\b(?:contributed to this (?:report|story)|all rights reserved|terms of use|privacy policy)\b|إشعارات بأهم الموضوعات|أحدث نسخة من تطبيق|جميع الحقوق محفوظة|ساهم في (?:إعداد|كتابة)/iu;
const STOP = /[.!?؟…:;؛]["'”’»)\]\s]*$/u;
const LETTERS = /\p{L}/u;

/** Tells whether a line is a byline, a credit, a notice or a heading: nothing of what the article tells. */
export function isCredit(sentence: string, headingWords = MAX_HEADING_WORDS): boolean {
  const text = sentence.slice(0, 400).trim();
  if (!LETTERS.test(text) || /^https?:\/\/\S+$|^[@#]\S+(?:\s[@#]\S+)*$|^&#\d+;?$/.test(text)) return true;
  const words = text.split(/\s+/).length;
  if (NOTICE.test(text)) return words <= 2 * MAX_CREDIT_WORDS;
  const stops = STOP.test(text);
  if (words <= MAX_CREDIT_WORDS && BYLINE.test(text)) return !stops || words <= MAX_HEADING_WORDS;
  if (words <= MAX_CREDIT_WORDS && CREDIT.test(text)) return !stops || words <= MAX_STOPPED_WORDS;
  return words <= headingWords && !stops;
}

const PRONOUN =
  /^["'“”«»(\s]{0,3}(?:(?:(?:if|when|while|as|after|before|since|although|though|because|once|until|unless|whether|where) (?:he|she|it|they|his|hers?|its|theirs?|this|that|these|those)|but|and|so|or|yet|nor|then|however|instead|meanwhile|also|still|thus|therefore|otherwise|besides|in addition|as a result|for example|for instance|that's|it's|he's|she's|they're|he|she|it|they|him|his|hers?|its|their|theirs|this|that|these|those|such|both|another|others|neither|the latter|the former|the pair|the two|the move|the decision|the unit|one of them|some of them)(?![\p{L}])|(?:و|ف)?(?:هو|هي|هم|هما|هن|هذا|هذه|ذلك|تلك|هؤلاء|أولئك|بذلك|لذلك|لهذا|بهذا|كذلك|أيضا|لكن|لكنه|لكنها|لكنهم|إلا أن|إلا أنه|إلا أنها|كما|ثم|إذ|حيث|بينما|فيما|غير أن|بدوره|بدورها|من جانبه|من جانبها|من جهته|من جهتها|في المقابل|بالمقابل|في الوقت نفسه|في الوقت ذاته|في السياق ذاته|في سياق متصل|إلى ذلك|فضلا عن ذلك|علاوة على ذلك|إضافة إلى ذلك|بالإضافة إلى ذلك|رغم ذلك|مع ذلك|بعد ذلك|قبل ذلك|على سبيل المثال|منهم|منها|من بينهم|من بينها|يذكر أنه|لأنه|لأنها|عندها|حينها|هناك|لذا|فقد|ففي|فإن|فإنه|فإنها|فلا|فلم|فلن|فمن|فعلى|فبعد|فعندما|(?:لافت|مشير|مضيف|مؤكد|موضح|معتبر|محذر|مبين|منوه|مطالب|داعي|متهم|مشدد|قائل|معرب|مستطرد|متابع)(?:ا|اً|ة)))(?![\p{L}])/iu;
/** Verbs of saying behind which what is said begins at once: who says it stands before. */
const SAID =
  /^["'“”«»(\s]{0,3}(?:و|ف)?(?:قال|قالت|قالوا|أضاف|أضافت|أضافوا|تابع|تابعت|أوضح|أوضحت|أكد|أكدت|أشار|أشارت|ذكر|ذكرت|لفت|لفتت|أردف|أردفت|استطرد|شدد|شددت|اعتبر|اعتبرت|رأى|رأت|صرح|صرحت|بين|بينت|كشف|كشفت|نوه|نوهت|اختتم|ختم|زعم|زعمت|أعلن|أعلنت|واصل|واصلت)(?:\s(?:قائلا|قائلة|قائلاً|حديثه|حديثها|كلامه|بالقول|في بيان|أيضا))?\s{0,2}(?:أن|أنه|أنها|أنهم|إن|إنه|إنها|إنهم|إلى أن|إلى أنه|إلى أنها|على أن|بأن|بأنه|:|["“«](?![^"”»]{1,30}["”»] (?:إن|أن|إلى|على)))/u;
/** Says when something was by what stands before. */
const THEN = /(?<!\p{L})(?:و|ف)?(?:حينذاك|آنذاك|حينئذ|عندئذ|وقتها|وقتذاك|يومها)(?!\p{L})/u;
/** Somebody who stands for a name, as what says something. */
const SAID_BY_PRONOUN =
  /["”,] (?:he|she|they|it) (?:said|says|added|adds|told|tells|explained|wrote|writes|argued|warned|insisted|asked|noted|continued|claimed|stressed)\b|["”] (?:said|says|added) (?:he|she|they)\b/u;

/** A quotation that nobody is named for. */
const QUOTATION = /^\s*(?:"[^"]*"|“[^“”]*”|«[^«»]*»)[.!?؟]?\s*$/u;

/**
 * Tells whether a sentence leans on the one before it: it is a quotation, begins with a pronoun, or nobody is named in
 * it who speaks.
 */
export function leansOnOther(sentence: string): boolean {
  const head = sentence.slice(0, 200);
  return (
    QUOTATION.test(sentence.slice(0, 1_000)) ||
    PRONOUN.test(head) ||
    SAID.test(head) ||
    THEN.test(head) ||
    SAID_BY_PRONOUN.test(sentence.slice(0, 4_000))
  );
}

/** Asks, announces what comes behind it, or breaks off. */
const HANGS = /[?؟:,،]\s{0,9}$/u;
/** Items of an enumeration at least, and words of each at most: a list of players, for instance. */
const MIN_LIST_ITEMS = 4;
const MAX_ITEM_WORDS = 4;

/** Tells whether a sentence says nothing by itself: it asks, announces what follows, breaks off, or only enumerates. */
function hangs(sentence: string): boolean {
  const text = sentence.slice(-4_000);
  if (HANGS.test(text.slice(-20))) return true;
  const items = text.split(/[,،;؛]/u);
  return items.length >= MIN_LIST_ITEMS && items.every((item) => item.trim().split(/\s+/).length <= MAX_ITEM_WORDS);
}

/** Holds what stands before a straight quotation mark that opens: nothing, white space, a bracket, a particle. */
const OPENS = /(?:^|[\s([{\-–—«“]|(?:^|\s)[وفبلك]{1,2}ـ?|ـ)$/u;

/** Holds what stands behind a straight quotation mark that closes: nothing, white space, a stop. */
const CLOSES = /^(?:$|[\s.,،;؛:!?؟)\]])/u;

/** Tells whether a text breaks a quotation or a bracket off, at its beginning or its end. */
function isOpen(text: string): boolean {
  let depth = 0;
  let quotes = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "“" || character === "«" || character === "(" || character === "[") depth++;
    else if (character === "”" || character === "»" || character === ")" || character === "]") {
      if (depth-- === 0) return true;
    } else if (character === '"') {
      const isBehindOpener: boolean = at === 0 || OPENS.test(text.slice(Math.max(0, at - 4), at));
      const mayOpen: boolean = isBehindOpener && (!quotes || !CLOSES.test(text.charAt(at + 1)));
      if (!quotes && !mayOpen) return true;
      quotes = mayOpen;
    }
  }
  return quotes || depth > 0;
}

/** Lines that tell how a text is wrapped; their UTF-16 units where it is, and the share of them. */
const JUDGED_LINES = 40;
const WRAPPED_UNITS = { least: 40, most: 80 };
const WRAPPED_SHARE = 0.6;

/** Tells whether a text has its lines cut to one width, so that a line break ends no sentence. */
function isWrapped(text: string): boolean {
  const { least, most } = WRAPPED_UNITS;
  // Rows of a table are shorter.
  const lines = text
    .slice(0, JUDGED_LINES * most)
    .split("\n")
    .filter(({ length }) => length >= least);
  const cut = lines.filter((line) => line.length <= most && !STOP.test(line));
  return lines.length > 4 && cut.length >= WRAPPED_SHARE * lines.length;
}

/** Sentences that one quotation may run over. */
const MAX_JOINED = 3;
/** UTF-16 units that they may have. */
const MAX_JOINED_UNITS = 700;

/** Returns a sentence without the dateline that it begins with, and how many code points that has. */
export function withoutDateline(sentence: string): { text: string; cut: number } {
  const dateline = sentence.slice(0, datelineOf(sentence));
  return { text: sentence.slice(dateline.length), cut: codePointLength(dateline) };
}

/**
 * Returns what of a text may be quoted, in order: its sentences without datelines, those of a quotation as one. Lines
 * that are no part of what it tells are left out, unless there is nothing else.
 */
export function quotablesOf(text: string, most: number): Quotable[] {
  const flowing = isWrapped(text) ? text.replace(/\n(?=\S)/g, " ") : text;
  const slice = codePointSlicer(flowing);
  const spans = sentences(flowing).slice(0, most);
  const stopless = spans.filter(({ start, end }) => !STOP.test(slice(Math.max(start, end - 20), end))).length;
  const headingWords = stopless <= STOPLESS_SHARE * spans.length ? MAX_HEADLINE_WORDS : MAX_HEADING_WORDS;
  const all: Quotable[] = [];
  const others: Quotable[] = [];
  for (let at = 0; at < spans.length; ) {
    const [first] = spans.slice(at, at + 1);
    if (first === undefined) break;
    const own = slice(first.start, first.end);
    const start = first.start + withoutDateline(own).cut;
    let count = 1;
    let end = first.end;
    if (isOpen(own)) {
      for (let next = 2; next <= MAX_JOINED && at + next <= spans.length; next++) {
        const last = spans[at + next - 1]?.end ?? end;
        const joined = slice(start, last);
        if (joined.length > MAX_JOINED_UNITS) break;
        if (isOpen(joined)) continue;
        count = next;
        end = last;
        break;
      }
    }
    const shown = slice(start, end);
    const isBehindHanging = at > 0 && (all.at(-1)?.text.trimEnd().endsWith(":") ?? false);
    const leans = at > 0 && (isBehindHanging || leansOnOther(shown));
    const unit = { text: shown, start, end, leans, isCutOpen: isOpen(shown) || (at > 0 && hangs(shown)) };
    (isCredit(shown, headingWords) ? others : all).push(unit);
    at += count;
  }
  return all.length > 0 ? all : others;
}
