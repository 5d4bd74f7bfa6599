import { findDates } from "./find-dates.ts";
import { bareForDates, foldForDates, HIJRI_MONTH_PATTERN, MONTH_PATTERN } from "./calendar.ts";
import { ZONE_PATTERN } from "./zone.ts";

/** A line that says when is not longer, in UTF-16 units. */
const MAX_LINE = 120;
/** Words of a time that is told from now, in folded text. */
const AGO = "ago|yesterday|today|just now|منذ|قبل|امس|اليوم|الان";
const RELATIVE = new RegExp(`(?<!\\p{L})(?:${AGO})(?!\\p{L})`, "u");
const MONTH = new RegExp(`(?<!\\p{L})(?:${MONTH_PATTERN}|${HIJRI_MONTH_PATTERN})(?!\\p{L})`, "gu");
/** Labels, weekdays, units, halves of the day around a date. */
const AROUND = new RegExp(
  `(?<!\\p{L})(?:${[
    "(?:first |originally )?(?:published|posted|created|released)",
    "(?:last )?(?:updated?|modified|revised|edited)",
    "(?:publication |release )?date|issued|on|at|of|an?|about|the",
    "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?",
    "(?:sec(?:ond)?|min(?:ute)?|hour|hr|day|week|month|year)s?|[smhdwy]",
    AGO,
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
  const hasMonth = /\d/.test(text) && text.match(MONTH) !== null;
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
  return text.replace(ZONE, " ").replace(MONTH, " ").replace(AROUND, " ");
}
