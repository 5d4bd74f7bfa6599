import { describe, expect, test } from "bun:test";
import { romanised } from "../../text/mod.ts";
import { bestNames, spellingsOf } from "./names.ts";

const alike = (...forms: string[]) => forms.map((form) => ({ form, sound: romanised(form), holding: 1 }));
const best = (word: string, words: ReturnType<typeof alike>) => bestNames(spellingsOf(word, words));
const forms = (found: readonly { form: string }[]) => found.map(({ form }) => form);

describe("bestNames() of spellingsOf()", () => {
  test("keeps the nearest spellings, with shares that sum to one", () => {
    const found = best("ميركل", alike("merkel", "marikoula", "markel"));
    expect(forms(found)).toContain("merkel");
    expect(forms(found)).not.toContain("marikoula");
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1.000001);
  });

  test("goes from Latin to Arabic script as well", () => {
    expect(forms(best("merkel", alike("ميركل", "مراكل")))[0]).toBe("ميركل");
  });

  test("of equal spellings the one that more documents hold counts more", () => {
    const found = best("ماكرون", [
      { form: "macron", sound: romanised("macron"), holding: 100 },
      { form: "makron", sound: romanised("makron"), holding: 1 },
    ]);
    expect(found.find(({ form }) => form === "macron")?.share ?? 0).toBeGreaterThan(
      found.find(({ form }) => form === "makron")?.share ?? 0,
    );
  });

  test("a word that begins with a vowel is none that begins with a consonant; without candidates there is none", () => {
    expect(best("اوباما", alike("bam"))).toEqual([]);
    expect(best("ميركل", [])).toEqual([]);
  });
});
