import { offsetOf } from "./zone.ts";
import { type DateOptions, type FoundDate, findDates } from "./find-dates.ts";

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
