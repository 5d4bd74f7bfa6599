import { analyse, queryWords } from "../text/mod.ts";

/** Kind of thing that a question asks for, where its words tell. */
export type AskedFor = "number" | "time" | undefined;

const word = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${text})(?![\\p{L}\\p{N}])`, "iu");

const ASKS_NUMBER = word(
  "how (?:many|much|old|long|far|tall|big|large|high|often|deep|wide|fast|heavy)|" +
    "what (?:percentage|percent|share|number|amount|sum|price|cost|budget|population|size|score|rate|value)|" +
    "(?:و|ب)?كم|(?:ما|ماهو|ماهي|ما هو|ما هي) (?:عدد|نسبة|نسبه|حجم|قيمة|قيمه|مبلغ|سعر|تكلفة|كلفة|معدل|مساحة|طول|ارتفاع|عمر)",
);
const ASKS_TIME = word(
  "when|what (?:year|date|day|month|time)|(?:in|on) (?:what|which) (?:year|date|day|month)|since when|" +
    "(?:و)?متى|منذ متى|في أي (?:عام|سنة|سنه|شهر|يوم|تاريخ)|ما تاريخ|ما هو تاريخ",
);

/** Returns what a question asks for. */
export function askedFor(question: string): AskedFor {
  const text = question.slice(0, 2_000);
  if (ASKS_TIME.test(text)) return "time";
  return ASKS_NUMBER.test(text) ? "number" : undefined;
}

const DIGIT = /\p{Nd}/u;
const NUMBER_WORD = word(
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|" +
    "hundreds?|thousands?|millions?|billions?|half|third|quarter|dozens?|" +
    "و?(?:واحدة?|اثنان|اثنين|اثنتان|اثنتين|ثلاثة?|أربعة?|خمسة?|ستة?|سبعة?|ثماني(?:ة)?|تسعة?|عشرة?|عشرون|عشرين|ثلاثون|ثلاثين|أربعون|أربعين|خمسون|خمسين|" +
    "ستون|ستين|سبعون|سبعين|ثمانون|ثمانين|تسعون|تسعين|مئة|مائة|مئات|مئتان|مئتين|ألف|آلاف|ألفان|ألفين|مليون|ملايين|مليار|مليارات|نصف|ثلث|ربع|عشرات)",
);
const TIME_WORD = word(
  "january|february|march|april|may|june|july|august|september|october|november|december|" +
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|yesterday|today|tomorrow|tonight|" +
    "century|decade|last (?:week|month|year)|next (?:week|month|year)|" +
    "(?:ال)?(?:سبت|أحد|اثنين|إثنين|ثلاثاء|أربعاء|خميس|جمعة)|يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر|" +
    "كانون|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول|تشرين|جانفي|فيفري|أفريل|ماي|جوان|جويلية|أوت|" +
    "أمس|اليوم|غدا|غداً|الليلة|القرن|رمضان|شعبان|محرم|شوال|رجب|صفر",
);

/** Tells whether a sentence has what is asked for; undefined where the question does not tell. */
export function hasAskedFor(asked: AskedFor, sentence: string): boolean | undefined {
  if (asked === undefined) return undefined;
  const text = sentence.slice(0, 4_000);
  return DIGIT.test(text) || (asked === "time" ? TIME_WORD.test(text) : NUMBER_WORD.test(text));
}

/** Returns a number with Latin digits, whichever of both Arabic rows it was written in. */
function withLatinDigits(number: string): string {
  return number.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

const NUMBER = /(?<![\p{L}\p{N}])\p{Nd}[\p{Nd}.,٫٬]{0,40}/gu;

/** Returns the numbers of a text in one form: Latin digits, no grouping. */
export function numbersOf(text: string): string[] {
  return Array.from(text.matchAll(NUMBER), ([number]) =>
    withLatinDigits(number)
      .replaceAll(/[,٬](?=\d{3}(?!\d))/g, "")
      .replaceAll("٫", ".")
      .replace(/[.,]+$/, ""),
  );
}

/** Returns what a question is about: the stems of its telling words, each with the forms that stand for it. */
export function topicOf(question: string): readonly (readonly string[])[] {
  return queryWords(question)
    .filter(({ terms }) => !terms.stop && terms.stems.length > 0)
    .map(({ terms }) => [...terms.stems, ...terms.lemmas]);
}

/** Returns the stems and lemmas of a text. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const { terms } of analyse(text)) {
    for (const stem of terms.stems) stems.add(stem);
    for (const lemma of terms.lemmas) stems.add(lemma);
  }
  return stems;
}

/** Returns how much of what a question is about a text names, from 0 to 1. */
export function coverage(topic: readonly (readonly string[])[], stems: ReadonlySet<string>): number {
  if (topic.length === 0) return 1;
  return topic.filter((word) => word.some((stem) => stems.has(stem))).length / topic.length;
}
