import { expect, test } from "bun:test";
import { backoffMs } from "./backoff.ts";

const most = () => 1;
const least = () => 0;

test("backoffMs() grows with every failure and stops growing at the maximum", () => {
  const backoff = { baseMs: 100, maxMs: 500 };
  expect([0, 1, 2, 3].map((failures) => backoffMs(failures, backoff, most))).toEqual([100, 200, 400, 500]);
  expect(backoffMs(100_000, backoff, most)).toBe(500);
  expect(backoffMs(-1, backoff, most)).toBe(100);
  expect(backoffMs(2, { ...backoff, factor: 1.5 }, most)).toBe(225);
});

test("backoffMs() leaves a share of the wait to chance, half of it by default", () => {
  const backoff = { baseMs: 100, maxMs: 500 };
  expect(backoffMs(1, backoff, least)).toBe(100);
  expect(backoffMs(1, { ...backoff, jitter: 0.25 }, least)).toBe(150);
  expect(backoffMs(1, { ...backoff, jitter: 0 }, least)).toBe(200);
  for (let i = 0; i < 20; i++) {
    const wait = backoffMs(9, backoff);
    expect(wait).toBeGreaterThanOrEqual(250);
    expect(wait).toBeLessThanOrEqual(500);
  }
});
