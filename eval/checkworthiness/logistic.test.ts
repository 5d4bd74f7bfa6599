import { expect, test } from "bun:test";
import { fitLogistic, logit } from "./logistic.ts";

test("finds the weights that drew the labels", () => {
  const rows: number[][] = [];
  const labels: boolean[] = [];
  for (let a = -20; a <= 20; a++) {
    for (let b = -20; b <= 20; b++) {
      const p = 1 / (1 + Math.exp(-(0.2 * a - 0.1 * b + 0.5)));
      // as many positive as the probability says
      for (let draw = 0; draw < 10; draw++) {
        rows.push([a, b]);
        labels.push((draw + 0.5) / 10 < p);
      }
    }
  }
  const [a = 0, b = 0, intercept = 0] = fitLogistic(rows, labels);
  expect(a).toBeCloseTo(0.2, 1);
  expect(b).toBeCloseTo(-0.1, 1);
  expect(intercept).toBeCloseTo(0.5, 1);
  expect(logit([a, b, intercept], [2, 1])).toBeCloseTo(2 * a + b + intercept, 12);
});

test("rows that a line parts have finite weights", () => {
  const weights = fitLogistic([[-1], [1]], [false, true]);
  expect(weights[0]).toBeGreaterThan(0);
  expect(weights.every(Number.isFinite)).toBe(true);
});
