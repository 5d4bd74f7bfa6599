/** Texts of a group, the same in both languages: what one language lacks is an error of types. */
export function inBoth<T>(texts: { en: T; ar: NoInfer<T> }): { en: T; ar: T } {
  return texts;
}

const ENGLISH = new Intl.PluralRules("en");
const ARABIC = new Intl.PluralRules("ar");
const DIGITS = new Intl.NumberFormat("en");

/** Returns a number with its thousands apart, in the digits that both languages read. */
export function figure(count: number): string {
  return DIGITS.format(count);
}

/** Returns a count in English: `3 articles`. */
export function counted(count: number, one: string, other: string): string {
  return `${figure(count)} ${ENGLISH.select(count) === "one" ? one : other}`;
}

/** The forms of an Arabic noun that is counted: the noun alone for one and two, then with three to ten, then above. */
type ArabicForms = { zero: string; one: string; two: string; few: string; many: string; other: string };

/** Returns a count in Arabic: «3 مقالات», «11 مقالًا». */
export function countedArabic(count: number, forms: ArabicForms): string {
  const form = ARABIC.select(count);
  return form === "zero" || form === "one" || form === "two" ? forms[form] : `${figure(count)} ${forms[form]}`;
}

/** Returns the words for names that the platform may get more of. */
export function named(words: Record<string, string>): Readonly<Record<string, string>> {
  return words;
}
