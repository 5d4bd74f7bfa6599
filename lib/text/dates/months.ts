// Month names as news sites write them: English, Arabic (Gregorian, Levantine, Maghreb), and the neighbours French,
// German, Spanish, Italian, Portuguese, Turkish. From the CLDR, without its diacritics.
const NAMES: readonly string[] = [
  "january jan يناير جانفي janvier janv januar janner enero ene gennaio gen janeiro ocak",
  "february feb فبراير فيفري شباط fevrier fevr februar febrero febbraio fevereiro fev subat",
  "march mar مارس اذار mars marz maerz marzo março marco mart",
  "april apr ابريل افريل نيسان avril avr abril abr aprile nisan",
  "may مايو ماي ايار mai mayo maggio mag maio mayis",
  "june jun يونيو جوان حزيران juin juni junio giugno giu junho haziran",
  "july jul يوليو يوليوز جويلية تموز juillet juil juli julio luglio lug julho temmuz",
  "august aug اغسطس اوت غشت اب aout agosto ago agustos",
  "september sep sept سبتمبر شتنبر ايلول septembre septiembre settembre set setembro eylul",
  "october oct اكتوبر octobre oktober okt octubre ottobre ott outubro out ekim",
  "november nov نوفمبر نونبر novembre noviembre novembro kasim",
  "december dec ديسمبر دجنبر decembre dezember dez diciembre dic dicembre dezembro aralik",
];

// The Levantine names of two words: their second word alone would be ambiguous.
const PAIRS: readonly (readonly [string, number])[] = [
  ["كانون الثاني", 1],
  ["تشرين الاول", 10],
  ["تشرين الثاني", 11],
  ["كانون الاول", 12],
];

const TABLE = new Map<string, number>(PAIRS);
for (const [at, names] of NAMES.entries()) for (const name of names.split(" ")) TABLE.set(name, at + 1);

/**
 * A regular expression source that matches any month name in folded text, longest first, with an optional full stop.
 */
export const MONTH_PATTERN: string = `(?:${[...TABLE.keys()].sort((a, b) => b.length - a.length).join("|")})\\.?`;

/** Month 1 to 12 of a folded month name, undefined for another word. */
export function monthOf(name: string): number | undefined {
  return TABLE.get(name.replace(/\.$/, ""));
}

/**
 * Folds a text for date recognition, one UTF-16 unit for one, so that offsets stay: lower case, Arabic-Indic digits to
 * ASCII, alef and hamza forms to bare alef, no diacritics of Latin letters, every space and dash to the plain one.
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
  if (code >= 0x2010 && code <= 0x2015) return "-";
  if (/\s/.test(unit) || code === 0x200e || code === 0x200f) return " ";
  const lower = unit.toLowerCase();
  const bare = code < 0x250 ? lower.normalize("NFD").charAt(0) : lower;
  return bare.length === 1 ? bare : unit;
}
