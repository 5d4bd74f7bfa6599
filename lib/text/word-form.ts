import { normalForm } from "./normal-form.ts";

/** Latin letters that no normalization takes apart, by what is typed for them. */
const LATIN: Record<string, string> = { ı: "i", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ß: "ss" };
const OTHER_LATIN = new RegExp(`[${Object.keys(LATIN).join("")}]`, "g");

/** `مائة` and its forms, alone or behind the number of hundreds, after what may be joined to it. */
const HUNDRED = /^([وفبكل]{0,2}(?:ال|لل)?(?:ثلاث|اربع|خمس|ست|سبع|ثماني?|تسع)?)مائ(?=(?:ه|تان|تين|تا|تي|ات|وي|ويه)$)/u;

/**
 * The form of a word that an index goes by: its normal form, with spellings of everyday as one. `شاطىء` is `شاطئ`,
 * `مائة` is `مئة`, `Łódź` is `lodz`.
 */
export function wordForm(word: string): string {
  return normalForm(word)
    .replace(OTHER_LATIN, (letter) => LATIN[letter] ?? letter)
    .replace(/يء$/, "ئ")
    .replace(HUNDRED, "$1مئ");
}

/** The forms under which a lexicon may have a word of this form, the one that it has most often first. */
export function lexicalForms(form: string): string[] {
  if (form.endsWith("ئ")) return [`${form.slice(0, -1)}يء`, form];
  return form.includes("مئ") ? [form, form.replace("مئ", "مائ")] : [form];
}
