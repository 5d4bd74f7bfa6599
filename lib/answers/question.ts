import { analyse, normalForm, queryWords } from "../text/mod.ts";

/** Kinds of things that questions ask for. */
export const KINDS_ASKED_FOR = ["number", "money", "age", "time", "person", "place", "reason"] as const;

/** Kind of thing that a question asks for, where its words tell. */
export type AskedFor = (typeof KINDS_ASKED_FOR)[number] | undefined;

const word = (text: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${text})(?![\\p{L}\\p{N}])`, "iu");

/** Holds what tells a kind, the first that does; what is asked for money or an age is a number, too. */
const ASKS: readonly (readonly [NonNullable<AskedFor>, RegExp])[] = [
  ["age", word("how old|what age|(?:و|ب)?كم (?:عمر|سن|يبلغ (?:من )?(?:ال)?عمر)|ما عمر")],
  [
    "time",
    word(
      "when|what (?:year|date|day|month|time)|(?:in|on|until|since) (?:what|which) (?:year|date|day|month)|since when|" +
        "(?:و|ل)?متى|منذ متى|(?:في|حتى|منذ) أي (?:عام|سنة|سنه|شهر|يوم|تاريخ|ساعة)|ما تاريخ|ما هو تاريخ",
    ),
  ],
  [
    "money",
    word(
      "how much (?:money|did .{1,60} (?:cost|pay|spend)|does .{1,60} cost|is .{1,60} worth)|(?:what|which) (?:price|cost|budget|salary|fine|fee)|" +
        "for how much|(?:و)?بكم(?! (?:فاز|فازت|يفوز|تفوز|تغلب|تغلبت|تفوق|تفوقت|يتفوق|هزم|هزمت|خسر|خسرت|تعادل|انتهت|انتهى|نقطة|هدف|مرة|دقيقة|صوت|مقعد|درجة))|(?:ما|كم)(?: هو| هي)? (?:ثمن|سعر|كلفة|تكلفة|قيمة|راتب|مبلغ|أجر)|كم (?:كلف|كلفت|دفع|دفعت|يكلف|تكلف)",
    ),
  ],
  [
    "number",
    word(
      "how (?:many|much|long|far|tall|big|large|high|often|deep|wide|fast|heavy|quickly)|" +
        "what (?:percentage|percent|share|number|amount|sum|population|size|score|rate|value|stake|growth)|" +
        "(?:و|ب|ل)?كم|إلى كم|(?:ما|ماهو|ماهي|ما هو|ما هي) (?:عدد|نسبة|نسبه|حجم|معدل|مساحة|طول|ارتفاع|رقم|المركز)",
    ),
  ],
  ["person", /^(?:who|whom|whose|and who|(?:و|ل|ب|م)?من(?! أي)|مع من|على من|عن من|مين)(?![\p{L}\p{N}])|\?\s*who\b/iu],
  [
    "place",
    word(
      "where|(?:in|at|from|to) (?:what|which) (?:country|city|town|village|place|state)|(?:و)?أين|إلى أين|(?:في|من|إلى) أي (?:مدينة|دولة|بلد|مكان)|وين|فين",
    ),
  ],
  ["reason", word("why|what (?:caused|is the reason)|(?:و)?لماذا|لم|ما (?:هو )?سبب|ما (?:هي )?أسباب|ليش|ليه")],
];

/** Returns what a question asks for. */
export function askedFor(question: string): AskedFor {
  const text = question.slice(0, 2_000).trim();
  return ASKS.find(([, pattern]) => pattern.test(text))?.[0];
}

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

const MONEY =
  /[$£€¥₪]|(?<!\p{L})(?:ال|و|ب)?(?:dollars?|pounds?|euros?|dinars?|riyals?|dirhams?|yen|rupees?|dlrs|[cp]ents|دولار\p{L}{0,3}|يورو|جنيه\p{L}{0,3}|دينار\p{L}{0,3}|ريال\p{L}{0,3}|درهم|دراهم|ليرة|ليرات|روبية|بوليفار|ين|يوان)(?!\p{L})/iu;
const AGE =
  /\d[\s-]{0,2}(?:years?|yrs?)[\s-]{0,2}old|\d-year-old|\baged? \d|, \d{1,2}[,.](?!\d)|\(\d{1,2}\)|(?:عمر|يبلغ|البالغ)\p{L}{0,3}(?: \p{L}{1,12}){0,4} \p{Nd}|\(?\p{Nd}{1,3} (?:عاما|عاماً|سنة|عام|ربيعا)/iu;
const REASON = word(
  "because|due to|owing to|after|since|as|so that|in order to|in an attempt to|reasons?|caused?|following|" +
    "بسبب|لأن|لأنه\\p{L}{0,3}|بعد|نتيجة|جراء|إثر|نظرا|لكي|كي|سبب|من أجل|بفعل|جرّاء|بهدف",
);
const PLACE =
  /(?<!\p{L})(?:in|at|near|from|to|outside|inside|across) (?:the )?\p{Lu}|(?<!\p{L})(?:في|بمدينة|مدينة|ب|إلى|قرب|شمال|جنوب|شرق|غرب|غربي|شرقي|شمالي|جنوبي|محافظة|ولاية|العاصمة)(?!\p{L})/u;

/**
 * Tells whether a sentence has what is asked for, in words that are not those of the question; undefined where the
 * question does not tell.
 */
export function hasAskedFor(asked: AskedFor, sentence: string, question = ""): boolean | undefined {
  const text = sentence.slice(0, 4_000);
  const numbers = new Set(numbersOf(question));
  const hasNumber = () => numbersOf(text).some((number) => !numbers.has(number)) || NUMBER_WORD.test(text);
  switch (asked) {
    case undefined:
    case "person":
      return undefined;
    case "number":
      return hasNumber();
    case "money":
      return MONEY.test(text) && hasNumber();
    case "age":
      return AGE.test(text);
    case "time":
      return numbersOf(text).some((number) => !numbers.has(number)) || TIME_WORD.test(text);
    case "place":
      return PLACE.test(text);
    case "reason":
      return REASON.test(text);
  }
}

/** Returns a number with Latin digits, whichever of both Arabic rows it was written in. */
function withLatinDigits(number: string): string {
  return number.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

const NUMBER = /(?<![\p{L}\p{N}])\p{Nd}[\p{Nd}.,٫٬]{0,40}/gu;

/** Returns the numbers of a text in one form: Latin digits, no grouping. */
export function numbersOf(text: string): string[] {
  return Array.from(text.matchAll(NUMBER), ([number]) => inOneForm(number));
}

function inOneForm(number: string): string {
  return withLatinDigits(number)
    .replaceAll(/[,٬](?=\d{3}(?!\d))/g, "")
    .replaceAll("٫", ".")
    .replace(/[.,]+$/, "");
}

/** Words behind a number that multiply it. */
const SCALES: readonly (readonly [number, RegExp])[] = [
  [1e3, /^\s?(?:thousand|k|ألفا|ألف|آلاف)(?!\p{L})/iu],
  [1e6, /^\s?(?:million|mln|mn|m|مليونا|مليون|ملايين)(?!\p{L})/iu],
  [1e9, /^\s?(?:billion|bln|bn|b|مليارا|مليارات|مليار|بليون)(?!\p{L})/iu],
  [1e12, /^\s?(?:trillion|trn|tn|تريليونات|تريليون)(?!\p{L})/iu],
];
/** UTF-16 units of such a word. */
const MAX_SCALE = 12;

/**
 * A number of a text: in one form, what multiplies it, what that makes, and as it is written; an ordinal, or one that
 * may be worded otherwise in the other language, is not sure.
 */
type Quantity = { number: string; scale: number; value: number; written: string; isSure: boolean };

/** Returns the numbers of a text with what multiplies them, those in words behind those in digits. */
export function quantitiesOf(text: string): Quantity[] {
  const inDigits = Array.from(text.matchAll(NUMBER), ({ 0: own, index }) => {
    const number = inOneForm(own);
    const behind = text.slice(index + own.length, index + own.length + MAX_SCALE);
    for (const [scale, pattern] of SCALES) {
      const word = /\d$/.test(withLatinDigits(own)) ? pattern.exec(behind)?.[0] : undefined;
      if (word !== undefined)
        return { number, scale, value: Number(number) * scale, written: `${number}${word}`, isSure: true };
    }
    return { number, scale: 1, value: Number(number), written: number, isSure: true };
  });
  return [...inDigits, ...spelledOutIn(text)];
}

const NUMBER_VALUES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11 },
    ...{ twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17, eighteen: 18, nineteen: 19 },
    ...{ twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90, hundred: 100 },
    ...{ thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 },
    ...{
      واحد: 1,
      واحدة: 1,
      واحدا: 1,
      أحد: 1,
      إحدى: 1,
      اثنان: 2,
      اثنين: 2,
      اثنتان: 2,
      اثنتين: 2,
      اثنا: 2,
      اثني: 2,
      اثنتا: 2,
      اثنتي: 2,
    },
    ...{ ثلاثة: 3, ثلاث: 3, أربعة: 4, أربع: 4, خمسة: 5, خمس: 5, ستة: 6, ست: 6, سبعة: 7, سبع: 7, ثمانية: 8, ثماني: 8 },
    ...{ ثمان: 8, تسعة: 9, تسع: 9, عشرة: 10, عشر: 10, عشرون: 20, عشرين: 20, ثلاثون: 30, ثلاثين: 30, أربعون: 40 },
    ...{ أربعين: 40, خمسون: 50, خمسين: 50, ستون: 60, ستين: 60, سبعون: 70, سبعين: 70, ثمانون: 80, ثمانين: 80 },
    ...{ تسعون: 90, تسعين: 90, مئة: 100, مائة: 100, ألف: 1e3, ألفا: 1e3, آلاف: 1e3, مليون: 1e6, مليونا: 1e6 },
    ...{ ثلاثا: 3, أربعا: 4, خمسا: 5, ستا: 6, سبعا: 7, ثمانيا: 8, تسعا: 9, عشرا: 10, مئتان: 200, مئتين: 200 },
    ...{ مائتان: 200, مائتين: 200, ألفان: 2e3, ألفين: 2e3, مليونان: 2e6, مليونين: 2e6, ملياران: 2e9, مليارين: 2e9 },
    ...{ ملايين: 1e6, مليار: 1e9, مليارا: 1e9, مليارات: 1e9, تريليون: 1e12, تريليونات: 1e12 },
  })
    .concat(
      ["ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "ثماني", "تسع"].flatMap((digit, i) =>
        ["مئة", "مائة"].map((hundred): [string, number] => [
          digit + hundred,
          [300, 400, 500, 600, 700, 800, 800, 900][i] ?? 0,
        ]),
      ),
    )
    .map(([spelling, value]) => [normalForm(spelling), value]),
);
/** Holds the values of words by which the number before them is multiplied. */
const MULTIPLIERS: ReadonlySet<number> = new Set([100, 1e3, 1e6, 1e9, 1e12]);
const LETTERS = /[\p{L}\p{M}]+/gu;
/** Least number in words that counts: of fewer, Arabic has the dual, and both languages speak in other ways. */
const MIN_SPELLED_OUT = 3;
/** Letters of a number behind a particle that is written with it, at least: «لست» and «وست» have no six. */
const MIN_LETTERS_BEHIND_PARTICLE = 4;

/** Ordinals, of which another language has the number: "at three" is «في الثالثة». */
const ORDINAL_VALUES: ReadonlyMap<string, number> = new Map(
  ["third ثالث ثالثة", "fourth رابع رابعة", "fifth خامس خامسة", "sixth سادس سادسة", "seventh سابع سابعة"]
    .concat(["eighth ثامن ثامنة", "ninth تاسع تاسعة", "tenth عاشر عاشرة"])
    .flatMap((spellings, i) => spellings.split(" ").map((spelling): [string, number] => [normalForm(spelling), i + 3])),
);

/**
 * Returns the numbers of a text that are spelled out, however many words one has. Ordinals, numbers with the article
 * («الخامس عشر», «القرن العشرين»), and a single hundred, thousand, million or two of them are not sure.
 */
function spelledOutIn(text: string): Quantity[] {
  const quantities: Quantity[] = [];
  let [whole, part, start, end, isSure] = [0, 0, 0, 0, true];
  const close = (): void => {
    const value = whole + part;
    const written = text.slice(start, end);
    if (value >= MIN_SPELLED_OUT) quantities.push({ number: String(value), scale: 1, value, written, isSure });
    [whole, part] = [0, 0];
  };
  for (const { 0: own, index } of text.matchAll(LETTERS)) {
    const form = normalForm(own);
    const word = numberOf(form);
    if (word === undefined) continue;
    const { value } = word;
    const multiplies = MULTIPLIERS.has(value);
    const between = text.slice(end, index);
    const isNext = whole + part > 0 && BETWEEN_NUMBERS.test(between);
    const isJoined = form.startsWith("و") || between.includes("و");
    if (isNext && multiplies && part > 0) {
      isSure &&= whole > 0 || part >= MIN_SPELLED_OUT;
      if (value === 100) part *= 100;
      else [whole, part] = [whole + part * value, 0];
    } else if (isNext && goesOnWith(part, value, isJoined)) {
      // «ألف» alone is not sure, «ألف وثلاثمئة» is.
      isSure = word.isSure && (isSure || (part === 0 && whole > 0));
      if (multiplies) whole = value < whole ? whole + value : whole * value;
      else part += value;
    } else {
      close();
      // A word that multiplies belongs to the digits before it.
      if (multiplies && /\p{Nd}\s{0,2}$/u.test(text.slice(Math.max(0, index - 3), index))) continue;
      start = index;
      [whole, part, isSure] = value >= 100 ? [value, 0, word.isSure && value % 1_000 > 200] : [0, value, word.isSure];
    }
    end = index + own.length;
  }
  close();
  return quantities;
}

/** Matches what parts the words of one number. */
const BETWEEN_NUMBERS = /^(?:[\s-]{1,2}|,? and |\sو\s)$/;

/** Returns the value of a word that is a number, which a particle and the article may stand before. */
function numberOf(form: string): { value: number; isSure: boolean } | undefined {
  const [own, bare] = [NUMBER_VALUES.get(form), form.replace(/^[وفبل]/, "")];
  if (own !== undefined) return { value: own, isSure: true };
  const stem = bare.replace(/^(?:ال|ل)/, "");
  const behind = bare.length < MIN_LETTERS_BEHIND_PARTICLE ? undefined : NUMBER_VALUES.get(bare);
  if (behind !== undefined) return { value: behind, isSure: true };
  const value = ORDINAL_VALUES.get(stem) ?? (stem === bare ? undefined : NUMBER_VALUES.get(stem));
  return value === undefined ? undefined : { value, isSure: false };
}

/** Tells whether a number in words goes on: "twenty-three", "ثلاثة عشر", "ثلاثة وعشرون", "hundred and five". */
function goesOnWith(part: number, value: number, isJoined: boolean): boolean {
  if (part % 100 === 0) return true;
  if (part % 100 >= 20) return part % 10 === 0 && value < 10 && !isJoined;
  return part % 100 < 10 && (value === 10 || (isJoined && value >= 20));
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
