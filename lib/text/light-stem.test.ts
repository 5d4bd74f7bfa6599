import { expect, test } from "bun:test";
import { consonants, lightStem } from "./light-stem.ts";

test("conjunction, article and endings are taken off", () => {
  expect(lightStem("والميليشيات")).toBe("ميليش");
  expect(lightStem("بالانترنت")).toBe("انترنت");
  expect(lightStem("تويتر")).toBe("تويتر");
});

test("at least two letters stay", () => {
  for (const word of ["ال", "ها", "وال", "اله", "و", ""]) {
    expect(lightStem(word).length).toBeGreaterThanOrEqual(Math.min(2, word.length));
  }
});

test("consonants are equal for spellings of a foreign name", () => {
  expect(consonants("روزفلت")).toBe(consonants("روزافالت"));
  expect(consonants("ترامب")).toBe(consonants("ترمب"));
  expect(consonants("ايا")).toBe("ايا");
});
