import { expect, test } from "bun:test";
import { applyRules } from "./timestamp-rules.ts";

// Text 0 to 4, the end 5, a mark 6, no stamps 7, stamps 8 to 15.
const rules = { firstStamp: 8, end: 5, noStamps: 7, suppressed: [6, 1], suppressedFirst: [0], latestFirst: 3 };

/** The tokens that may follow, when all are as likely but text a little more than stamps together. */
function allowed(heard: number[], lift: Record<number, number> = {}): number[] {
  const logits = Float32Array.from({ length: 16 }, (_, token) => lift[token] ?? (token < 8 ? 3 : 0));
  applyRules(logits, heard, rules);
  return [...logits].flatMap((logit, token) => (logit === Number.NEGATIVE_INFINITY ? [] : [token]));
}

test("a window begins with a time stamp, and not a late one", () => {
  expect(allowed([])).toEqual([8, 9, 10, 11]);
});

test("text follows on the first stamp, or the end", () => {
  expect(allowed([8])).toEqual([0, 2, 3, 4, 5]);
});

test("stamps close a stretch of text, later than it began, and open the next one", () => {
  expect(allowed([10, 2])).toEqual([0, 2, 3, 4, 5, 11, 12, 13, 14, 15]);
  expect(allowed([10, 2, 12])).toEqual([5, 12, 13, 14, 15]);
  expect(allowed([10, 2, 12, 12])).toEqual([0, 2, 3, 4, 5]);
});

test("a stamp is put when all of them together are likelier than any text", () => {
  const lift = Object.fromEntries([11, 12, 13, 14, 15].map((token) => [token, 1.5]));
  expect(allowed([10, 2], lift)).toEqual([11, 12, 13, 14, 15]);
});
