import { type DateOptions, findDates, type FoundDate } from "./find-dates.ts";
import { offsetOf } from "./zone.ts";

/** Returns a found date as the platform writes it, ISO 8601 in UTC without empty milliseconds; null for none. */
export function isoTime(date: { readonly ms: number } | null): string | null {
  return date === null ? null : new Date(date.ms).toISOString().replace(/\.000Z$/, "Z");
}

/**
 * Returns a found date as its publisher's clock showed it: ISO 8601 with the offset of the zone, `Z` for none; null for
 * no date.
 */
export function isoLocalTime(date: { readonly ms: number; readonly offset: number } | null): string | null {
  if (date === null || date.offset === 0) return isoTime(date);
  const wall = isoTime({ ms: date.ms + date.offset * 60_000 })?.replace(/Z$/, "") ?? "";
  const minutes = Math.abs(date.offset);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${wall}${date.offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The form that nearly all clients send; the platform's parser reads it faster, but takes days that do not exist. */
const PLAIN = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3})?Z$/;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** Days of each month; February in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an ISO 8601 date or timestamp as milliseconds since 1970; without an offset it is UTC. Undefined for anything
 * else: a day that its month does not have, an hour 24, a year outside 0001 to 9999. A leap second, 23:59:60 at the
 * end of a month in UTC, is the second after it. A date alone stands for its first moment, with `endOfDay` for its
 * last millisecond.
 */
export function parseIsoTime(text: string, { endOfDay = false }: { endOfDay?: boolean } = {}): number | undefined {
  if (PLAIN.test(text) && !text.startsWith("60", 17)) return parsePlain(text);
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, year = "", month = "", day = "", hour, minute = "", second = "0", fraction = "", offset = "Z"] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const shift = offsetMinutes(offset);
  if (shift === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour ?? 0), Number(minute), Number(second), Number(fraction.padEnd(3, "0").slice(0, 3)));
  if (hour === undefined && endOfDay) date.setUTCHours(23, 59, 59, 999);
  const time = date.getTime() - shift * 60_000;
  if (second === "60" && !isMonthStart(new Date(time))) return undefined;
  const utcYear = new Date(time).getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? time : undefined;
}

function parsePlain(text: string): number | undefined {
  const day = Number(text.slice(8, 10));
  if (day > 28 && !isDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), day)) return undefined;
  if (text.startsWith("0000") || text.startsWith("24", 11)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns whether `date` is the first second of a month in UTC: the second before it may be a leap second. */
function isMonthStart(date: Date): boolean {
  return date.toISOString().slice(8, 19) === "01T00:00:00";
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || day < 1 || day > (DAYS[month - 1] ?? 0)) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month !== 2 || day < 29 || leap;
}

function offsetMinutes(offset: string): number | undefined {
  if (offset === "Z" || offset === "z") return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Reads a machine-written date: ISO 8601 and W3CDTF in all their lengths, RFC 822 and 850, asctime, seconds or
 * milliseconds since 1970, and whatever {@link findDates} knows. Returns null when it is no date, or one outside 1970
 * to 2100.
 */
export function parseDate(text: string, options: DateOptions = {}): FoundDate | null {
  const value = text
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/\u2212/g, "-")
    .replace(NAMED_ZONE, "$1");
  const date = strict(value.replace(BASIC, "$1-$2-$3T$4:$5:$6$7")) ?? findDates(value, options)[0] ?? partial(value);
  return date !== null && date.ms >= 0 && date.ms < Date.UTC(2100, 0) ? date : null;
}

const MAX_LENGTH = 200;
/** The name of a zone that repeats an offset: `+03:00[Asia/Riyadh]`. */
const NAMED_ZONE = /(Z|[+-]\d\d:\d\d)\[[\w/+-]{3,40}\]$/;
/** ISO 8601 in its basic form, to be written in the extended one. */
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d:\d\d)$/;

function strict(value: string): FoundDate | null {
  const whole = (ms: number, offset: number): FoundDate => ({
    index: 0,
    length: value.length,
    ms,
    precision: "zoned",
    offset,
    sure: true,
  });
  if (/^\d{10}$/.test(value)) return whole(Number(value) * 1000, 0);
  if (/^\d{13}$/.test(value)) return whole(Number(value), 0);
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.exec(value);
  if (iso !== null) {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? null : whole(ms, offsetOf(iso[1] ?? "") ?? 0);
  }
  return null;
}

// 2003, 2003-12, 2003-335 (ordinal), 2003-W52-3 (week date), 031231
function partial(value: string): FoundDate | null {
  const whole = (ms: number): FoundDate => ({
    index: 0,
    length: value.length,
    ms,
    precision: "day",
    offset: 0,
    sure: false,
  });
  const yearMonth = /^(\d{4})(?:-(\d\d))?$/.exec(value);
  if (yearMonth !== null) return whole(Date.UTC(Number(yearMonth[1]), Number(yearMonth[2] ?? 1) - 1, 1));
  const ordinal = /^(\d{4})-?(\d{3})(?=T|$)/.exec(value);
  if (ordinal !== null) return whole(Date.UTC(Number(ordinal[1]), 0, Number(ordinal[2])));
  const short = /^(\d\d)-?(\d\d)-?(\d\d)$/.exec(value);
  if (short !== null) return whole(Date.UTC(2000 + Number(short[1]), Number(short[2]) - 1, Number(short[3])));
  return null;
}
