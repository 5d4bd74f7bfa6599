import { expect, test } from "bun:test";
import { arabicMorphology, createMorphology } from "./morphology.ts";

const MASCULINE = "1";
const PERFECT = (64).toString(36);
const IMPERFECT = (128).toString(36);

const small = createMorphology(
  [
    `كتاب\t${MASCULINE},80,كتب`,
    `مكتب\t${(1 | 2 | 32).toString(36)},90,كتب`,
    `كتب\t${PERFECT},87,كتب`,
    `كتب2\t${IMPERFECT},87,كتب`,
    `وزير\t${MASCULINE},59,وزر`,
    `زير\t${MASCULINE},140,زير`,
    `ميسي\t${(256).toString(36)},83,`,
    `جزير\t${(2 | 8).toString(36)},81,جزر`,
    `جزر\t${MASCULINE},81,جزر;${PERFECT},131,جزر`,
    "",
  ].join("\n"),
);

test("clitics and endings are taken off a stem that takes them", () => {
  for (const word of ["كتاب", "الكتاب", "وبالكتاب", "كتابها", "كتابا", "للكتاب", "فكتابنا"]) {
    expect({ word, stem: small(word)?.stem }).toEqual({ word, stem: "كتاب" });
  }
  expect(small("مكتبات")).toMatchObject({ stem: "مكتب", root: "كتب" });
  expect(small("كتبوا")).toMatchObject({ stem: "كتب" });
});

test("endings that a stem does not take, and an article beside a possessive, are no reading", () => {
  expect(small("كتابات")).toBeUndefined();
  expect(small("الكتابها")).toBeUndefined();
  expect(small("يكتاب")).toBeUndefined();
});

test("the likelier of two readings is taken", () => {
  expect(small("وزير")).toMatchObject({ stem: "وزير", root: "وزر" });
  expect(small("ووزير")?.stem).toBe("وزير");
  expect(small("بزير")?.stem).toBe("زير");
});

test("broken plurals share the root of their singular, names have none", () => {
  expect(small("جزيره")?.root).toBe("جزر");
  expect(small("الجزر")?.root).toBe("جزر");
  expect(small("وميسي")).toMatchObject({ stem: "ميسي", root: "" });
});

test("an unknown word has no reading", () => {
  expect(small("زقزوق")).toBeUndefined();
  expect(small("")).toBeUndefined();
  expect(createMorphology("")("كتاب")).toBeUndefined();
});

test("the lexicon that ships reads forms of one word alike", () => {
  const read = arabicMorphology();
  for (const forms of [
    ["مدرسه", "المدرسه", "والمدرسه", "بمدرسته"],
    ["الصحفيين", "للصحفيين", "صحفيون"],
    ["ولايه", "الولايات", "ولاياتها"],
  ]) {
    expect(new Set(forms.map((form) => read(form)?.stem)).size).toBe(1);
  }
  for (const family of [
    ["صحفي", "الصحفيين", "صحيفه"],
    ["اكتشف", "اكتشاف", "مكتشف"],
    ["رئيس", "رئاسه", "رؤساء"],
    ["كتاب", "كتب", "مكتبه"],
    ["يقول", "قال", "يقال"],
  ]) {
    expect({ family, roots: new Set(family.map((form) => read(form)?.root)).size }).toEqual({ family, roots: 1 });
  }
});
