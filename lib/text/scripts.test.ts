import { expect, test } from "bun:test";
import { scriptText } from "./scripts.ts";

test.each([
  ["sup", "6", "10", "^6"],
  ["sup", "-6", "10", "^-6"],
  ["sup", "٦", "١٠", "^٦"],
  ["sub", "2", "1010", "_2"],
  ["sup", "2", "km", "²"],
  ["sup", "٢", "كم", "²"],
  ["sup", "−1", "s", "⁻¹"],
] as const)("<%s>%s</…> behind %p is written so that it makes no other number", (tag, inner, before, text) => {
  expect(scriptText(tag, inner, before)).toBe(text);
});

test("what is no number, and what nobody could misread, stays", () => {
  expect(scriptText("sup", "st", "21")).toBeUndefined();
  expect(scriptText("sub", "2", "CO")).toBeUndefined();
  expect(scriptText("b", "6", "10")).toBeUndefined();
  expect(scriptText("sup", "20261128", "on")).toBeUndefined();
});
