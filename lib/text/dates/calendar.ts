// Month names as news sites write them: English, Arabic (Gregorian, Levantine, Maghreb), and the neighbours French,
// German, Spanish, Italian, Portuguese, Turkish. From the CLDR, without its diacritics.
const MONTH_NAMES: readonly string[] = [
  "january jan يناير جانفي ك2 janvier janv januar janner enero ene gennaio gen janeiro ocak",
  "february feb فبراير فيفري فيفرى شباط fevrier fevr februar febrero febbraio fevereiro fev subat",
  "march mar مارس اذار mars marz maerz marzo março marco mart",
  "april apr ابريل افريل نيسان avril avr abril abr aprile nisan",
  "may مايو ماي مايس ايار mai mayo maggio mag maio mayis",
  "june jun يونيو يونيه يونية جوان حزيران juin juni junio giugno giu junho haziran",
  "july jul يوليو يوليه يولية يوليوز جويلية جويليه تموز juillet juil juli julio luglio lug julho temmuz",
  "august aug اغسطس غشت اوت اب aout agosto ago agustos",
  "september sep sept سبتمبر سيبتمبر شتنبر ايلول septembre septiembre settembre set setembro eylul",
  "october oct اكتوبر اوكتوبر ت1 octobre oktober okt octubre ottobre ott outubro out ekim",
  "november nov نوفمبر نونبر نوفنبر ت2 novembre noviembre novembro kasim",
  "december dec ديسمبر دسمبر دجنبر ك1 decembre dezember dez diciembre dic dicembre dezembro aralik",
];

// The Levantine names of two words, with the article or without: their second word alone would be ambiguous.
const PAIRS: readonly (readonly [string, number])[] = [
  ["كانون الثاني", 1],
  ["كانون ثاني", 1],
  ["كانون ثان", 1],
  ["تشرين الاول", 10],
  ["تشرين اول", 10],
  ["تشرين الثاني", 11],
  ["تشرين ثاني", 11],
  ["تشرين ثان", 11],
  ["كانون الاول", 12],
  ["كانون اول", 12],
];

const MONTHS = new Map<string, number>(PAIRS);
for (const [at, names] of MONTH_NAMES.entries()) for (const name of names.split(" ")) MONTHS.set(name, at + 1);

/**
 * A regular expression source that matches any month name in folded text, longest first, with an optional full stop.
 */
export const MONTH_PATTERN: string = `(?:${[...MONTHS.keys()].sort((a, b) => b.length - a.length).join("|")})\\.?`;

// Libya's names since 1969: words of every day, which are months only between a day and a year.
const LIBYAN = "اي النار,النوار,الربيع,الطير,الماء,الصيف,ناصر,هانيبال,الفاتح,التمور,الحرث,الكانون".split(",");

/** A regular expression source that matches a Libyan month name in folded text. */
export const LIBYAN_MONTH_PATTERN: string = `(?:${LIBYAN.join("|")})`;

/** Returns the month 1 to 12 of a folded month name, undefined for another word. */
export function monthOf(name: string): number | undefined {
  const libyan = LIBYAN.indexOf(name) + 1;
  return libyan > 0 ? libyan : MONTHS.get(name.replace(/\.$/, ""));
}

const UNITS = ["الحادي", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع"];
/** Days of the month as Arabic ordinals in folded text: «الاول», «الثالث عشر», «الرابع والعشرون». */
const ORDINALS = new Map<string, number>([
  ["الاول", 1],
  ["العاشر", 10],
  ["العشر", 20],
  ["الثلاث", 30],
  ...UNITS.flatMap((unit, i): [string, number][] => [
    [unit, i + 1],
    [`${unit} عشر`, i + 11],
    [`${unit} والعشر`, i + 21],
  ]),
  ["الحادي والثلاث", 31],
]);

/** A regular expression source that matches the day of a month as an Arabic ordinal in folded text. */
export const ORDINAL_PATTERN: string = `(?:${[...ORDINALS.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => (/(?:العشر|والعشر|الثلاث)$/.test(word) ? `${word}(?:ين|ون)` : word))
  .join("|")})`;

/** Returns the day 1 to 31 that a folded Arabic ordinal names, undefined for another word. */
export function dayOfOrdinal(word: string): number | undefined {
  return ORDINALS.get(word.replace(/(?<=عشر|ثلاث)(?:ين|ون)$/, ""));
}

/** Holds what the folding changes in a text in lower case, but for letters of Latin with diacritics. */
const FOLDS = new Map<string, string>([
  ...["آ", "أ", "إ"].map((alef): [string, string] => [alef, "ا"]),
  ...["\u060d", "\u2044", "\u2215", "\uff0f"].map((slash): [string, string] => [slash, "/"]),
  ...["\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212"].map((dash): [string, string] => [
    dash,
    "-",
  ]),
  ["\u060c", ","],
  ["\u066b", "."],
]);
const FOLDED =
  /[\t-\r\u0080-\u024f\u0622\u0623\u0625\u060c\u060d\u0660-\u0669\u066b\u06f0-\u06f9\u1680\u2000-\u200a\u2010-\u2015\u2028\u2029\u202f\u2044\u205f\u2212\u2215\u3000\ufeff\uff0f]/g;

/**
 * Folds a text for date recognition, one UTF-16 unit for one, so that offsets stay: lower case, Arabic-Indic digits to
 * ASCII, alef and hamza forms to bare alef, no diacritics of Latin letters, every space, dash and slash to the plain
 * one.
 */
export function foldForDates(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text.replace(/[\s\S]/g, lowerUnit)).replace(FOLDED, foldUnit);
}

