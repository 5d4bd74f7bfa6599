import { expect, test } from "bun:test";
import { chooseSentences } from "./choose.ts";
import { sentenceOf } from "./features.ts";

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");
const one = (vector: Float32Array, count = 10) => sentenceOf(words(count), vector);

test("the sentences stand in the order of the text, the first among them, and are enough", () => {
  const text = [one(unit(1, 0, 0)), one(unit(0, 0, 1)), one(unit(1, 1, 0)), one(unit(1, 0.2, 0.5)), one(unit(0, 1, 0))];
  const chosen = chooseSentences(text, { enough: 25, most: 40 });
  expect(chosen).toHaveLength(3);
  expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
  expect(chosen[0]).toBe(0);
});

test("a sentence that repeats a chosen one is left out, however good it is", () => {
  const text = [one(unit(1, 0.1)), one(unit(1, 0.11)), one(unit(1, 0.1)), one(unit(0.2, 1))];
  expect(chooseSentences(text, { enough: 100, most: 1000 })).toEqual([0, 3]);
});

test("none is added that would make it too long, and one there is always", () => {
  const text = [one(unit(1, 0), 10), one(unit(1, 1), 50), one(unit(0, 1), 12)];
  expect(chooseSentences(text, { enough: 20, most: 30 })).toEqual([0, 2]);
  expect(chooseSentences([one(unit(1, 0), 500)], { enough: 20, most: 30 })).toEqual([0]);
  expect(chooseSentences([], { enough: 20, most: 30 })).toEqual([]);
});
