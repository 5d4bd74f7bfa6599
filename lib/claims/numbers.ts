import { monthOf } from "../text/dates/calendar.ts";
import { wordForm } from "../text/word-terms.ts";

/** A number that a text names, with its unit: a share of a hundred, or none. */
type Quantity = { value: number; unit: "%" | "" };

/** Numbers, and parts of dates, that a text names. */
export type NumberFacts = {
  quantities: readonly Quantity[];
  years: readonly number[];
  /** 1 to 12. */
  months: readonly number[];
  /** Days of a month. */
  days: readonly number[];
  /** 0 (Sunday) to 6. */
  weekdays: readonly number[];
};

/** UTF-16 units of a text that are read: a sentence is shorter. */
const MAX_UNITS = 2_000;

const TOKEN = /[\p{L}\p{M}\u2019']+|\d+(?:[.,\u066b\u066c]\d+)*|[%\u066a]/gu;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/** Numbers below a hundred and the hundreds, as they are spelled out. */
const WORDS = new Map<string, number>();
const words = (start: number, step: number, list: string): void => {
  for (const [i, names] of list.split(",").entries()) {
    for (const name of names.trim().split(" ")) WORDS.set(wordForm(name), start + i * step);
  }
};
words(1, 1, "one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen");
words(17, 1, "seventeen,eighteen,nineteen");
words(20, 10, "twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety");
words(
  2,
  1,
  "اثنان اثنين اثنا اثني اثنتا اثنتي اثنتان اثنتين,ثلاثة ثلاث,أربعة أربع,خمسة خمس,ستة ست,سبعة سبع,ثمانية ثماني ثمان,تسعة تسع,عشرة عشر",
);
words(
  20,
  10,
  "عشرون عشرين,ثلاثون ثلاثين,أربعون أربعين,خمسون خمسين,ستون ستين,سبعون سبعين,ثمانون ثمانين,تسعون تسعين,مئة مائة",
);
words(200, 100, "مئتان مئتين مئتا مئتي,ثلاثمئة,أربعمئة,خمسمئة,ستمئة,سبعمئة,ثمانمئة ثمانيمئة,تسعمئة");

/** `واحد` is a number before tens alone: `واحد وعشرون`, `أحد عشر`. */
const ONES_AR = new Set(["واحد", "واحدة", "أحد", "إحدى"].map(wordForm));
const TENS_AR = new Set(["عشر", "عشرة"].map(wordForm));

/** Ordinals, which count days and places. */
const ORDINALS = new Map<string, number>();
for (const [
  i,
  names,
] of "first الأول الأولى,second الثاني الثانية,third الثالث الثالثة,fourth الرابع الرابعة,fifth الخامس الخامسة,sixth السادس السادسة,seventh السابع السابعة,eighth الثامن الثامنة,ninth التاسع التاسعة,tenth العاشر العاشرة"
  .split(",")
  .entries()) {
  for (const name of names.split(" ")) ORDINALS.set(wordForm(name), i + 1);
}

/** Words that multiply the number before them; a plural says nothing by itself. */
const SCALES = new Map<string, { value: number; alone: number; base: number }>();
const scale = (value: number, one: string, two: string, many: string): void => {
  for (const name of one.split(" ")) SCALES.set(wordForm(name), { value, alone: value, base: value });
  for (const name of two.split(" ").filter(Boolean))
    SCALES.set(wordForm(name), { value: 2 * value, alone: 2 * value, base: value });
  for (const name of many.split(" ").filter(Boolean)) SCALES.set(wordForm(name), { value, alone: 0, base: value });
};
scale(100, "hundred", "", "hundreds");
scale(1e3, "thousand ألف ألفا", "ألفان ألفين ألفي", "thousands آلاف k");
scale(1e6, "million مليون مليونا المليون", "مليونان مليونين مليوني", "millions ملايين mln m mn");
scale(1e9, "billion مليار مليارا بليون المليار", "ملياران مليارين ملياري", "billions مليارات bln bn b");
scale(1e12, "trillion تريليون ترليون", "", "trillions تريليونات tn trn");

/** Shares by name; those that are also ordinals or parts of a year only behind an indefinite article or a number. */
const HALVES = new Set(["half", "نصف", "نصفه", "النصف"].map(wordForm));
const SHARES = new Map<string, number>();
for (const [names, value] of [
  ["ثلث", 100 / 3],
  ["ثلثا ثلثي ثلثين", 200 / 3],
  ["ربع", 25],
  ["third thirds", 100 / 3],
  ["quarter quarters أرباع", 25],
  ["fifth fifths", 20],
  ["tenth tenths", 10],
] as const) {
  for (const name of names.split(" ")) SHARES.set(wordForm(name), value);
}

const WEEKDAYS = new Map<string, number>();
for (const [
  i,
  names,
] of "sunday الأحد,monday الاثنين الإثنين,tuesday الثلاثاء,wednesday الأربعاء,thursday الخميس,friday الجمعة,saturday السبت"
  .split(",")
  .entries()) {
  for (const name of names.split(" ")) WEEKDAYS.set(wordForm(name), i);
}

const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;
const SHORT_MONTH = /^(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/;
/** Months that are also words of every day. */
const DOUBTFUL = new Set(["may", "march", "اب", "مارس", "ماي"].map(wordForm));
const BEFORE_MONTH = new Set(
  "in since until till before by of from last next after during شهر في من منذ خلال حتى قبل بعد مطلع"
    .split(" ")
    .map(wordForm),
);
const LEVANTINE = new Set(["كانون", "تشرين"].map(wordForm));

const PERCENT = new Set(["percent", "pct", "بالمئة", "بالمائة", "مئوية"].map(wordForm));
/** Holds what is a year by itself, and beside a month. */
const YEAR = /^(?:19|20)\d\d$/;
const DATED_YEAR = /^(?:1\d|20)\d\d$/;

/** All of something, in percent. */
const WHOLE = 100;

type Token = { text: string; form: string; joined: boolean; number: number | undefined };

/** Reads the numbers of a sentence: digits of all kinds, words in Arabic and English, shares, dates. */
export function readNumbers(text: string): NumberFacts {
  const tokens = tokensOf(text.slice(0, MAX_UNITS));
  const facts = {
    quantities: [] as Quantity[],
    years: [] as number[],
    months: [] as number[],
    days: [] as number[],
    weekdays: [] as number[],
  };
  const taken = readDates(tokens, facts);
  for (let i = 0; i < tokens.length; ) {
    const read = taken.has(i) ? undefined : (readPart(tokens, i) ?? readRatio(tokens, i) ?? readQuantity(tokens, i));
    if (read === undefined) {
      i++;
      continue;
    }
    if (read.quantity !== undefined) facts.quantities.push(read.quantity);
    else if (read.year !== undefined) facts.years.push(read.year);
    i = read.end;
  }
  return facts;
}

function tokensOf(text: string): Token[] {
  const western = text.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));
  return [...western.matchAll(TOKEN)].map(([token]) => {
    const isNumber = /^\d/.test(token);
    const form = isNumber ? token : wordForm(token);
    const bare = isNumber ? form : withoutPrefix(form);
    return {
      text: token,
      form: bare,
      joined: bare !== form && form.startsWith("و"),
      number: isNumber ? numberOf(token) : undefined,
    };
  });
}

