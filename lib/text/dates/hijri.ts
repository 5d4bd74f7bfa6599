const DAY_MS = 86_400_000;
/** Days from 1 Muharram of the year 1 to the start of 1970. */
const EPOCH_DAYS = 492_148;
const YEAR_DAYS = 354.367_07;
const MONTH_DAYS = 29.530_589;

// As in text folded for dates: alef forms bare, lower case.
const NAMES: readonly (readonly [pattern: string, month: number])[] = [
  ["محرم(?: الحرام)?|muharram", 1],
  ["صفر|safar", 2],
  ["ربيع ال(?:ثاني|اخر)|rabi['’ʿ]? (?:al|ath|ul)[- ](?:thani|akhir)|rabi['’ʿ]? ii", 4],
  ["ربيع ال?اول|rabi['’ʿ]? (?:al|ul)[- ]awwal|rabi['’ʿ]? i", 3],
  ["جماد[ىي] ال(?:ثاني|اخر)[ةه]?|جماد[ىي] الثاني|jumada (?:al|ath|ul)[- ](?:thani(?:yah?)?|akhirah?)|jumada ii", 6],
  ["جماد[ىي] ال?اول[ىي]?|jumada (?:al|ul)[- ](?:awwal|ula)|jumada i", 5],
  ["رجب(?: الفرد)?|rajab", 7],
  ["شعبان|sha['’ʿ]?ban", 8],
  ["رمضان(?: المبارك)?|ramadh?an", 9],
  ["شوال|shawwal", 10],
  ["ذ[وي] ?القعد[ةه]|dhu(?:l| al|'l)?[- ]qi['’ʿ]?dah?", 11],
  ["ذ[وي] ?الحج[ةه]|dhu(?:l| al|'l)?[- ]hijjah?", 12],
];

/** A regular expression source that matches the name of any Hijri month in folded text. */
export const HIJRI_MONTH_PATTERN: string = `(?:${NAMES.map(([pattern]) => pattern).join("|")})`;

const TABLE = NAMES.map(([pattern, month]) => ({ pattern: new RegExp(`^(?:${pattern})$`), month }));

/** Month 1 to 12 of a folded Hijri month name, undefined for another word. */
export function hijriMonthOf(name: string): number | undefined {
  return TABLE.find(({ pattern }) => pattern.test(name))?.month;
}

let format: Intl.DateTimeFormat | undefined;

/**
 * Midnight UTC of a day of the Umm al-Qura calendar, in milliseconds since 1970; null for a day that it does not have.
 * Where the month begins when the moon is seen, the day may be one off.
 */
export function hijriDay(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 30) return null;
  const daysOf = (y: number, m: number, d: number) => (y - 1) * YEAR_DAYS + (m - 1) * MONTH_DAYS + (d - 1);
  let days = Math.round(daysOf(year, month, day) - EPOCH_DAYS);
  for (let tries = 0; tries < 5; tries++) {
    const [y, m, d] = hijriOf(days * DAY_MS);
    if (y === year && m === month && d === day) return days * DAY_MS;
    const off = daysOf(year, month, day) - daysOf(y, m, d);
    days += Math.abs(off) < 1 ? Math.sign(off) : Math.round(off);
  }
  return null;
}

function hijriOf(ms: number): [year: number, month: number, day: number] {
  format ??= new Intl.DateTimeFormat("en-u-ca-islamic-umalqura-nu-latn", {
    timeZone: "UTC",
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
  return [part.year ?? 0, part.month ?? 0, part.day ?? 0];
}
