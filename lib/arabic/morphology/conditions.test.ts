import { expect, test } from "bun:test";
import { type Asked, conditionsOf, holds, undecided, union } from "./conditions.ts";

const SIZE = 70;
const set = (...numbers: number[]) => conditionsOf(numbers, SIZE);
/** What asks that a condition is not brought. */
const not = (number: number): number => -1 - number;

test("a clause holds where one of its literals does, and all clauses must", () => {
  expect(holds([], [])).toBe(true);
  expect(holds([[3, 65]], [set(1), set(65)])).toBe(true);
  expect(holds([[3, 65]], [set(1), set(2)])).toBe(false);
  expect(holds([[3], [65]], [set(3), set(65)])).toBe(true);
  expect(holds([[3], [65]], [set(3)])).toBe(false);
  expect(holds([[]], [set(3)])).toBe(false);
});

test("a negated literal holds where nobody brings its condition, number 0 and the last among them", () => {
  for (const number of [0, 31, 32, 63, 64, 69]) {
    expect(holds([[not(number)]], [set()])).toBe(true);
    expect(holds([[not(number)]], [set(), set(number)])).toBe(false);
    expect(holds([[number]], [set(number)])).toBe(true);
  }
});

test("a union has the conditions of both; one that adds nothing changes nothing", () => {
  const [small, large] = [set(1), set(1, 40, 69)];
  expect(union(small, set(69, 40))).toEqual(large);
  expect(union(large, small)).toBe(large);
  expect(union(conditionsOf([], 0), large)).toBe(large);
  expect(small).toEqual(set(1));
});

/** All sets of some of these numbers. */
function subsets(numbers: readonly number[]): number[][] {
  return numbers.reduce<number[][]>((all, number) => all.flatMap((each) => [each, [...each, number]]), [[]]);
}

test("what is decided early is what would have come out in the end, whatever is still brought", () => {
  const numbers = [0, 33, 69];
  const literals = numbers.flatMap((number) => [number, not(number)]);
  const clauses = [[], ...literals.map((each) => [each]), ...literals.map((each, i) => [each, literals[i - 1] ?? 0])];
  for (const asked of clauses.flatMap((one): Asked[] => clauses.map((other) => [one, other]))) {
    for (const now of subsets(numbers)) {
      for (const later of subsets(numbers)) {
        const left = undecided(asked, set(...now), set(...later));
        for (const more of subsets(later)) {
          const end = set(...now, ...more);
          const expected = holds(asked, [end]);
          expect(left !== undefined && holds(left, [end])).toBe(expected);
        }
      }
    }
  }
});
