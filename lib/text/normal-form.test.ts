import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { contentHash, fold, normalForm } from "./normal-form.ts";
import { pieces, randomTexts } from "./testing.ts";
import { forEachWord } from "./words.ts";

test("Arabic words lose marks and tatweel, and letters written in several ways become one", () => {
  expect(normalForm("مَرَّاكُش")).toBe("مراكش");
  expect(normalForm("مـــراكش")).toBe("مراكش");
  expect(normalForm("الأحمد")).toBe(normalForm("الاحمد"));
  expect(normalForm("إلى")).toBe("الي");
  expect(normalForm("آخِر")).toBe("اخر");
  expect(normalForm("مدرسة")).toBe("مدرسه");
  expect(normalForm("ڤيينا")).toBe("فيينا");
  expect(normalForm("پاریس")).toBe("باريس");
});

test("presentation forms are the letters that they show", () => {
  expect(normalForm("ﻣﺮﺍﻛﺶ")).toBe("مراكش");
  expect(normalForm("ﻷﺣﻤﺪ")).toBe("لاحمد");
  expect(normalForm("ﷺ").split(" ")).toHaveLength(4);
});

test("digits of every kind are the same", () => {
  expect(normalForm("٢٠١٨")).toBe("2018");
  expect(normalForm("۲۰۱۸")).toBe("2018");
  expect(normalForm("２０１８")).toBe("2018");
});

test("Latin words lose case, accents, possessives and stops", () => {
  expect(normalForm("Café")).toBe("cafe");
  expect(normalForm("Cafe\u0301")).toBe("cafe");
  expect(normalForm("Beyoncé’s")).toBe("beyonce");
  expect(normalForm("don't")).toBe("dont");
  expect(normalForm("U.S.A")).toBe("usa");
  expect(normalForm("İSTANBUL")).toBe("istanbul");
  expect(normalForm("ﬁlm")).toBe("film");
});

test("the normal form of a word is its own normal form", () => {
  for (const text of randomTexts(1000, pieces.scripts)) {
    forEachWord(text, (start, end) => {
      const once = normalForm(text.slice(start, end));
      expect(normalForm(once)).toBe(once);
    });
  }
});

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
