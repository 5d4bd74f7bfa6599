import {
  bareForDates,
  dayOfOrdinal,
  foldForDates,
  HIJRI_MONTH_PATTERN,
  hijriDay,
  hijriMonthOf,
  LIBYAN_MONTH_PATTERN,
  MONTH_PATTERN,
  monthOf,
  ORDINAL_PATTERN,
} from "./calendar.ts";
import { offsetAt, offsetOf, ZONE_PATTERN } from "./zone.ts";

/** A date found in a text. */
export interface FoundDate {
  /** Offset and length in UTF-16 units. */
  readonly index: number;
  readonly length: number;
  /** The moment in milliseconds since 1970; midnight UTC of the day when no time stood beside it. */
  readonly ms: number;
  /** A day, a moment in the reader's zone, or a moment with its zone. */
  readonly precision: "day" | "local" | "zoned";
  /** Minutes east of UTC of the clock that showed the time; 0 for a day. */
  readonly offset: number;
  /** False for a date like 03/04/2025, whose order is a guess. */
  readonly sure: boolean;
  /** The moment under the other order of day and month, where the text allows it. */
  readonly otherwiseMs?: number;
}

/** Readings of what a date leaves open. */
export interface DateOptions {
  /** IANA zone for a time without one. Default UTC. */
  readonly zone?: string;
  /** Reads 03/04/2025 as the third of April. Default false (the fourth of March). */
  readonly dayFirst?: boolean;
  /**
   * Reads 03/04/2025 the other way round where it would be later than this (milliseconds since 1970) and is not then.
   */
  readonly notAfter?: number;
}

