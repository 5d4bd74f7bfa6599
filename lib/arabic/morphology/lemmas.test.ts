import { expect, test } from "bun:test";
import { createLemmaForms } from "./lemmas.ts";
import { openAnalyser, openMorphology } from "./model.ts";
import { vowelForm } from "./written-forms.ts";
import { lemmaId } from "./lexicon.ts";

const { lexicon, rules, candidates } = openAnalyser();
const formsOf = createLemmaForms(lexicon, rules);

/** The forms of the lemma of a word. */
function read(word: string): string[] {
  const lemma = candidates(word)[0]?.analysis?.lemma;
  return lemma === undefined ? [] : formsOf(lemma).map(vowelForm);
}

const forms = (...words: string[]): string[] => words.map(vowelForm);

test("the forms of a noun are whole words: singular, feminine, broken and sound plurals", () => {
  expect(read("المدرسة")).toEqual(forms("مَدارِس", "مَدرَسَة"));
  expect(read("الوزير")).toEqual(forms("وُزَراء", "وَزِير", "وَزِيرَة", "وَزِيرَات"));
  expect(read("المستشفى")).toEqual(forms("مُستَشفَى", "مُستَشفَيَات"));
  expect(read("القاضي")).toEqual(forms("قاضِي", "قُضاة"));
});

test("the forms of a verb are perfect and imperfect, active and passive", () => {
  expect(read("يعود")).toEqual(expect.arrayContaining(forms("عَاد", "يَعُود", "عِيد", "يُعَاد")));
  expect(read("دعا")).toEqual(expect.arrayContaining(forms("دَعَا", "يَدعُو", "دُعِي", "يُدعَى")));
});

test("a word that is not inflected has its stems", () => {
  expect(read("جدا")).toEqual(forms("جِدًّا"));
  expect(read("هذا")).toEqual(expect.arrayContaining(forms("هَٰذَا", "هَٰذِهِ")));
});

const kitab = { form: "kitAb", pos: "noun", root: "كتب" };

test("a lemma has the same number for ever", () => {
  // Clients keep these: a change of the hash would break their links.
  expect(lemmaId(kitab)).toBe(lemmaId({ ...kitab }));
  expect(lemmaId(kitab)).toBe(420_712_778_560_235);
});

test("form, part of speech and root each make another number, a safe integer of 52 bits", () => {
  const lemmas = [kitab, { ...kitab, form: "kAtib" }, { ...kitab, pos: "verb" }, { ...kitab, root: "كتم" }];
  const ids = lemmas.map(lemmaId);
  expect(new Set(ids).size).toBe(lemmas.length);
  for (const id of ids) expect(id).toBeWithin(0, 2 ** 52);
});

test("the words of the lexicon have numbers of their own, by which they are found again", async () => {
  const { lexicon } = await openMorphology();
  const ids = new Set<number>();
  let size = 0;
  for (let id = 0; lexicon.lemma(id).form !== ""; id++) {
    ids.add(lemmaId(lexicon.lemma(id)));
    size++;
  }
  expect(size).toBeGreaterThan(30_000);
  expect(ids.size).toBe(size);
  for (const id of [0, 1_000, size - 1]) {
    expect(lexicon.lemmaById(lemmaId(lexicon.lemma(id)))).toBe(lexicon.lemma(id));
  }
  expect(lexicon.lemmaById(1)).toBeUndefined();
});