/** Drops one letter that is joined to a number or a weekday, where what is left is one. */
function withoutPrefix(form: string): string {
  if (isNumeric(form) || ONES_AR.has(form) || PERCENT.has(form) || !/^[وبلفك]/.test(form)) return form;
  const rest = form.slice(1);
  if (isNumeric(rest) || ONES_AR.has(rest) || WEEKDAYS.has(rest)) return rest;
  return /^ال/.test(rest) && isNumeric(rest.slice(2)) ? rest.slice(2) : form;
}

const isNumeric = (form: string): boolean =>
  WORDS.has(form) || SCALES.has(form) || SHARES.has(form) || HALVES.has(form);

/** A run of digits as a number: groups of three behind a comma or an Arabic separator belong to it. */
function numberOf(token: string): number {
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(token)) return Number(token.replaceAll(".", ""));
  const plain = /^\d{1,3}(?:[,\u066c]\d{3})+(?:[.\u066b]\d+)?$/.test(token) ? token.replace(/[,\u066c]/g, "") : token;
  return Number(plain.replace(/[,\u066b]/g, ".").replace(/\.(?=.*\.)/g, ""));
}

type Dates = { years: number[]; months: number[]; days: number[]; weekdays: number[] };

/** Reads months with what stands beside them, and weekdays. Returns the places of the tokens that were used up. */
function readDates(tokens: readonly Token[], facts: Dates): Set<number> {
  const taken = new Set<number>();
  for (const [i, { form }] of tokens.entries()) {
    const weekday = WEEKDAYS.get(form);
    if (weekday !== undefined) facts.weekdays.push(weekday);
    const { month, length } = monthAt(tokens, i);
    if (month === undefined) continue;
    facts.months.push(month);
    for (let at = i; at < i + length; at++) taken.add(at);
    const sides = [i - 1, i - 2, i - 3, i + length, i + length + 1];
    for (const [order, at] of sides.entries()) {
      const token = tokens[at];
      if (token === undefined || taken.has(at)) continue;
      if (order > 0 && order < 3 && !isLinking(tokens[at + 1])) continue;
      if (DATED_YEAR.test(token.form)) {
        facts.years.push(Number(token.form));
        taken.add(at);
      } else if (order < 4) {
        const day = dayAt(tokens, at);
        if (day === undefined || facts.days.length >= facts.months.length) continue;
        facts.days.push(day.value);
        for (const place of day.places) taken.add(place);
      }
    }
  }
  return taken;
}

