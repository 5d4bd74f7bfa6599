import { expect, test } from "bun:test";
import { backoffMs } from "./backoff.ts";

test("the wait doubles with every attempt and stops growing at the maximum", () => {
  expect([1, 2, 3, 4].map((n) => backoffMs(n, { baseMs: 100, maxMs: 500 }))).toEqual([100, 200, 400, 500]);
  expect(backoffMs(1_000)).toBe(10_000);
  expect(backoffMs(0)).toBe(250);
});