const MONTH = MONTH_PATTERN;
const SEP = "[\\s,/-]{0,3}";
/** A second name of the month behind the first: `أيار/مايو`, `آب (أغسطس)`, `أغسطس آب`. */
const TWICE = `(?:\\s{0,2}[/(,-]?\\s{0,2}${MONTH}\\s?\\)?)?`;
const OF_YEAR = "(?:de |(?:من |ل)?(?:عام|سن[ةه]) )?";
/** No part of a longer number, version or address. */
const APART = "(?<![\\d.:/\\\\])(?<!\\d\\s?-)";
const CORES: readonly RegExp[] = [
  // 2025-09-04, 2025/9/4, 2025.09.04, 2025 / 9 / 4
  /(?<![\d.:])(?<y>(?:19|20)\d\d)\s?(?<s>[-/.\\])\s?(?<m>\d{1,2})\s?\k<s>\s?(?<d>\d{1,2})(?!\d)/gu,
  // 20250904 and 20250904T1014
  /(?<![\d.:])(?<y>(?:19|20)\d\d)(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?=t|\D|$)/gu,
  // 4 September 2025, 4th of Sept, 2025, 04-Sep-25, 14 ايار/مايو 2025, 4 من شهر أيلول عام 2025
  new RegExp(
    `(?<!\\d)(?<d>\\d{1,2})(?:st|nd|rd|th|er|\\.)?${SEP}(?:of |de |من )?(?:شهر )?(?<n>${MONTH})${TWICE}${SEP}${OF_YEAR}(?<y>(?:19|20)\\d\\d|'?\\d\\d(?=\\s+\\d\\d:))(?!\\d)`,
    "gu",
  ),
  // الرابع والعشرون من أكتوبر 2026
  new RegExp(
    `(?<w>${ORDINAL_PATTERN})\\s(?:من )?(?:شهر )?(?<n>${MONTH})${TWICE}${SEP}${OF_YEAR}(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // 14 الفاتح 2008, 14 الفاتح/سبتمبر 2008
  new RegExp(
    `(?<!\\d)(?<d>\\d{1,2})[\\s/-]{1,3}(?:من )?(?:شهر )?(?<n>${LIBYAN_MONTH_PATTERN})${TWICE}[\\s,/-]{1,3}${OF_YEAR}(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // 14 سبتمبر (الفاتح) 2008
  new RegExp(
    `(?<!\\d)(?<d>\\d{1,2})[\\s/-]{1,3}(?<n>${MONTH})\\s?[(/]\\s?${LIBYAN_MONTH_PATTERN}\\s?\\)?${SEP}${OF_YEAR}(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // September 4, 2025, Sep. 4th 2025
  new RegExp(
    `(?<n>${MONTH})${TWICE}\\s{0,2}(?<d>\\d{1,2})(?:st|nd|rd|th)?[\\s,]{1,3}(?:(?<t>\\d\\d:\\d\\d(?::\\d\\d)?(?: [a-z]{3,4})?) )?(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // 2025 September 4
  new RegExp(`(?<!\\d)(?<y>(?:19|20)\\d\\d)${SEP}(?<n>${MONTH})${TWICE}${SEP}(?<d>\\d{1,2})(?!\\d)`, "gu"),
  // 04/09/2025, 4.9.2025, 04-09-2025, 4 / 9 / 2025
  new RegExp(
    `${APART}(?<a>\\d{1,2})\\s?(?<s>[-/.\\\\])\\s?(?<b>\\d{1,2})\\s?\\k<s>\\s?(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
];
const HIJRI_YEAR = "1[34]\\d\\d";
const HIJRI_END = "(?:\\s?(?:هـ|هجري[ةه]?|ه|a\\.?h\\.?)(?![\\p{L}]))?";
const HIJRI: readonly RegExp[] = [
  // 12 رمضان 1445 هـ, 12 من شهر رمضان المبارك عام 1445, 14 Ramadan 1445 AH
  new RegExp(
    `(?<!\\d)(?<d>\\d{1,2})(?:st|nd|rd|th)?[\\s,/-]{1,3}(?:من )?(?:شهر )?(?<n>${HIJRI_MONTH_PATTERN})[\\s,/-]{1,3}(?:(?:ل?عام|ل?سنة) )?(?<y>${HIJRI_YEAR})(?!\\d)${HIJRI_END}`,
    "gu",
  ),
  // 12/09/1445 هـ
  new RegExp(
    `(?<![\\d.:/-])(?<a>\\d{1,2})(?<s>[-/.])(?<b>\\d{1,2})\\k<s>(?<y>${HIJRI_YEAR})(?![\\d/.-]\\d)${HIJRI_END}`,
    "gu",
  ),
  // 1445/09/12 هـ
  new RegExp(`(?<![\\d.:/-])(?<y>${HIJRI_YEAR})(?<s>[-/.])(?<b>\\d{1,2})\\k<s>(?<a>\\d{1,2})(?!\\d)${HIJRI_END}`, "gu"),
];
/** Half of the day, in folded text. */
const HALF =
  "[ap]\\.?m\\b\\.?|(?:ال)?صباحا?|مساءا?|المساء|فجرا|ظهرا|عصرا|ليلا|قبل الظهر|بعد (?:ال)?ظهرا?|[صم](?!\\p{L})\\.?";
const CLOCK = `(?:(?<h>\\d{1,2})(?:[:.h](?<i>\\d{2})|:(?<j>\\d)(?!\\d))(?::?(?<s>\\d{1,2}(?!\\d))(?:[.,]\\d{1,9})?)?\\s?(?<half>${HALF})?|(?<hour>\\d{1,2})\\s?(?<part>${HALF}))[\\s,]{0,2}[([]?(?<zone>${ZONE_PATTERN})?`;
const AFTER = new RegExp(
  `^(?:t|(?:\\s?(?:م|ميلادي[ةه]?)(?!\\p{L}))?[\\s,|@·•()-]{0,5}(?:at |a las |um |a |(?:على |عند |في )?(?:تمام )?الساع[ةه]:? |في )?[\\s-]{0,2})${CLOCK}`,
  "u",
);
const BEFORE = new RegExp(
  `(?<![\\d:])${CLOCK}\\)?[\\s,|·•-]{1,4}(?:(?:on|في|يوم|من يوم)\\s)?(?:\\p{L}{3,9},?\\s)?$`,
  "u",
);
/** UTF-16 units beside a day in which its time of day is looked for. */
const TIME_AFTER = 100;
const TIME_BEFORE = 80;

/** Every date has a day or a year of two digits, whatever stands unseen between them. */
const TWO_DIGITS =
  /[\d\u0660-\u0669\u06f0-\u06f9][\u00ad\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[\d\u0660-\u0669\u06f0-\u06f9]/;

interface Day {
  /** Midnight UTC. */
  readonly ms: number;
  readonly sure: boolean;
  readonly otherwiseMs?: number;
}

/**
 * Finds the calendar dates in a text, with the time of day beside them where there is one, in order of appearance. A
 * Hijri date is converted by the Umm al-Qura calendar, and left out beside the same day of the Gregorian one.
 */
export function findDates(text: string, options: DateOptions = {}): FoundDate[] {
  if (!TWO_DIGITS.test(text)) return [];
  const bare = bareForDates(text);
  return datesIn(bare.text, options).map((date) => {
    const index = bare.at(date.index);
    return { ...date, index, length: bare.at(date.index + date.length - 1) + 1 - index };
  });
}

function datesIn(text: string, options: DateOptions): FoundDate[] {
  const folded = foldForDates(text);
  if (!/\d\d/.test(folded)) return [];
  const dates: FoundDate[] = [];
  for (const core of CORES) {
    for (const match of folded.matchAll(core)) {
      const day = dayOf(match.groups ?? {}, options);
      if (day === null || isInsideWord(text, match.index)) continue;
      if (dates.some((other) => overlaps(other, match.index, match[0].length))) continue;
      dates.push(withTime(folded, match, day, options));
    }
  }
  if (HIJRI_HINT.test(folded)) dates.push(...findHijri(folded, options, dates));
  return dates.sort((a, b) => a.index - b.index);
}

/** Cheap to look for, and in no other date. */
const HIJRI_HINT = /(?<!\d)1[34]\d\d(?!\d)/;
/** In UTF-16 units: "12 رمضان 1445 هـ الموافق 22 مارس 2024 م". */
const BESIDE = 40;
/** Sightings of the moon differ by a day or two. */
const SAME_DAY_MS = 3 * 86_400_000;

function findHijri(folded: string, options: DateOptions, others: readonly FoundDate[]): FoundDate[] {
  const dates: FoundDate[] = [];
  for (const core of HIJRI) {
    for (const match of folded.matchAll(core)) {
      const { a, b, d, n, y } = match.groups ?? {};
      const swaps = Number(b) > 12;
      const month = n === undefined ? Number(swaps ? a : b) : hijriMonthOf(n);
      const ms = month === undefined ? null : hijriDay(Number(y), month, Number(d ?? (swaps ? b : a)));
      const { index } = match;
      const { length } = match[0];
      if (ms === null || [...others, ...dates].some((other) => overlaps(other, index, length))) continue;
      const isBeside = (other: FoundDate) =>
        other.index - (index + length) < BESIDE && index - (other.index + other.length) < BESIDE;
      if (others.some((other) => isBeside(other) && Math.abs(other.ms - ms) < SAME_DAY_MS)) continue;
      dates.push(withTime(folded, match, { ms, sure: true }, options));
    }
  }
  return dates;
}

/** "demarch 4, 2025" is none; "HealthMARCH 4, 2025" are two elements that a page set side by side. */
function isInsideWord(text: string, index: number): boolean {
  const [before = "", first = ""] = [text[index - 1], text[index]];
  return /\p{L}/u.test(before) && /\p{L}/u.test(first) && !(/\p{Ll}/u.test(before) && /\p{Lu}/u.test(first));
}

function overlaps(date: FoundDate, index: number, length: number): boolean {
  return index < date.index + date.length && date.index < index + length;
}

function dayOf(groups: Record<string, string | undefined>, options: DateOptions): Day | null {
  const year = Number((groups.y ?? "").replace("'", ""));
  const y = year < 100 ? (year < 70 ? 2000 : 1900) + year : year;
  if (groups.a === undefined) {
    const m = groups.n === undefined ? Number(groups.m) : monthOf(groups.n);
    const d = groups.w === undefined ? Number(groups.d) : (dayOfOrdinal(groups.w) ?? 0);
    const ms = m === undefined ? null : dayMs(y, m, d);
    return ms === null ? null : { ms, sure: true };
  }
  const [a, b] = [Number(groups.a), Number(groups.b)];
  const dayFirst = a > 12 || (b <= 12 && (groups.s === "." || options.dayFirst === true));
  const [ms, otherwiseMs] = dayFirst ? [dayMs(y, b, a), dayMs(y, a, b)] : [dayMs(y, a, b), dayMs(y, b, a)];
  if (ms === null) return null;
  if (otherwiseMs === null || a === b) return { ms, sure: true };
  const latest = options.notAfter ?? Number.POSITIVE_INFINITY;
  if (ms > latest && otherwiseMs <= latest) return { ms: otherwiseMs, sure: true };
  return { ms, sure: groups.s === ".", otherwiseMs };
}

/** Midnight UTC of a day; null for one that the calendar does not have. */
function dayMs(y: number, m: number, d: number): number | null {
  const ms = Date.UTC(y, m - 1, d);
  return m >= 1 && m <= 12 && d >= 1 && new Date(ms).getUTCMonth() === m - 1 ? ms : null;
}

function withTime(text: string, match: RegExpMatchArray, day: Day, options: DateOptions): FoundDate {
  const index = match.index ?? 0;
  const end = index + match[0].length;
  const midnight = day.ms;
  const swapped = day.otherwiseMs === undefined ? {} : { otherwiseMs: day.otherwiseMs };
  const inner = match.groups?.t === undefined ? null : AFTER.exec(match.groups.t);
  const after = inner ?? AFTER.exec(text.slice(end, end + TIME_AFTER));
  const before = after === null ? BEFORE.exec(text.slice(Math.max(0, index - TIME_BEFORE), index)) : null;
  const clock = after ?? before;
  const ofDay = clock === null ? null : clockMs(clock.groups ?? {});
  if (clock === null || ofDay === null) {
    return { index, length: end - index, ms: midnight, precision: "day", offset: 0, sure: day.sure, ...swapped };
  }
  const start = before === null ? index : index - before[0].length;
  const length = (after === null || inner !== null ? end : end + after[0].length) - start;
  const wall = midnight + ofDay;
  const offset = clock.groups?.zone === undefined ? undefined : offsetOf(clock.groups.zone, wall);
  if (offset !== undefined)
    return { index: start, length, ms: wall - offset * 60_000, precision: "zoned", offset, sure: day.sure, ...swapped };
  const local = options.zone === undefined ? 0 : offsetAt(options.zone, wall);
  const ms = wall - local * 60_000;
  return { index: start, length, ms, precision: "local", offset: local, sure: day.sure, ...swapped };
}

function clockMs(groups: Record<string, string | undefined>): number | null {
  const clock = Number(groups.h ?? groups.hour);
  const hour = hourOf(clock, groups.half ?? groups.part ?? "");
  const minute = Number(groups.i ?? groups.j ?? 0);
  const second = Number(groups.s ?? 0);
  if (hour > 24 || minute > 59 || second > 60) return null;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

/** Returns the hour of 24 that an hour of 12 is in its half of the day. */
function hourOf(hour: number, half: string): number {
  if (hour > 12) return hour;
  const isNight = half === "ليلا";
  const isMorning = isNight ? hour < 6 || hour === 12 : /^(?:a|ال?ص|ص|فجرا|قبل)/.test(half);
  if (isMorning) return hour % 12;
  const isNoonEarly = half === "ظهرا" && hour >= 10;
  return half === "" || isNoonEarly ? hour : (hour % 12) + 12;
}

/** A line that says when is not longer, in UTF-16 units. */
const MAX_LINE = 120;
/** Words of a time that is told from now, in folded text. */
const AGO_WORDS = "ago|yesterday|today|just now|منذ|قبل|امس|اليوم|الان";
const RELATIVE = new RegExp(`(?<!\\p{L})(?:${AGO_WORDS})(?!\\p{L})`, "u");
const MONTH_IN_LINE = new RegExp(`(?<!\\p{L})(?:${MONTH_PATTERN}|${HIJRI_MONTH_PATTERN})(?!\\p{L})`, "gu");
/** Labels, weekdays, units, halves of the day around a date. */
const AROUND = new RegExp(
  `(?<!\\p{L})(?:${[
    "(?:first |originally )?(?:published|posted|created|released)",
    "(?:last )?(?:updated?|modified|revised|edited)",
    "(?:publication |release )?date|issued|on|at|of|an?|about|the",
    "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?",
    "(?:sec(?:ond)?|min(?:ute)?|hour|hr|day|week|month|year)s?|[smhdwy]",
    AGO_WORDS,
    "[ap]\\.?m\\.?|st|nd|rd|th|t|gmt|utc|local time",
    "(?:ال)?(?:احد|اثنين|ثلاثاء|اربعاء|خميس|جمعة|جمعه|سبت)",
    "(?:تم |تاريخ |وقت )?(?:ال)?(?:نشرت?|تحديث|تعديل|اضافة|اضيفت?|اصدار)|(?:ال)?تاريخ|بتاريخ|اخر|في|يوم|عام|سنة|شهر|حدثت?|عدلت?",
    "(?:ثاني[ةه]|ثواني?|ثانيتين|دقيق[ةه]|دقائق|دقيقتين|ساع[ةه]|ساعات|ساعتين|ايام|يومين|اسبوع|اسابيع|اسبوعين|اشهر|شهور|شهرين|سنوات|سنتين|حوالي|نحو)",
    "ال?ساع[ةه]|صباحا?|مساءا?|ظهرا|عصرا|ليلا|فجرا|بعد الظهر|قبل الظهر|[صم]|هـ|ه|هجري[ةه]?|ميلادي[ةه]?|الموافق|بتوقيت|غرينتش|جرينتش|مك[ةه]|المكرم[ةه]",
  ].join("|")})(?!\\p{L})`,
  "gu",
);
const ZONE = new RegExp(`(?<!\\p{L})${ZONE_PATTERN}`, "gu");

/**
 * Returns whether a short line says when, and nothing else: a date or how long ago, with weekday, time of day and a
 * label ("Updated", «آخر تحديث»). A year, a clock or a number alone is no such line.
 */
export function isDateLine(line: string): boolean {
  if (line.length > MAX_LINE) return false;
  const text = folded(line);
  const hasMonth = /\d/.test(text) && text.match(MONTH_IN_LINE) !== null;
  if (!hasMonth && !RELATIVE.test(text) && findDates(line).length === 0) return false;
  return !/\p{L}/u.test(beside(text));
}

/**
 * Returns the words of a line that say neither when nor that this is when: without dates, weekdays, times of day and
 * their labels; folded as for recognizing dates.
 */
export function wordsBesideDates(line: string): string[] {
  return beside(folded(line.slice(0, MAX_WORDS_LINE))).match(/\p{L}[\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
}

/** UTF-16 units of a line that are looked at for words. */
const MAX_WORDS_LINE = 400;

function folded(line: string): string {
  return foldForDates(bareForDates(line).text).replace(/\p{M}/gu, "");
}

function beside(text: string): string {
  return text.replace(ZONE, " ").replace(MONTH_IN_LINE, " ").replace(AROUND, " ");
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE = "min(?:ute)?s?|دقيق[ةه]|دقائق|دقيقتين";
const HOUR = "h(?:ou)?rs?|h|ساع[ةه]|ساعات|ساعتين";
const DAY = "days?|d|يوما?|ايام|يومين";
const AGO: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}\\d.:])(?<n>\\d{1,3}|an?|one)\\s?(?:(?<m>${MINUTE})|(?<h>${HOUR})|(?<d>${DAY}))\\sago(?!\\p{L})`,
    "u",
  ),
  new RegExp(
    // Where the page has no space between a name and its date, a number still tells them apart.
    `(?:(?<!\\p{L})(?:منذ|قبل)|منذ(?=\\s\\d))\\s(?:حوالي\\s|نحو\\s)?(?:(?<n>\\d{1,3})\\s)?(?:(?<m>${MINUTE})|(?<h>${HOUR})|(?<d>${DAY}))(?![\\p{L}\\d])`,
    "u",
  ),
];
const MAX_DAYS = 31;

/**
 * Returns the time that a line tells from `now` (milliseconds since 1970) in minutes, hours or days ("3 hours ago",
 * «منذ ساعتين»), to the unit that it names; null for none, and for weeks, months and years, which name no day.
 */
export function findTimeAgo(line: string, now: number): FoundDate | null {
  if (line.length > MAX_LINE) return null;
  const text = foldForDates(bareForDates(line).text).replace(/\p{M}/gu, "");
  for (const pattern of AGO) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { n, m, h, d } = match.groups ?? {};
    const unit = m !== undefined ? MINUTE_MS : h !== undefined ? HOUR_MS : DAY_MS;
    const isPair = /(?:تين|ين)$/u.test(m ?? h ?? d ?? "");
    const count = n === undefined ? (isPair ? 2 : 1) : /\d/.test(n) ? Number(n) : 1;
    if (count * unit > MAX_DAYS * DAY_MS) return null;
    const ms = Math.floor((now - count * unit) / unit) * unit;
    return {
      index: match.index,
      length: match[0].length,
      ms,
      precision: unit === DAY_MS ? "day" : "zoned",
      offset: 0,
      sure: false,
    };
  }
  return null;
}
