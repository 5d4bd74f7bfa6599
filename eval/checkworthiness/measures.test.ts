import { expect, test } from "bun:test";
import { adaptiveCalibrationError, averagePrecision, calibrationError, measure } from "./measures.ts";

test("average precision of a ranking, by hand", () => {
  expect(averagePrecision([true, false, true, false], [0.9, 0.8, 0.7, 0.1])).toBeCloseTo((1 + 2 / 3) / 2, 12);
});

test("ties keep the order of the set", () => {
  expect(averagePrecision([false, true], [0.5, 0.5])).toBe(0.5);
});

test("precision, recall, F1 and accuracy at the threshold, which itself counts as positive", () => {
  const found = measure([true, true, false, false], [0.9, 0.3, 0.5, 0.1], 0.5, 0.3);
  expect(found).toMatchObject({ precision: 0.5, recall: 0.5, f1: 0.5, accuracy: 0.5, sentences: 4, positive: 2 });
});

test("calibration error: certain and wrong is 1, certain and right is 0", () => {
  expect(calibrationError([false, true], [1, 0])).toBe(1);
  expect(calibrationError([true, false], [1, 0])).toBe(0);
  expect(adaptiveCalibrationError([false, true], [1, 0])).toBe(1);
});

test("calibration error within a bin is the gap between mean probability and share", () => {
  const scores = [0.62, 0.64, 0.66, 0.68];
  expect(calibrationError([true, false, true, false], scores)).toBeCloseTo(0.15, 12);
});

test("what chance alone shows is taken off", () => {
  const scores = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);
  const labels = scores.map((_, i) => (i * 37) % 100 < i);
  const { ece, eceDebiased } = measure(labels, scores, 0.5, 0.5);
  expect(eceDebiased).toBeLessThan(ece);
});

test("an error that only the share of positives makes goes when rows are weighed", () => {
  // of the scores 0.2 one in five is positive, of 0.8 four in five; then every positive is there four times
  const scores = [0.2, 0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8, 0.8];
  const labels = [true, false, false, false, false, true, true, true, true, false];
  const more = labels.flatMap((label, i) => new Array<number>(label ? 4 : 1).fill(i));
  const manyLabels = more.map((i) => labels[i] ?? false);
  const manyScores = more.map((i) => scores[i] ?? 0);
  expect(calibrationError(manyLabels, manyScores)).toBeGreaterThan(0.1);
  expect(calibrationError(manyLabels, manyScores, 0.5)).toBeCloseTo(0, 12);
});
