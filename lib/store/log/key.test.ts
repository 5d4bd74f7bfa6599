import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { articleIdOfKey, articleKey } from "./key.ts";

test("keys are safe whole numbers in the order of the articles' numbers", () => {
  const numbers = [1, 2, 3, 1_000_000, 2 ** 32, 2 ** 33 - 1];
  const keys = numbers.map((number) => articleKey(number, randomUUID()));
  expect(keys.every(Number.isSafeInteger)).toBe(true);
  expect(keys.toSorted((a, b) => a - b)).toEqual(keys);
  expect(keys.map(articleIdOfKey)).toEqual(numbers);
});

test("a number that is given out again has another key", () => {
  const keys = new Set(Array.from({ length: 200 }, () => articleKey(7, randomUUID())));
  // Two of 200 are the same once in fifty runs; three are not.
  expect(keys.size).toBeGreaterThan(197);
});
