import { at } from "@isnad/lib/std";

/** A linear model: the value of a row is the sum of its features, each times its weight, and the bias. */
export type Linear = { weights: number[]; bias: number };

/** A row that is learned from, and how much it counts. */
type Example = { values: readonly number[]; isOne: boolean; weight: number };

/** Limits from below what the curve of a row counts, lest a row that is certain leaves nothing to solve. */
const MIN_CURVE = 1e-6;

/**
 * Fits a logistic regression by Newton's method, with a ridge that pulls the weight at each place towards 0; a bias is
 * a value that is always 1.
 */
export function fitLogistic(
  examples: readonly Example[],
  { ridge, rounds }: { ridge: (place: number) => number; rounds: number },
): number[] {
  const size = examples[0]?.values.length ?? 0;
  const weights = new Array<number>(size).fill(0);
  for (let round = 0; round < rounds; round++) {
    const rows = weights.map((own, i) => [...weights.map((_, j) => (i === j ? ridge(i) : 0)), ridge(i) * own]);
    for (const { values, isOne, weight } of examples) {
      const likely = sigmoid(values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0));
      const curve = Math.max(MIN_CURVE, likely * (1 - likely)) * weight;
      const error = (likely - Number(isOne)) * weight;
      for (const [i, row] of rows.entries()) {
        const value = values[i] ?? 0;
        if (value === 0) continue;
        for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) + curve * value * (values[j] ?? 0);
        row[size] = (row[size] ?? 0) + error * value;
      }
    }
    for (const [i, step] of solve(rows).entries()) weights[i] = (weights[i] ?? 0) - step;
  }
  return weights;
}

/** Solves a system of linear equations, the last column the right side; what nothing depends on is 0. */
export function solve(rows: number[][]): number[] {
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, n) => (Math.abs(row[i] ?? 0) > Math.abs(rows[best]?.[i] ?? 0) ? i + n : best), i);
    [rows[i], rows[pivot]] = [rows[pivot] ?? [], rows[i] ?? []];
    const top = rows[i] ?? [];
    const lead = top[i] ?? 0;
    if (Math.abs(lead) < 1e-12) continue;
    for (const [n, row] of rows.entries()) {
      const share = n === i ? 0 : (row[i] ?? 0) / lead;
      if (share !== 0) for (let j = i; j <= size; j++) row[j] = (row[j] ?? 0) - share * (top[j] ?? 0);
    }
  }
  return rows.map((row, i) => (Math.abs(row[i] ?? 0) < 1e-12 ? 0 : (row[size] ?? 0) / (row[i] ?? 1)));
}

/** Minimises a loss over standardised features by Adam; the weights of the last `free` ones are not held small. */
export function minimise(
  rows: readonly (readonly number[])[],
  gradientOf: (scores: Float64Array) => Float64Array,
  l2: number,
  free = 0,
): Linear {
  const size = at(rows, 0).length;
  const mean = Array.from({ length: size }, (_, i) => rows.reduce((sum, row) => sum + at(row, i), 0) / rows.length);
  const sd = mean.map(
    (m, i) => Math.sqrt(rows.reduce((sum, row) => sum + (at(row, i) - m) ** 2, 0) / rows.length) + 1e-6,
  );
  const scaled = rows.map((row) => Float64Array.from(row, (value, i) => (value - at(mean, i)) / at(sd, i)));
  const [w, m, v] = [new Float64Array(size + 1), new Float64Array(size + 1), new Float64Array(size + 1)];
  const STEPS = 500;
  for (let step = 1; step <= STEPS; step++) {
    const scores = Float64Array.from(scaled, (row) => dot(row, w) + (w[size] ?? 0));
    const gradients = gradientOf(scores);
    const gradient = new Float64Array(size + 1);
    for (const [place, row] of scaled.entries()) {
      const g = gradients[place] ?? 0;
      if (g === 0) continue;
      for (let i = 0; i < size; i++) gradient[i] = (gradient[i] ?? 0) + g * (row[i] ?? 0);
      gradient[size] = (gradient[size] ?? 0) + g;
    }
    const rate = 0.05 * (1 - step / STEPS) + 1e-4;
    for (let i = 0; i <= size; i++) {
      const g = (gradient[i] ?? 0) + (i < size - free ? 2 * l2 * (w[i] ?? 0) : 0);
      m[i] = 0.9 * (m[i] ?? 0) + 0.1 * g;
      v[i] = 0.999 * (v[i] ?? 0) + 0.001 * g * g;
      const [mean1, mean2] = [(m[i] ?? 0) / (1 - 0.9 ** step), (v[i] ?? 0) / (1 - 0.999 ** step)];
      w[i] = (w[i] ?? 0) - (rate * mean1) / (Math.sqrt(mean2) + 1e-8);
    }
  }
  const weights = sd.map((s, i) => (w[i] ?? 0) / s);
  return { weights, bias: (w[size] ?? 0) - weights.reduce((sum, weight, i) => sum + weight * at(mean, i), 0) };
}

/** Returns the product of a row with the first of the weights. */
function dot(row: Float64Array, w: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < row.length; i++) sum += (row[i] ?? 0) * (w[i] ?? 0);
  return sum;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Fits by the logarithm of the odds of each row. */
export function fitOdds(
  rows: readonly { features: readonly number[]; isGold: boolean; weight: number }[],
  l2: number,
): Linear {
  const whole = rows.reduce((sum, { weight }) => sum + weight, 0);
  const gradientOf = (scores: Float64Array) =>
    Float64Array.from(rows, ({ isGold, weight }, i) => (weight * (sigmoid(scores[i] ?? 0) - Number(isGold))) / whole);
  return minimise(
    rows.map(({ features }) => features),
    gradientOf,
    l2,
  );
}

/** Returns what a fit says of a row. */
export const linear = ({ weights, bias }: Linear, features: readonly number[]): number =>
  features.reduce((sum, feature, i) => sum + feature * (weights[i] ?? 0), bias);
