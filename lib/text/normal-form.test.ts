import { expect, test } from "bun:test";
import { normalForm } from "./normal-form.ts";
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
