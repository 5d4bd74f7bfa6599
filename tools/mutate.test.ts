import { expect, test } from "bun:test";
import { seeded } from "../lib/std/random.ts";
import { mutate } from "./mutate.ts";

test("a mutation changes what it names and nothing else", () => {
  expect(mutate("a < b && c", { start: 2, end: 3, from: "<", to: "<=" })).toBe("a <= b && c");
  expect(mutate("!x", { start: 0, end: 2, from: "!x", to: "x" })).toBe("x");
});

test("the same seed gives the same numbers, all from 0 up to 1", () => {
  const draw = (seed: number) => Array.from({ length: 1000 }, seeded(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((number) => number >= 0 && number < 1)).toBe(true);
  const mean = draw(7).reduce((sum, number) => sum + number, 0) / 1000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});
