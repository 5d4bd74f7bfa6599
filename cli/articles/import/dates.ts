const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A named zone that mail and news headers use, as minutes east of UTC. */
const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

const TIME = String.raw`(?:[T\s]+(\d{1,2}(?=:)|\d{2}(?=\d{4}(?!\d))):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?`;
const ZONE = String.raw`\s*(Z|[A-Z]{2,4}|[+-]\d{2}:?\d{2})?`;

/** `2018-02-18T21:35:43+04:00`, `2012-11-29 17:11:56`, `2017-01-22T185600`, `2018-02-18`. */
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}${ZONE}`, "i");
/** `17/05/2015`, `17.05.2015 21:35`: day before month. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[/.](\d{1,2})[/.](\d{4})${TIME}${ZONE}`, "i");
/** `Sun, 18 Feb 2018 21:35:43 +0400`, `26-FEB-1987 15:01:01.79`. */
const MONTH_NAME = new RegExp(
  String.raw`^(?:[A-Z]{3,9},?\s+)?(\d{1,2})[-\s]([A-Z]{3})[A-Z]*[-\s](\d{4})${TIME}${ZONE}`,
  "i",
);

/**
 * Reads a time as news archives write it and returns it as ISO 8601 in UTC, or null when there is none to read.
 * A time without a zone is taken as UTC, a date without a (possible) time as its midnight; numbers are Unix seconds or
 * milliseconds. What follows a readable time is ignored.
 */
export function readDate(value: unknown): string | null {
  if (typeof value === "number") return fromEpoch(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (/^\d{9,13}$/.test(text)) return fromEpoch(Number(text));
  const numeric = YEAR_FIRST.exec(text);
  if (numeric !== null) return build(numeric[1], Number(numeric[2]), numeric[3], numeric.slice(4));
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return build(dayFirst[3], Number(dayFirst[2]), dayFirst[1], dayFirst.slice(4));
  const named = MONTH_NAME.exec(text);
  if (named === null) return null;
  return build(named[3], MONTHS.indexOf((named[2] ?? "").toLowerCase()) + 1, named[1], named.slice(4));
}

function fromEpoch(value: number): string | null {
  const date = new Date(value < 1e11 ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function build(year: string | undefined, month: number, day: string | undefined, rest: (string | undefined)[]) {
  const midnight = Date.UTC(Number(year), month - 1, Number(day));
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return null;
  const [hour = 0, minute = 0, second = 0] = rest.slice(0, 3).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60) return date.toISOString();
  const local = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  return new Date(local - offsetMinutes(rest[3]) * 60_000).toISOString();
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric === null) return ZONES[zone.toLowerCase()] ?? 0;
  return (numeric[1] === "-" ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3]));
}
