import { expect, test } from "bun:test";
import { nearest, scoresOf } from "./ranking.ts";

const vectors = [
  [1, 0],
  [0, 1],
  [0.8, 0.6],
].map((v) => Float32Array.from(v));
const query = Float32Array.from([1, 0]);

test("nearest() gives the best first", () => {
  expect(nearest(query, vectors, 2)).toEqual([0, 2]);
});

test("nearest() leaves out what it is told to skip", () => {
  expect(nearest(query, vectors, 3, 0)).toEqual([2, 1]);
});

test("scoresOf() gives 1 when the wanted document is first", () => {
  expect(scoresOf([[0, 1]], [new Set([0])])).toEqual({ recall: 1, ndcg: 1 });
});

test("scoresOf() discounts a second place by log2(3)", () => {
  const { recall, ndcg } = scoresOf([[0, 2]], [new Set([2])]);
  expect(recall).toBe(1);
  expect(ndcg).toBeCloseTo(1 / Math.log2(3), 6);
});

test("scoresOf() divides by the number of wanted documents and counts the first ten", () => {
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  expect(scoresOf([twenty], [new Set([0, 19])]).recall).toBe(0.5);
});
