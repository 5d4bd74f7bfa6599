import { expect, test } from "bun:test";
import { contentHash, fold, normalForm } from "./mod.ts";

test("a letter with a hundred thousand marks is folded like one with as many as writings have", () => {
  const many = "\u064b\u0301".repeat(50_000);
  const some = "\u064b\u0301".repeat(15);
  expect(fold(`ب${many}`)).toBe(fold(`ب${some}`));
  expect(normalForm(`e${many}`)).toBe("e");
  expect(contentHash("t", `ب${many}`)).toBe(contentHash("t", `ب${some}`));
  // Held apart by what is left out: they are in a row then.
  expect(fold(`ب${`${some}\u200b`.repeat(3_000)}`)).toBe(fold(`ب${some}`));
});