/** Returns a letter whose lower case is longer (İ) stays as it is. */
function lowerUnit(unit: string): string {
  const lower = unit.toLowerCase();
  return lower.length === 1 ? lower : unit.normalize("NFD").charAt(0).toLowerCase();
}

function foldUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code >= 0x0660 && code <= 0x0669) return String(code - 0x0660);
  if (code >= 0x06f0 && code <= 0x06f9) return String(code - 0x06f0);
  const fold = FOLDS.get(unit);
  if (fold !== undefined) return fold;
  return /\s/.test(unit) ? " " : unit.normalize("NFD").charAt(0);
}

/** A text without what does not show, and where each of its UTF-16 units stood. */
interface BareText {
  readonly text: string;
  /** Returns the offset in the original of an offset in `text`. */
  at(index: number): number;
}

/** Direction marks, zero-width characters, soft hyphens, the Arabic tatweel and vowels. */
const UNSEEN = /[\u00ad\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/g;

/** Takes out of a text what stands unseen within dates; between two digits a space takes its place. */
export function bareForDates(text: string): BareText {
  if (text.search(UNSEEN) < 0) return { text, at: (index) => index };
  const origins: number[] = [];
  let bare = "";
  let end = 0;
  const add = (from: number, to: number) => {
    for (let i = from; i < to; i++) origins.push(i);
    bare += text.slice(from, to);
  };
  for (const match of text.matchAll(UNSEEN)) {
    add(end, match.index);
    end = match.index + match[0].length;
    if (!/\d$/.test(bare) || !/^\d/.test(text.slice(end, end + 1))) continue;
    origins.push(match.index);
    bare += " ";
  }
  add(end, text.length);
  return { text: bare, at: (index) => origins[index] ?? text.length };
}

const DAY_MS = 86_400_000;
/** Days from 1 Muharram of the year 1 to the start of 1970. */
const EPOCH_DAYS = 492_148;
const YEAR_DAYS = 354.367_07;
const MONTH_DAYS = 29.530_589;

// As in text folded for dates: alef forms bare, lower case.
const HIJRI_NAMES: readonly (readonly [pattern: string, month: number])[] = [
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
export const HIJRI_MONTH_PATTERN: string = `(?:${HIJRI_NAMES.map(([pattern]) => pattern).join("|")})`;

const HIJRI_MONTHS = HIJRI_NAMES.map(([pattern, month]) => ({ pattern: new RegExp(`^(?:${pattern})$`), month }));

/** Month 1 to 12 of a folded Hijri month name, undefined for another word. */
export function hijriMonthOf(name: string): number | undefined {
  return HIJRI_MONTHS.find(({ pattern }) => pattern.test(name))?.month;
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

const MONTH_WORD = new RegExp(`(?<![\\p{L}\\p{N}])${MONTH_PATTERN}(?![\\p{L}\\p{N}])`, "gu");
/** English and Arabic alone: «out» and «set» are months elsewhere. */
const NAMED = new Set(
  MONTH_NAMES.flatMap((names) => names.split(" ").filter((name, i) => i < 2 || /\p{Script=Arabic}/u.test(name))),
);
/** Matches a month's year or day behind its name: "March of 2015", «آذار من عام 2015». */
const BEFORE_YEAR = /^\D{0,3}(?:(?:of|of the year|من|من عام|من العام|من سنه|عام|العام|سنه|لعام|لسنه) )?\d/;
const DAY = /(?<!\d)\d{1,2}(?!\d)/g;
/** UTF-16 units before and behind a month's name in which days of it stand: "between 3 and 5 March", "March 3". */
const [DAYS_BEFORE, DAYS_BEHIND, YEAR_BEHIND] = [24, 8, 16];

/** A month of a text with the days beside it, and the day next to it as both are written. */
type MonthBesideNumbers = { month: number; written: string; days: readonly number[]; dayWritten?: string };

/**
 * Returns the months of the dates of a text, in English and Arabic: a name with a number beside it, 1 to 12, as it
 * is written, with the days beside it.
 */
export function monthsBesideNumbers(text: string): MonthBesideNumbers[] {
  const folded = foldForDates(text);
  return Array.from(folded.matchAll(MONTH_WORD)).flatMap(({ 0: name, index }) => {
    const bare = name.replace(/\.$/, "");
    const month = NAMED.has(bare) || bare.includes(" ") ? monthOf(bare) : undefined;
    const end = index + bare.length;
    const written = text.slice(index, end);
    // «May» and «March» are words, too.
    const isName = written !== bare || /\p{Script=Arabic}/u.test(bare);
    const [before, behind] = [
      folded.slice(Math.max(0, index - DAYS_BEFORE), index),
      folded.slice(end, end + YEAR_BEHIND),
    ];
    const isDated = /\d\D{0,7}$/.test(before) || BEFORE_YEAR.test(behind);
    if (month === undefined || !isName || !isDated) return [];
    const days = [before, behind.slice(0, DAYS_BEHIND)].flatMap((beside) => beside.match(DAY) ?? []).map(Number);
    const next = /(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?: of)? $/.exec(before)?.[0] ?? "";
    const dayWritten = next === "" ? {} : { dayWritten: text.slice(index - next.length, end) };
    return [{ month, written, days, ...dayWritten }];
  });
}
