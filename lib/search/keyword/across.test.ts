import { expect, test } from "bun:test";
import { acrossTerms, soundToken } from "./across.ts";

test("a name sounds alike in both scripts, and says which it is written in", () => {
  expect(soundToken("merkel").slice(1)).toBe(soundToken("ميركل").slice(1));
  expect(soundToken("merkel")).toMatch(/^l[a-z]+$/);
  expect(soundToken("ميركل")).toMatch(/^a[a-z]+$/);
  expect(soundToken("2024")).toBe("");
  expect(soundToken("a")).toBe("");
});

test("a query is looked for by its translations, and by names in the other script; what is quoted is not", () => {
  const { stems, sounds } = acrossTerms("بركان ميركل");
  expect(stems).toContain("volcano");
  expect(sounds).toContain(soundToken("merkel"));
  expect(acrossTerms('"بركان"')).toEqual({ stems: [], sounds: [] });
  expect(acrossTerms("2024")).toEqual({ stems: [], sounds: [] });
});
