import { expect, test } from "bun:test";
import { cutWindow } from "./segments.ts";

const stamp = (position: number): number => 100 + position;
const rules = { firstStamp: 100 };

test("stretches end where two stamps meet, and the next window begins at the last such place", () => {
  const tokens = [stamp(0), 1, stamp(5), stamp(6), 2, stamp(9), stamp(9), 3];
  expect(cutWindow(tokens, 50, rules)).toEqual({
    stretches: [
      { start: 0, end: 5, tokens: tokens.slice(0, 3) },
      { start: 6, end: 9, tokens: tokens.slice(3, 6) },
    ],
    advance: 9,
  });
});

test("a single stamp at the end says that nothing more is said in the window", () => {
  const tokens = [stamp(0), 1, stamp(5), stamp(6), 2, stamp(9)];
  const { stretches, advance } = cutWindow(tokens, 50, rules);
  expect([stretches.length, advance]).toEqual([2, 50]);
  expect(stretches[1]).toMatchObject({ start: 6, end: 9 });
});

test("without such a place all of it is one stretch", () => {
  expect(cutWindow([stamp(0), 1, stamp(7)], 50, rules)).toMatchObject({
    stretches: [{ start: 0, end: 7 }],
    advance: 50,
  });
  expect(cutWindow([stamp(0), 1, 2], 50, rules)).toMatchObject({ stretches: [{ start: 0, end: 50 }], advance: 50 });
  expect(cutWindow([], 20, rules)).toMatchObject({ advance: 20 });
});

test("a window always goes on, whatever the stamps say", () => {
  expect(cutWindow([stamp(0), stamp(0), 1], 50, rules).advance).toBe(1);
  expect(cutWindow([stamp(0), 1, stamp(70), stamp(70), 1], 50, rules).advance).toBe(50);
});
