import { describe, expect, test } from "bun:test";
import { processorMs } from "../std/testing-processor.ts";
import { decimalParam, isIdentifier, isNestedWithin, timeParam, wholeParam, wholeText } from "./fields.ts";
import { filterParams } from "./filters.ts";

const decimal = decimalParam({ min: 0, max: 1, fallback: 0.5 });
const whole = wholeParam({ min: 1, max: 50, fallback: 3 });

test("numbers within a query string, with their defaults", () => {
  expect([undefined, "0", ".5", "0.50", "5e-1", "1E0"].map((text) => decimal.parse(text))).toEqual([
    0.5, 0, 0.5, 0.5, 0.5, 1,
  ]);
  expect([undefined, "1", "050"].map((text) => whole.parse(text))).toEqual([3, 1, 50]);
});

test("a number may have 32 characters, and as a whole one 16 digits, zeros before it too", () => {
  expect(decimal.parse(`.5${"0".repeat(30)}`)).toBe(0.5);
  expect(decimal.safeParse(`.5${"0".repeat(31)}`).success).toBe(false);
  expect(whole.parse("50".padStart(16, "0"))).toBe(50);
  expect(whole.safeParse("50".padStart(17, "0")).success).toBe(false);
});

test("nothing else is one, however long", () => {
  const wrong = [
    "",
    " ",
    "1.",
    "-0",
    "+1",
    "1e",
    "0x1",
    "٠.٥",
    "NaN",
    "Infinity",
    "1,5",
    "0".repeat(33),
    "1.01",
    "1e999",
  ];
  for (const text of wrong) expect([text, decimal.safeParse(text).success]).toEqual([text, false]);
  for (const text of ["", "0", "51", "1.0", "1e1", "-1", "٣", "1".repeat(17)]) {
    expect([text, whole.safeParse(text).success]).toEqual([text, false]);
  }
});

test("a number out of its range is refused by that range alone", () => {
  const messages = (text: string) => whole.safeParse(text).error?.issues.map(({ message }) => message);
  expect(messages("51")).toEqual(messages("9".repeat(30)));
  expect(messages("-1")).toHaveLength(1);
  expect(messages("1.5")).toEqual(["must be a whole number"]);
});

const QUERY_FIELDS = [
  decimal,
  whole,
  wholeText({ min: 0, max: 9 }),
  timeParam(),
  ...Object.values(filterParams("query")),
];
const HOSTILE = ["0", "9", ".", "0.", "e", "-", "1-", "2024-01-01T", " ", "a.", "%", "x"];

test("no text of the length of a query string costs more than its length", async () => {
  for (const piece of HOSTILE) {
    const text = `${piece.repeat(Math.ceil(240_000 / piece.length))}x`;
    for (const field of QUERY_FIELDS) {
      expect([piece, (await processorMs(() => field.safeParse(text))) < 50]).toEqual([piece, true]);
    }
  }
});

describe("isIdentifier()", () => {
  test("counts code points", () => {
    expect(isIdentifier("😀".repeat(3), 3)).toBe(true);
    expect(isIdentifier("😀".repeat(4), 3)).toBe(false);
    expect(isIdentifier("", 3)).toBe(false);
  });

  test("refuses control characters and half characters", () => {
    for (const id of ["a\u0000", "a\n", "\u001f", "\ud83d"]) expect(isIdentifier(id, 10)).toBe(false);
  });
});

describe("isNestedWithin()", () => {
  test("counts objects and arrays, the value itself being the first", () => {
    expect(isNestedWithin({}, 1)).toBe(true);
    expect(isNestedWithin({ a: 1, b: [] }, 1)).toBe(false);
    expect(isNestedWithin({ a: [{ b: 1 }] }, 3)).toBe(true);
    expect(isNestedWithin({ a: [{ b: [] }] }, 3)).toBe(false);
    expect(isNestedWithin("text", 0)).toBe(true);
  });

  test("stops at the depth, however deep the value goes on", () => {
    expect(isNestedWithin(JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), 100)).toBe(false);
  });
});
