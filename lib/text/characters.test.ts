import { expect, test } from "bun:test";
import {
  codePointLength,
  codePointSlice,
  codePointSlicer,
  codePointToUnit,
  unitToCodePoint,
  withoutControls,
  withoutInvisible,
  withoutMarks,
} from "./characters.ts";

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

test("overrides, embeddings, isolates and control characters go, open or closed", () => {
  expect(withoutControls("\u202eevil\u202c \u2067نص\u2069 \u202aab\u202b\u202d\u2066\u2068")).toBe("evil نص ab");
  expect(withoutControls("a\0\x08\x1b[0m\x7f\x9f b")).toBe("a [0m b");
});

test("white space, joiners and direction marks stay in running text", () => {
  const text = "می\u200cخواهم\u200d\u200f C++\u200e\u061c\t\n\u0085 \u00a0";
  expect(withoutControls(text)).toBe(text);
  expect(withoutMarks("\u200fعنوان C++\u200e\u061c")).toBe("عنوان C++");
});

test.each([
  ["a soft hyphen", "\u00ad"],
  ["a zero-width space", "\u200b"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["an invisible separator", "\u2063"],
  ["an anchor", "\ufff9"],
])("%s in the middle of a word goes, in every script", (_, char) => {
  expect(withoutInvisible(`har${char}bour المهند${char}سون при${char}чал`)).toBe("harbour المهندسون причал");
});

test("joiners stay where they shape a letter or a picture, and go elsewhere", () => {
  for (const text of ["می\u200cخواهم", "ه\u200d", "क\u094d\u200dष", "👩\u200d🚀", "👩\u{1F3FD}\u200d🚀"]) {
    expect(withoutInvisible(text)).toBe(text);
  }
  expect(withoutInvisible("\u200char\u200dbour, \u200cx 20\u200c26")).toBe("harbour, x 2026");
});

test("direction marks stay where they order a line, and go from the middle of a word", () => {
  for (const text of ["C++\u200e، قال", "\u200f20\u200f/11", "(\u200eAFP)\u200f"])
    expect(withoutInvisible(text)).toBe(text);
  expect(withoutInvisible("har\u200ebour المهند\u200fسون")).toBe("harbour المهندسون");
});

test("white space and visible marks are none of it", () => {
  const text = "a\u00a0b\u2009c مَرَّاكُش مـراكش ❤\ufe0f";
  expect(withoutInvisible(text)).toBe(text);
});
