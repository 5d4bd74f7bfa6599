import { describe, expect, test } from "bun:test";
import { normalForm } from "./normal-form.ts";
import { romanised, soundDistance, soundKey } from "./sound.ts";

const key = (word: string) => soundKey(normalForm(word));
const distance = (a: string, b: string) => soundDistance(romanised(normalForm(a)), romanised(normalForm(b)));

describe("soundKey()", () => {
  test("is the same for a name in both scripts", () => {
    for (const [arabic, latin] of [
      ["ميركل", "Merkel"],
      ["ماكرون", "Macron"],
      ["شكسبير", "Shakespeare"],
      ["كاستيلو", "Castillo"],
      ["البرازيل", "Brazil"],
      ["كلينتون", "Clinton"],
      ["تشارلز", "Charles"],
      ["زيورخ", "Zürich"],
      ["فولتير", "Voltaire"],
    ] as const) {
      expect(key(arabic)).toBe(key(latin));
    }
  });

  test("differs between names of other consonants", () => {
    expect(key("ميركل")).not.toBe(key("Macron"));
    expect(key("بوتين")).not.toBe(key("Biden"));
  });

  test("is empty for what too many words would share, and for what is no word", () => {
    for (const word of ["آو", "لي", "you", "2024", ""]) expect(key(word)).toBe("");
  });
});

describe("soundDistance()", () => {
  test("is 0 for the same sounds and small for vowels that Arabic leaves out", () => {
    expect(distance("Merkel", "Merkel")).toBe(0);
    expect(distance("ميركل", "Merkel")).toBeLessThan(0.1);
    expect(distance("كلنتون", "Clinton")).toBeLessThan(0.1);
  });

  test("is larger for another word of the same consonants", () => {
    expect(distance("ميركل", "Miracle")).toBeGreaterThan(distance("ميركل", "Merkel"));
    expect(distance("بوتين", "Button")).toBeGreaterThan(distance("بوتين", "Putin"));
  });

  test("is none beyond the farthest that is asked for", () => {
    const [merkel, macron] = [romanised(normalForm("Merkel")), romanised(normalForm("Macron"))];
    const far = soundDistance(merkel, macron);
    expect(soundDistance(merkel, macron, far)).toBe(far);
    expect(soundDistance(merkel, macron, far / 2)).toBe(Number.POSITIVE_INFINITY);
  });
});
