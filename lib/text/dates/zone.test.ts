import { expect, test } from "bun:test";
import { monthOf } from "./calendar.ts";
import { offsetAt, offsetOf } from "./zone.ts";

test.each([
  ["Z", 0],
  ["+03:00", 180],
  ["-0730", -450],
  ["GMT+3", 180],
  ["UTC -5", -300],
  ["EST", -300],
  ["+15:00", undefined],
  ["XYZ", undefined],
])("%s is %p minutes east", (zone, minutes) => {
  expect(offsetOf(zone)).toBe(minutes);
});

test("a place has its winter and its summer time", () => {
  expect(offsetAt("Europe/Berlin", Date.UTC(2025, 0, 1, 12))).toBe(60);
  expect(offsetAt("Europe/Berlin", Date.UTC(2025, 6, 1, 12))).toBe(120);
  expect(offsetAt("Asia/Riyadh", Date.UTC(2025, 6, 1, 12))).toBe(180);
  expect(() => offsetAt("No/Where", 0)).toThrow(RangeError);
});

test("months have names in many languages", () => {
  expect(["january", "sept.", "آذار", "اذار", "كانون الاول", "mai", "nothing"].map(monthOf)).toEqual([
    1,
    9,
    undefined,
    3,
    12,
    5,
    undefined,
  ]);
});
