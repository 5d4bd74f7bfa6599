import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readPairs, recallAt5, reciprocal } from "./claims-match.ts";

const text = (of: string) =>
  readFileSync(fileURLToPath(new URL(`../claims/pairs.${of}.jsonl`, import.meta.url)), "utf8");

test("each claim makes a pair that is the same and a near miss, and halves of the set do not meet", () => {
  for (const of of ["en", "ar", "ar-en"]) {
    const [development, heldOut] = [readPairs(text(of), "development"), readPairs(text(of), "held-out")];
    expect(development.length + heldOut.length).toBe(2 * text(of).trim().split("\n").length);
    expect(heldOut.filter(({ same }) => same)).toHaveLength(heldOut.length / 2);
    const claims = new Set(development.map(({ a }) => a));
    expect(heldOut.filter(({ a }) => claims.has(a))).toEqual([]);
  }
});

test("ranks are counted from 1; 0 is none", () => {
  expect(recallAt5([1, 5, 6, 0])).toBe(0.5);
  expect(reciprocal([1, 2, 0, 4])).toBe(1.75 / 4);
  expect([recallAt5([]), reciprocal([])]).toEqual([0, 0]);
});
