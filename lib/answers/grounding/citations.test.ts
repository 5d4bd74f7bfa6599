import { describe, expect, test } from "bun:test";
import { createCitationFilter } from "./citations.ts";

/** The text after the filter, given in pieces of `size`. */
function filtered(text: string, numbers = [1, 2, 3], size = text.length): string {
  const filter = createCitationFilter(numbers);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size));
  return out + filter.end();
}

describe("a citation", () => {
  test.each([
    ["of a source that exists stays", "So it was [1].", "So it was [1]."],
    ["of one that does not is dropped, with the blank before it", "So it was [4].", "So it was."],
    ["of several keeps those that exist", "So [1, 4, 2] it [1-9].", "So [1][2] it [1][2][3]."],
    ["in Arabic digits and commas is one", "كان كذلك [١، ٢].", "كان كذلك [1][2]."],
    ["in other brackets and words is one", "So 【2†source】 [source 3] [المصدر 1] [^2].", "So [2] [3] [1] [2]."],
    ["next to another is read alone", "So [1][7][2].", "So [1][2]."],
    ["of zero, or of a number too large, is dropped", "So [0] [99999999999999999999].", "So."],
    ["of a range without end is cut", "So [2-999999999].", "So [2][3]."],
    ["within a bracket is found", "So [see [9] or [1]] it.", "So [see or [1]] it."],
  ])("%s", (_, text, expected) => {
    expect(filtered(text)).toBe(expected);
    for (let size = 1; size <= 5; size++) expect(filtered(text, [1, 2, 3], size)).toBe(expected);
  });
});

test("text in brackets that is no citation stays as it is", () => {
  for (const text of [
    "[sic] a [b](c) [12:30] [a1]",
    "an open [ bracket",
    "【注】",
    "[]",
    `[${"x".repeat(500)}`,
    "a  \n b  ",
  ]) {
    for (const size of [1, 3, text.length]) expect(filtered(text, [1], size)).toBe(text);
  }
});

test("where there are no sources nothing can be cited", () => {
  expect(filtered("So it was [1], and so [2].", [])).toBe("So it was, and so.");
});

test("text without brackets is passed on at once", () => {
  const filter = createCitationFilter([1]);
  expect(filter.push("word")).toBe("word");
  expect(filter.push(" and")).toBe(" and");
  expect(filter.push(" [")).toBe("");
  expect(filter.push("1")).toBe("");
  expect(filter.push("]")).toBe(" [1]");
  expect(filter.end()).toBe("");
});

test("any number of blanks is passed on in one pass, also one by one", () => {
  for (const pieces of [
    ["\t".repeat(500_000), "a"],
    [...Array.from({ length: 200_000 }, () => "\t"), "a"],
  ]) {
    const filter = createCitationFilter([1]);
    const out = pieces.map((piece) => filter.push(piece)).join("") + filter.end();
    expect(out).toBe(pieces.join(""));
  }
});
