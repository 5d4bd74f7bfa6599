import { at } from "@isnad/lib/std";

const STEPS = 12;

/**
 * Weights of a logistic regression by Newton's method, the last one the intercept; `l2` (of the weights, not of the
 * intercept) keeps them finite. Rows are as long as each other.
 */
export function fitLogistic(rows: readonly (readonly number[])[], labels: readonly boolean[], l2 = 1): number[] {
  const size = (rows[0]?.length ?? 0) + 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const hessian = Array.from({ length: size }, (_, a) =>
      Array.from({ length: size }, (_, b) => (a === b && a < size - 1 ? l2 : a === b ? 1e-9 : 0)),
    );
    const gradient = weights.map((weight, a) => (a < size - 1 ? l2 * weight : 0));
    rows.forEach((row, i) => {
      const p = 1 / (1 + Math.exp(-logit(weights, row)));
      for (let a = 0; a < size; a++) {
        const x = row[a] ?? 1;
        gradient[a] = at(gradient, a) + (p - Number(labels[i])) * x;
        const line = hessian[a] ?? [];
        for (let b = 0; b < size; b++) line[b] = at(line, b) + p * (1 - p) * x * (row[b] ?? 1);
      }
    });
    const change = solve(hessian, gradient);
    weights = weights.map((weight, a) => weight - at(change, a));
  }
  return weights;
}

/** The sum of a row's numbers times their weights, and the intercept. */
export function logit(weights: readonly number[], row: readonly number[]): number {
  return weights.reduce((sum, weight, a) => sum + weight * (row[a] ?? 1), 0);
}

/** x of matrix · x = right, by elimination; the matrix is symmetric and positive. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const lines = matrix.map((line, a) => [...line, at(right, a)]);
  const size = lines.length;
  for (let pivot = 0; pivot < size; pivot++) {
    const from = lines[pivot] ?? [];
    for (let a = 0; a < size; a++) {
      const line = lines[a] ?? [];
      if (a === pivot) continue;
      const factor = at(line, pivot) / (from[pivot] ?? 1);
      for (let b = pivot; b <= size; b++) line[b] = at(line, b) - factor * at(from, b);
    }
  }
  return lines.map((line, a) => at(line, size) / (line[a] ?? 1));
}
