import { describe, expect, test } from "bun:test";
import { jsonText, storableReal, storableText } from "./values.ts";

describe("jsonText", () => {
  test("writes ordinary values as JSON.stringify does", () => {
    const value = { text: 'quote " back \\ line \n tab \t نص 😀', list: [1, null, true], none: undefined };
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });

  test("leaves U+0000 out, in keys too", () => {
    expect(JSON.parse(jsonText({ "a\u0000": "b\u0000c" }))).toEqual({ a: "bc" });
  });

  test("replaces half a surrogate pair and keeps whole ones", () => {
    expect(JSON.parse(jsonText(["\ud83d", "\ude00", "😀"]))).toEqual(["\ufffd", "\ufffd", "😀"]);
  });

  test("keeps a backslash that is followed by what looks like an escape", () => {
    for (const text of ["\\u0000", "\\\\u0000", "\\ud800", "\\\u0000\\"]) {
      expect(JSON.parse(jsonText(text))).toBe(text.replaceAll("\u0000", ""));
    }
  });
});

describe("storableText", () => {
  test("changes nothing that can be stored", () => {
    expect(storableText("نص 😀 \u0001")).toBe("نص 😀 \u0001");
  });

  test("leaves out U+0000 and replaces half surrogate pairs", () => {
    expect(storableText("a\u0000b\ud800c")).toBe("ab\ufffdc");
  });
});

test("storableReal clamps what lies beyond a column of type real, and keeps what it can", () => {
  expect([1e-46, -1e-46, 0, 0.5, 100].map(storableReal)).toEqual([0, -0, 0, 0.5, 100]);
  expect([1e39, -1e300, Number.POSITIVE_INFINITY].map(storableReal)).toEqual([
    3.4028234663852886e38, -3.4028234663852886e38, 3.4028234663852886e38,
  ]);
});
