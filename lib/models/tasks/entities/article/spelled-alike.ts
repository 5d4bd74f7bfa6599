import { isCountry } from "../aliases.ts";
import { nationality } from "./arabic-words.ts";

const LONG = 5;

/** Letters that a country's name and its adjective have in common. */
const ALIKE = 4;

/**
 * Whether two keys are one foreign name in two Arabic spellings, which differ in their long vowels and in what stands
 * for g: نوتنغهام and نوتينجهام. Short names, of which many differ in a vowel alone (ناصر, نصر), are not.
 */
export function spelledAlike(a: string, b: string): boolean {
  if (!/^\p{Script=Arabic}/u.test(a)) return false;
  const skeleton = skeletonOf(a);
  return skeleton.length >= LONG && skeleton === skeletonOf(b);
}

/** Whether two keys are one person whose first name is misspelled in one of them: أندرو and أندور of one family. */
export function misspelled(a: string, b: string): boolean {
  const [first = "", ...rest] = a.split(" ");
  const [other = "", ...others] = b.split(" ");
  if (rest.length === 0 || rest.join(" ") !== others.join(" ") || first.length < LONG) return false;
  return [...first].sort().join("") === [...other].sort().join("");
}

/** Whether two keys are one body, by its country's name and by the adjective: حكومة اليمن, الحكومة اليمنية. */
export function ofOneCountry(a: string, b: string): boolean {
  const [head, of = "", ...rest] = a.split(" ");
  const [other, by = "", ...others] = b.split(" ");
  const country = of.replace(/^ال(?=...)/, "");
  if (head !== other || rest.length > 0 || others.length > 0 || !isCountry(country)) return false;
  const stem = nationality(by);
  // إنجلترا and الإنجليزي
  return stem !== undefined && (country.startsWith(stem) || country.slice(0, ALIKE) === stem.slice(0, ALIKE));
}

const skeletonOf = (key: string): string =>
  key
    .replace(/[اويى]/g, "")
    .replace(/[غجق]/g, "غ")
    .replace(/(.)\1/g, "$1");
