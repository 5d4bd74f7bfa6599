// Month names as news sites write them: English, Arabic (Gregorian, Levantine, Maghreb), and the neighbours French,
// German, Spanish, Italian, Portuguese, Turkish. From the CLDR, without its diacritics.
const NAMES: readonly string[] = [
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

const TABLE = new Map<string, number>(PAIRS);
for (const [at, names] of NAMES.entries()) for (const name of names.split(" ")) TABLE.set(name, at + 1);

/**
 * A regular expression source that matches any month name in folded text, longest first, with an optional full stop.
 */
export const MONTH_PATTERN: string = `(?:${[...TABLE.keys()].sort((a, b) => b.length - a.length).join("|")})\\.?`;

// Libya's names since 1969: words of every day, which are months only between a day and a year.
const LIBYAN = "اي النار,النوار,الربيع,الطير,الماء,الصيف,ناصر,هانيبال,الفاتح,التمور,الحرث,الكانون".split(",");

/** A regular expression source that matches a Libyan month name in folded text. */
export const LIBYAN_MONTH_PATTERN: string = `(?:${LIBYAN.join("|")})`;

/** Returns the month 1 to 12 of a folded month name, undefined for another word. */
export function monthOf(name: string): number | undefined {
  const libyan = LIBYAN.indexOf(name) + 1;
  return libyan > 0 ? libyan : TABLE.get(name.replace(/\.$/, ""));
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

/**
 * Folds a text for date recognition, one UTF-16 unit for one, so that offsets stay: lower case, Arabic-Indic digits to
 * ASCII, alef and hamza forms to bare alef, no diacritics of Latin letters, every space, dash and slash to the plain
 * one.
 */
export function foldForDates(text: string): string {
  return text.replace(/[^\u0021-\u0040\u005b-\u007e]/g, foldUnit);
}

function foldUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  if (code >= 0x0660 && code <= 0x0669) return String(code - 0x0660);
  if (code >= 0x06f0 && code <= 0x06f9) return String(code - 0x06f0);
  if (code === 0x0622 || code === 0x0623 || code === 0x0625) return "ا";
  if (code === 0x060c) return ",";
  if (code === 0x060d || code === 0x2044 || code === 0x2215 || code === 0xff0f) return "/";
  if (code === 0x066b) return ".";
  if ((code >= 0x2010 && code <= 0x2015) || code === 0x2212) return "-";
  if (/\s/.test(unit)) return " ";
  const lower = unit.toLowerCase();
  const bare = code < 0x250 ? lower.normalize("NFD").charAt(0) : lower;
  return bare.length === 1 ? bare : unit;
}

/** A text without what does not show, and where each of its UTF-16 units stood. */
export interface BareText {
  readonly text: string;
  /** The offset in the original of an offset in `text`. */
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
