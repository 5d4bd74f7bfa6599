import { expect, test } from "bun:test";
import { codePointLength, codePointSlice, codePointSlicer, codePointToUnit, unitToCodePoint } from "./code-points.ts";

const mixed = "a\u{1F600}b\ud800c مَرَّاكُش \u{1F468}\u200d\u{1F469}!";

test("lengths count code points, and a lone surrogate as one", () => {
  expect(codePointLength("مراكش")).toBe(5);
  expect(codePointLength("\u{1F600}")).toBe(1);
  expect(codePointLength("\ud800\ud800\udc00\udc00")).toBe(3);
  expect(codePointLength("")).toBe(0);
  expect(codePointLength(mixed)).toBe([...mixed].length);
});

test("slices are those of the array of code points", () => {
  const points = [...mixed];
  for (let start = 0; start <= points.length + 1; start++) {
    for (let end = start; end <= points.length + 1; end++) {
      expect(codePointSlice(mixed, start, end)).toBe(points.slice(start, end).join(""));
      expect(codePointSlicer(mixed)(start, end)).toBe(points.slice(start, end).join(""));
    }
  }
  expect(codePointSlice(mixed, 3)).toBe(points.slice(3).join(""));
  expect(codePointSlice(mixed, -2, 1)).toBe("a");
  expect(codePointSlice("abc", -2, 1)).toBe("a");
  expect(codePointSlice("abc", 2, 1)).toBe("");
  for (const text of [mixed, "abc"]) {
    const slice = codePointSlicer(text);
    expect([slice(-2, 1), slice(1, 2), slice(2, 1), slice(-2, -1)]).toEqual(["a", [...text][1] ?? "", "", ""]);
  }
});

test("offsets convert to units and back", () => {
  const points = [...mixed];
  const back = unitToCodePoint(mixed);
  for (let n = 0; n <= points.length; n++) {
    const unit = codePointToUnit(mixed, n);
    expect(unit).toBe(points.slice(0, n).join("").length);
    expect(back(unit)).toBe(n);
  }
  expect(back(1)).toBe(1);
  expect(codePointToUnit(mixed, 999)).toBe(mixed.length);
  expect(codePointToUnit("abc", 999)).toBe(3);
});
