import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { contentHash, fold } from "./fold.ts";
import { pieces, randomTexts } from "./testing.ts";

test("fold() applies NFKC and removes tatweel and zero-width characters", () => {
  expect(fold("مـــراكش")).toBe("مراكش");
  expect(fold("ﻣﺮاﻛﺶ ﻻ")).toBe("مراكش لا");
  expect(fold("می\u200cخواهم\u200f \ufeffx\u2060y")).toBe("میخواهم xy");
  expect(fold("ﬁ ² Ａ")).toBe("fi 2 A");
});

test("fold() keeps case, diacritics and letter forms", () => {
  expect(fold("مَرَّاكُش أحمد Ab")).toBe("مَرَّاكُش أحمد Ab");
});

test("fold() folds the white space that NFKC makes", () => {
  expect(fold("a\u00a0 b \ufe70")).toBe("a b \u064b");
});

test("fold() of a folded text changes nothing, and composition makes no difference", () => {
  for (const text of randomTexts(2000, pieces.scripts)) {
    const folded = fold(text);
    expect(fold(folded)).toBe(folded);
    expect(fold(text.normalize("NFD"))).toBe(folded);
  }
});

test("contentHash() is the SHA-256 of both folded texts with a line feed between them", () => {
  const expected = createHash("sha256").update("عنوان\nنص").digest("hex");
  expect(contentHash("عنـوان", " نص\u200f ")).toBe(expected);
  expect(contentHash("a", "b c")).not.toBe(contentHash("a b", "c"));
});
