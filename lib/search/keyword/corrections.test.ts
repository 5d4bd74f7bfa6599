import { expect, test } from "bun:test";
import { editCost } from "./corrections.ts";

test.each([
  ["a neighbouring key", "harbiur", "harbour", "harbzur"],
  ["a doubled letter", "harbbour", "harbour", "harbkour"],
  ["two letters swapped", "harbuor", "harbour", "harbxyr"],
  ["a letter that looks alike", "مكتبت", "مكتبه", "مكتبض"],
  ["ض for ظ", "محفوض", "محفوظ", "محفوك"],
  ["an alef left out", "كتب", "كتاب", "كتغاب"],
  ["a letter left out", "harour", "harbour", "harbxour"],
  ["a letter put in", "harbxour", "harbour", "haxbxour"],
  ["a letter in the middle", "harzour", "harbour", "zarbour"],
])("%s is a likelier slip than any other letter", (_, likely, meant, unlikely) => {
  expect(editCost(likely, meant)).toBeGreaterThan(0);
  expect(editCost(likely, meant)).toBeLessThan(editCost(unlikely, meant));
});

test("a word is no slip for itself, and an edit costs the same in both directions of the keyboard", () => {
  expect(editCost("harbour", "harbour")).toBe(0);
  expect(editCost("hsrbour", "harbour")).toBe(editCost("harbour", "hsrbour"));
});
