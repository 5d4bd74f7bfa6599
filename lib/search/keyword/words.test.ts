import { expect, test } from "bun:test";
import { wordTerms } from "../../text/mod.ts";
import { Spellings, Words } from "./words.ts";

/** Counts how often words of a sound are read. */
class Counted extends Words {
  reads = 0;
  override sounding(...call: Parameters<Words["sounding"]>) {
    this.reads++;
    return super.sounding(...call);
  }
}

const words = new Counted();

/** Has the index meet words; returns how many it knows. */
function meet(...forms: string[]): number {
  let last = 0;
  for (const form of forms) last = words.add({ ...wordTerms(form), form });
  return last;
}
const forms = (found: readonly { form: string }[]) => found.map(({ form }) => form);

test("words of a sound are read once for all words of that sound and both scripts, and what came since after them", () => {
  const spellings = new Spellings(words);
  const first = meet("merkel", "markel", "ميركل", "مراكل");
  const { reads } = words;
  expect(forms(spellings.of("ميركل", "latin", first))).toEqual(["merkel", "markel"]);
  expect(forms(spellings.of("مركل", "latin", first))).toEqual(["merkel", "markel"]);
  expect(forms(spellings.of("merkel", "arabic", first))).toEqual(["ميركل", "مراكل"]);
  expect(spellings.of("ميركل", "latin", first)).toBe(spellings.of("ميركل", "latin", first));
  expect(words.reads).toBe(reads + 1);
  const more = meet("mirkel", "ماركل");
  expect(forms(spellings.of("ميركل", "latin", first))).not.toContain("mirkel");
  expect(forms(spellings.of("ميركل", "latin", more))).toEqual(["merkel", "markel", "mirkel"]);
  expect(forms(spellings.of("merkel", "arabic", more))).toContain("ماركل");
  expect(words.reads).toBe(reads + 2);
  expect(new Spellings(words).of("ميركل", "latin", more)).toEqual(spellings.of("ميركل", "latin", more));
});

test("words without a sound have no spellings, and of a common sound the words met first are compared", () => {
  const spellings = new Spellings(words);
  expect(spellings.of("2024", "latin", meet("merkel"))).toEqual([]);
  expect(spellings.of("بن", "latin", 0)).toEqual([]);
  const vowels = "aeiouwy";
  const many = Array.from(
    { length: 500 },
    (_, i) =>
      `b${vowels[i % 7]}${vowels[Math.floor(i / 7) % 7]}${vowels[Math.floor(i / 49) % 7]}${"h".repeat(Math.floor(i / 343))}r`,
  );
  const whole = meet(...many);
  const compared = new Set(many.slice(0, 400));
  const found = forms(spellings.of("بير", "latin", whole));
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((form) => compared.has(form))).toBe(true);
  expect(spellings.of("بير", "latin", meet("bir", "bier"))).toHaveLength(found.length);
});
