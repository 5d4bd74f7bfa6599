import { foldForDates, MONTH_PATTERN, monthOf } from "./months.ts";
import { offsetAt, offsetOf, ZONE_PATTERN } from "./zone.ts";

/** A date found in a text. */
export interface FoundDate {
  /** Offset and length in UTF-16 units. */
  readonly index: number;
  readonly length: number;
  /** The moment in milliseconds since 1970; midnight UTC of the day when no time stood beside it. */
  readonly ms: number;
  /** What the text said: a day, a moment in the reader's zone, or a moment with its zone. */
  readonly precision: "day" | "local" | "zoned";
  /** Minutes east of UTC of the clock that showed the time; 0 for a day. */
  readonly offset: number;
  /** False for a date like 03/04/2025, whose order is a guess. */
  readonly sure: boolean;
  /** The moment under the other order of day and month, where the text allows it. */
  readonly otherwiseMs?: number;
}

/** How to read what a date leaves open. */
export interface DateOptions {
  /** IANA zone for a time without one. Default UTC. */
  readonly zone?: string;
  /** Reads 03/04/2025 as the third of April. Default false (the fourth of March). */
  readonly dayFirst?: boolean;
}

const MONTH = MONTH_PATTERN;
const SEP = "[\\s,/-]{0,3}";
const CORES: readonly RegExp[] = [
  // 2025-09-04, 2025/9/4, 2025.09.04
  /(?<![\d.:])(?<y>(?:19|20)\d\d)(?<s>[-/.])(?<m>\d{1,2})\k<s>(?<d>\d{1,2})(?!\d)/gu,
  // 20250904 and 20250904T1014
  /(?<![\d.:])(?<y>(?:19|20)\d\d)(?<m>0[1-9]|1[0-2])(?<d>0[1-9]|[12]\d|3[01])(?=t|\D|$)/gu,
  // 4 September 2025, 4th of Sept, 2025, 04-Sep-25, 14 ايار/مايو 2025
  new RegExp(
    `(?<!\\d)(?<d>\\d{1,2})(?:st|nd|rd|th|er|\\.)?${SEP}(?:of |de )?(?<n>${MONTH})(?:\\s?[/(]\\s?${MONTH}\\)?)?${SEP}(?:de )?(?<y>(?:19|20)\\d\\d|'?\\d\\d(?=\\s+\\d\\d:))(?!\\d)`,
    "gu",
  ),
  // September 4, 2025, Sep. 4th 2025
  new RegExp(
    `(?<![\\p{L}])(?<n>${MONTH})\\s{0,2}(?<d>\\d{1,2})(?:st|nd|rd|th)?[\\s,]{1,3}(?:(?<t>\\d\\d:\\d\\d(?::\\d\\d)?) (?:[a-z]{3} )?)?(?<y>(?:19|20)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // 2025 September 4
  new RegExp(`(?<!\\d)(?<y>(?:19|20)\\d\\d)${SEP}(?<n>${MONTH})${SEP}(?<d>\\d{1,2})(?!\\d)`, "gu"),
  // 04/09/2025, 4.9.2025, 04-09-2025
  /(?<![\d.:/-])(?<a>\d{1,2})(?<s>[-/.])(?<b>\d{1,2})\k<s>(?<y>(?:19|20)\d\d)(?!\d)/gu,
];
const CLOCK = `(?<h>\\d{1,2})[:.h](?<i>\\d{2})(?::?(?<s>\\d{2})(?:[.,]\\d+)?)?\\s?(?<half>[ap]\\.?m\\b\\.?|صباحا|مساء|[صم](?!\\p{L}))?\\s?(?<zone>${ZONE_PATTERN})?`;
const AFTER = new RegExp(`^(?:t|[\\s,|@·•()-]{0,5}(?:at |a las |um |a |الساعة |في )?[\\s-]{0,2})${CLOCK}`, "u");
const BEFORE = new RegExp(`(?<!\\d)${CLOCK}[\\s,|·•-]{1,4}(?:(?:on|في)\\s)?(?:\\p{L}{3,9},?\\s)?$`, "u");

interface Day {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly sure: boolean;
  readonly swaps: boolean;
}

/** Finds the calendar dates in a text, with the time of day beside them where there is one, in order of appearance. */
export function findDates(text: string, options: DateOptions = {}): FoundDate[] {
  const folded = foldForDates(text);
  if (!/\d\d/.test(folded)) return [];
  const found: FoundDate[] = [];
  for (const core of CORES) {
    for (const match of folded.matchAll(core)) {
      const day = dayOf(match.groups ?? {}, options);
      if (day === null) continue;
      if (found.some((other) => overlaps(other, match.index, match[0].length))) continue;
      found.push(withTime(folded, match, day, options));
    }
  }
  return found.sort((a, b) => a.index - b.index);
}

function overlaps(date: FoundDate, index: number, length: number): boolean {
  return index < date.index + date.length && date.index < index + length;
}

function dayOf(groups: Record<string, string | undefined>, options: DateOptions): Day | null {
  const year = Number((groups.y ?? "").replace("'", ""));
  const y = year < 100 ? (year < 70 ? 2000 : 1900) + year : year;
  if (groups.a !== undefined) {
    const a = Number(groups.a);
    const b = Number(groups.b);
    const dayFirst = a > 12 || (b <= 12 && (groups.s === "." || options.dayFirst === true));
    return checked({
      y,
      m: dayFirst ? b : a,
      d: dayFirst ? a : b,
      sure: a > 12 || b > 12 || a === b || groups.s === ".",
      swaps: a <= 12 && b <= 12 && a !== b,
    });
  }
  const m = groups.n === undefined ? Number(groups.m) : monthOf(groups.n);
  return m === undefined ? null : checked({ y, m, d: Number(groups.d), sure: true, swaps: false });
}

function checked(day: Day): Day | null {
  const { y, m, d } = day;
  const real = m >= 1 && m <= 12 && d >= 1 && new Date(Date.UTC(y, m - 1, d)).getUTCMonth() === m - 1;
  return real ? day : null;
}

function withTime(text: string, match: RegExpMatchArray, day: Day, options: DateOptions): FoundDate {
  const index = match.index ?? 0;
  const end = index + match[0].length;
  const midnight = Date.UTC(day.y, day.m - 1, day.d);
  const swapped = day.swaps ? { otherwiseMs: Date.UTC(day.y, day.d - 1, day.m) } : {};
  const inner = match.groups?.t === undefined ? null : AFTER.exec(match.groups.t);
  const after = inner ?? AFTER.exec(text.slice(end, end + 60));
  const before = after === null ? BEFORE.exec(text.slice(Math.max(0, index - 40), index)) : null;
  const clock = after ?? before;
  const ofDay = clock === null ? null : clockMs(clock.groups ?? {});
  if (clock === null || ofDay === null) {
    return { index, length: end - index, ms: midnight, precision: "day", offset: 0, sure: day.sure, ...swapped };
  }
  const start = before === null ? index : index - before[0].length;
  const length = (after === null || inner !== null ? end : end + after[0].length) - start;
  const wall = midnight + ofDay;
  const offset = clock.groups?.zone === undefined ? undefined : offsetOf(clock.groups.zone);
  if (offset !== undefined)
    return { index: start, length, ms: wall - offset * 60_000, precision: "zoned", offset, sure: day.sure, ...swapped };
  const local = options.zone === undefined ? 0 : offsetAt(options.zone, wall);
  const ms = wall - local * 60_000;
  return { index: start, length, ms, precision: "local", offset: local, sure: day.sure, ...swapped };
}

function clockMs(groups: Record<string, string | undefined>): number | null {
  let hour = Number(groups.h);
  const half = groups.half ?? "";
  if (/^[pم]/.test(half) && hour < 12) hour += 12;
  if (/^[aص]/.test(half) && hour === 12) hour = 0;
  const minute = Number(groups.i);
  const second = Number(groups.s ?? 0);
  if (hour > 24 || minute > 59 || second > 60) return null;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}