const isLinking = (token: Token | undefined): boolean =>
  token !== undefined && (token.form === "of" || token.form === "من" || token.form === "شهر");

function monthAt(tokens: readonly Token[], i: number): { month: number | undefined; length: number } {
  const token = tokens[i];
  if (token === undefined || token.number !== undefined) return { month: undefined, length: 1 };
  const { form, text } = token;
  const next = tokens[i + 1]?.form ?? "";
  if (LEVANTINE.has(form)) return { month: monthOf(`${form} ${next}`), length: 2 };
  const isArabic = /\p{Script=Arabic}/u.test(form);
  const isNear =
    [tokens[i - 1], tokens[i + 1]].some((each) => each?.number !== undefined && each.number <= 2100) ||
    isLinking(tokens[i - 1]);
  const isNamed = isArabic ? monthOf(form) !== undefined : MONTH.test(form) || (SHORT_MONTH.test(form) && isNear);
  if (!isNamed) return { month: undefined, length: 1 };
  const isSure = isArabic || /^\p{Lu}/u.test(text);
  if (DOUBTFUL.has(form) && !(isSure && (isNear || BEFORE_MONTH.has(tokens[i - 1]?.form ?? ""))))
    return { month: undefined, length: 1 };
  return { month: isArabic ? monthOf(form) : monthOf(form.slice(0, 3)), length: 1 };
}

/** The day of a month at a token: digits, or an Arabic ordinal, which may be of two words. */
function dayAt(tokens: readonly Token[], at: number): { value: number; places: number[] } | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const digits = /^(\d{1,2})$/.exec(token.form)?.[1];
  if (digits !== undefined && Number(digits) >= 1 && Number(digits) <= 31)
    return { value: Number(digits), places: [at] };
  const tens = token.form === "عشر" ? 10 : /^(?:و?ال)?عشر(?:ين|ون)$/.test(token.form) ? 20 : 0;
  const unit = ORDINALS.get(tens > 0 ? (tokens[at - 1]?.form ?? "") : token.form);
  if (tens > 0 && unit !== undefined) return { value: tens + unit, places: [at, at - 1] };
  return unit === undefined ? undefined : { value: unit, places: [at] };
}

type Read = { quantity?: Quantity | undefined; year?: number; end: number };

/** Reads `half a million`, `a quarter of a million` and their likes. */
function readPart(tokens: readonly Token[], i: number): Read | undefined {
  const form = tokens[i]?.form ?? "";
  const share = HALVES.has(form) ? WHOLE / 2 : shareAt(tokens, i)?.quantity?.value;
  if (share === undefined) return undefined;
  let end = i + 1;
  while (end < i + 3 && ["of", "a"].includes(tokens[end]?.form ?? "")) end++;
  const scaled = SCALES.get(tokens[end]?.form ?? "");
  if (scaled === undefined || scaled.alone !== scaled.base || scaled.base < 1_000) return undefined;
  return { quantity: { value: (share / WHOLE) * scaled.base, unit: "" }, end: end + 1 };
}

/** Reads `one in five` and its likes. */
function readRatio(tokens: readonly Token[], i: number): Read | undefined {
  const part = smallAt(tokens[i]);
  const link = tokens[i + 1]?.form;
  const isOutOf =
    (link === "out" && tokens[i + 2]?.form === "of") || (link === wordForm("من") && tokens[i + 2]?.form === "كل");
  const end = isOutOf ? i + 3 : link === "in" && tokens[i]?.form === "one" ? i + 2 : undefined;
  const whole = end === undefined ? undefined : smallAt(tokens[end]);
  if (part === undefined || whole === undefined || end === undefined || whole <= part || whole > 100) return undefined;
  return { quantity: { value: (100 * part) / whole, unit: "%" }, end: end + 1 };
}

function smallAt(token: Token | undefined): number | undefined {
  if (token === undefined) return undefined;
  return token.number ?? WORDS.get(token.form) ?? (token.form === "واحد" || token.form === "واحده" ? 1 : undefined);
}

