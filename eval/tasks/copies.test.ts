import { expect, test } from "bun:test";
import { calibrationError, reliability } from "./copies.ts";

const links = (count: number, confidence: number, right: number) =>
  Array.from({ length: count }, (_, i) => ({ confidence, isRight: i < right }));

test("a table tells for each range of confidences the share that is right", () => {
  expect(reliability([...links(10, 0.5, 6), ...links(4, 0.99, 4), ...links(2, 0.3, 0)])).toEqual([
    { from: 0.4, links: 10, confidence: 0.5, right: 0.6 },
    { from: 0.99, links: 4, confidence: 0.99, right: 1 },
  ]);
});

test("the error is the mean difference over links; without links it is none", () => {
  expect(calibrationError(reliability([...links(30, 0.5, 15), ...links(10, 0.7, 3)]))).toBeCloseTo(0.1);
  expect(calibrationError(reliability(links(10, 0.5, 5)))).toBe(0);
  expect(calibrationError([])).toBe(0);
});
