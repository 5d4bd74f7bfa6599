import { bareForDates, foldForDates } from "./calendar.ts";
import type { FoundDate } from "./find-dates.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** A line that says how long ago is not longer, in UTF-16 units. */
const MAX_LINE = 120;
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