/** Reads the number that begins at a token; undefined where none does. */
function readQuantity(tokens: readonly Token[], from: number): Read | undefined {
  let [total, current, lastScale] = [0, Number.NaN, 0];
  let i = from;
  for (; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    const { form, number, joined } = token;
    const word = isOneBeforeTens(tokens, i) ? 1 : WORDS.get(form);
    const isGoing = !Number.isNaN(current) || total > 0;
    if (number !== undefined) {
      if (isGoing) break;
      if (/^(?:st|nd|rd|th)$/.test(tokens[i + 1]?.form ?? "")) return { end: i + 2 };
      if (YEAR.test(form) && !SCALES.has(tokens[i + 1]?.form ?? "") && !isPercent(tokens, i + 1))
        return { year: number, end: i + 1 };
      current = number;
      continue;
    }
    if (word !== undefined) {
      if (!Number.isNaN(current) && !continues(current, word, joined, tokens[i - 1])) break;
      if (total > 0 && Number.isNaN(current) && !joined && tokens[i - 1]?.form !== "and") break;
      current = (Number.isNaN(current) ? 0 : current) + word;
      continue;
    }
    const scaled = SCALES.get(form);
    if (scaled !== undefined) {
      if (!isGoing && scaled.alone === 0) break;
      if (!isGoing && scaled.value === 100) {
        current = 100;
        continue;
      }
      if (!isGoing) total += scaled.alone;
      else if (Number.isNaN(current)) break;
      else if (scaled.value === 100) {
        current *= 100;
        continue;
      } else total += current * scaled.value;
      current = Number.NaN;
      lastScale = scaled.base;
      continue;
    }
    if (HALVES.has(form)) {
      if (!isGoing) return { quantity: { value: 50, unit: "%" }, end: i + 1 };
      if (Number.isNaN(current)) total += lastScale / 2;
      else current += 0.5;
      // `مليون ونصف المليون`
      if (SCALES.has((tokens[i + 1]?.form ?? "").replace(/^ال/, "")) && lastScale > 0) i++;
      continue;
    }
    const share = SHARES.get(form);
    if (share !== undefined && i === from + 1 && !Number.isNaN(current) && share * current < WHOLE) {
      return { quantity: { value: share * current, unit: "%" }, end: i + 1 };
    }
    const isFilling = form === "and" || form === "a";
    const next = tokens[i + 1]?.form ?? "";
    if (isGoing && isFilling && (WORDS.has(next) || HALVES.has(next) || next === "a")) continue;
    break;
  }
  if (Number.isNaN(current) && total === 0) return shareAt(tokens, from);
  const value = total + (Number.isNaN(current) ? 0 : current);
  const percent = isPercent(tokens, i);
  return { quantity: { value, unit: percent > 0 ? "%" : "" }, end: Math.max(i, from + 1) + percent };
}

function isOneBeforeTens(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1];
  if (next === undefined || !ONES_AR.has(tokens[at]?.form ?? "")) return false;
  const tens = WORDS.get(next.form) ?? 0;
  return TENS_AR.has(next.form) || (next.joined && tens >= 20 && tens <= 90);
}

/** A share without a number before it: `a third`, `ربع`. */
function shareAt(tokens: readonly Token[], at: number): Read | undefined {
  const token = tokens[at];
  const share = SHARES.get(token?.form ?? "");
  if (token === undefined || share === undefined) return undefined;
  const isLatin = /^[a-z]/.test(token.form);
  if (isLatin && !["a", "one"].includes(tokens[at - 1]?.form ?? "")) return undefined;
  return { quantity: { value: share, unit: "%" }, end: at + 1 };
}

/** Tells whether a word goes on with a number: `thirty nine`, `ثلاثة وعشرين`, `اثني عشر`. */
function continues(current: number, word: number, joined: boolean, before: Token | undefined): boolean {
  if (joined || before?.form === "and") return current < 1000;
  if (word === 10) return current >= 1 && current <= 9;
  const tens = current % 100;
  if (tens >= 20 && tens % 10 === 0) return word < 10 && current < 1000;
  return current >= 100 && tens === 0;
}

/** Says how many tokens say at a place that the number before is of a hundred; 0 where none does. */
function isPercent(tokens: readonly Token[], at: number): number {
  const form = tokens[at]?.form ?? "";
  if (form === "%" || form === "\u066a" || PERCENT.has(form)) return 1;
  const next = tokens[at + 1]?.form ?? "";
  if (form === "per" && next === "cent") return 2;
  return form === wordForm("في") && (next === wordForm("المئة") || next === wordForm("المائة")) ? 2 : 0;
}
