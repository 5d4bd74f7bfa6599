import { describe, expect, test } from "bun:test";
import { fitLogistic, fitOdds, linear, minimise, solve } from "./regression.ts";

describe("a system of equations", () => {
  test("is solved, be its rows in any order", () => {
    // x + 2y = 5 and 3x - y = 1
    expect(
      solve([
        [1, 2, 5],
        [3, -1, 1],
      ]).map((value) => Number(value.toFixed(9))),
    ).toEqual([1, 2]);
    expect(
      solve([
        [3, -1, 1],
        [1, 2, 5],
      ]).map((value) => Number(value.toFixed(9))),
    ).toEqual([1, 2]);
  });

  test("is solved where a pivot is 0, and of three unknowns", () => {
    // y + z = 5, x + z = 4, x + y = 3
    const solution = solve([
      [0, 1, 1, 5],
      [1, 0, 1, 4],
      [1, 1, 0, 3],
    ]);
    expect(solution.map((value) => Number(value.toFixed(9)))).toEqual([1, 2, 3]);
  });

  test("that says nothing of an unknown leaves it 0", () => {
    expect(
      solve([
        [2, 0, 6],
        [0, 0, 0],
      ]),
    ).toEqual([3, 0]);
    expect(solve([])).toEqual([]);
  });
});

const row = (isOne: boolean, ...values: number[]) => ({ values, isOne, weight: 1 });
const freely = { ridge: () => 0, rounds: 25 };

describe("a logistic regression", () => {
  test("of a bias alone is the logarithm of the odds", () => {
    const [bias = 0] = fitLogistic([row(true, 1), row(true, 1), row(true, 1), row(false, 1)], freely);
    expect(bias).toBeCloseTo(Math.log(3), 6);
  });

  test("tells two groups apart by their own odds", () => {
    const of = (group: number, ones: number, others: number) => [
      ...Array.from({ length: ones }, () => row(true, 1, group)),
      ...Array.from({ length: others }, () => row(false, 1, group)),
    ];
    const [bias = 0, weight = 0] = fitLogistic([...of(0, 1, 4), ...of(1, 6, 2)], freely);
    expect(bias).toBeCloseTo(Math.log(1 / 4), 6);
    expect(bias + weight).toBeCloseTo(Math.log(6 / 2), 6);
  });

  test("takes a row of weight 3 for three rows", () => {
    const one = { ...row(true, 1), weight: 3 };
    expect(fitLogistic([one, row(false, 1)], freely)[0]).toBeCloseTo(Math.log(3), 6);
  });

  test("is pulled towards 0 where there is a ridge, and only there", () => {
    const rows = [row(true, 1, 1), row(true, 1, 1), row(false, 1, -1), row(true, 1, -1), row(false, 1, -1)];
    const [, free = 0] = fitLogistic([...rows, row(false, 1, 1)], freely);
    const pulled = fitLogistic([...rows, row(false, 1, 1)], { ridge: (place) => (place === 0 ? 0 : 5), rounds: 25 });
    expect(Math.abs(pulled[1] ?? 1)).toBeLessThan(Math.abs(free) / 2);
    // What the ridge leaves free still makes the mean right.
    const mean = [...rows, row(false, 1, 1)].reduce(
      (sum, { values }) => sum + 1 / (1 + Math.exp(-((pulled[0] ?? 0) + (values[1] ?? 0) * (pulled[1] ?? 0)))),
      0,
    );
    expect(mean).toBeCloseTo(3, 6);
  });

  test("stays finite where the groups do not overlap", () => {
    const weights = fitLogistic([row(true, 1, 1), row(false, 1, -1)], { ridge: () => 0.1, rounds: 25 });
    expect(weights.every(Number.isFinite)).toBe(true);
    expect(weights[1]).toBeGreaterThan(0);
  });

  test("of no example has no weight", () => {
    expect(fitLogistic([], freely)).toEqual([]);
  });
});

describe("a fit by descent", () => {
  test("finds the line through points, whatever the scale of their features", () => {
    const points = [0, 1, 2, 3, 4].map((x) => ({ x: [x * 1000, 7], y: 2 * x + 1 }));
    const fit = minimise(
      points.map(({ x }) => x),
      (scores) => Float64Array.from(points, ({ y }, i) => (2 * ((scores[i] ?? 0) - y)) / points.length),
      0,
    );
    for (const { x, y } of points) expect(linear(fit, x)).toBeCloseTo(y, 1);
    expect(fit.weights[0]).toBeCloseTo(2 / 1000, 4);
  });

  test("holds weights small, but for the last ones that are free", () => {
    const rows = [-1, 1].map((x) => [x, x]);
    const gradientOf = (scores: Float64Array) => Float64Array.from(rows, ([x = 0], i) => (scores[i] ?? 0) - x);
    const [held = 0, free = 0] = minimise(rows, gradientOf, 10, 1).weights;
    expect(Math.abs(held)).toBeLessThan(0.1);
    expect(free).toBeGreaterThan(0.8);
  });

  test("by odds comes near the share of gold rows, each by its weight", () => {
    const gold = (isGold: boolean, weight: number) => ({ features: [0], isGold, weight });
    const fit = fitOdds([gold(true, 3), gold(false, 1)], 0);
    expect(1 / (1 + Math.exp(-linear(fit, [0])))).toBeCloseTo(0.75, 1);
  });

  test("by odds ranks rows by the feature that tells them apart", () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      features: [i % 2, (i * 7) % 5],
      isGold: i % 2 === 1,
      weight: 1,
    }));
    const fit = fitOdds(rows, 0.01);
    expect(linear(fit, [1, 2])).toBeGreaterThan(0);
    expect(linear(fit, [0, 2])).toBeLessThan(0);
    expect(Math.abs(fit.weights[1] ?? 1)).toBeLessThan(Math.abs(fit.weights[0] ?? 0) / 10);
  });
});
