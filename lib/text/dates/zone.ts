const ABBREVIATIONS: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  bst: 60,
  west: 60,
  cet: 60,
  cest: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  ast: 180,
  est: -300,
  edt: -240,
  et: -300,
  cst: -360,
  cdt: -300,
  ct: -360,
  mst: -420,
  mdt: -360,
  mt: -420,
  pst: -480,
  pdt: -420,
  pt: -480,
  ist: 330,
  jst: 540,
  kst: 540,
};

/** A regular expression source for a zone at the end of a time: `Z`, `+03:00`, `GMT+3`, `EST`. */
export const ZONE_PATTERN: string = `(?:(?:gmt|utc)?\\s?[+-]\\d{1,2}(?::?\\d{2})?|${Object.keys(ABBREVIATIONS)
  .sort((a, b) => b.length - a.length)
  .join("|")})(?![\\p{L}\\d])`;

/** Minutes east of UTC of a zone as a date text writes it, undefined when it is none. */
export function offsetOf(zone: string): number | undefined {
  const text = zone.trim().toLowerCase();
  const named = ABBREVIATIONS[text];
  if (named !== undefined) return named;
  const numeric = /^(?:gmt|utc)?\s?([+-])(\d{1,2}):?(\d{2})?$/.exec(text);
  if (numeric === null) return undefined;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3] ?? 0);
  return minutes > 14 * 60 ? undefined : numeric[1] === "-" ? -minutes : minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Minutes east of UTC of an IANA zone at a wall-clock time there (milliseconds since 1970 as if it were UTC).
 * Throws RangeError for an unknown zone.
 */
export function offsetAt(zone: string, wallMs: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  const first = wallOf(format, wallMs) - wallMs;
  const second = wallOf(format, wallMs - first) - (wallMs - first);
  return Math.round(second / 60_000);
}

function wallOf(format: Intl.DateTimeFormat, ms: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ms)) if (type !== "literal") part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
