import { expect, test } from "bun:test";
import type { SenseEntry } from "../../contract/mod.ts";
import { bareForm } from "../morphology/written-forms.ts";
import { createInventory, openInventory, openRareSenses } from "./inventory.ts";

const sense = (id: string, lemma: string, pos: SenseEntry["pos"]): SenseEntry => ({
  ...{ id, lemma, pos, root: "ع م م", gloss: "معنى", en: ["x"], examples: ["مثال"] },
});
const year = sense("x-0001", "عَام", "noun");
const general = sense("x-0002", "عَامّ", "adj");
const inventory = createInventory([year, general]);

test("a word has the senses of the part of speech that fits best, of those with its vowels if there are any", () => {
  expect(inventory.of("عام", "ADV")).toEqual([year]);
  expect(inventory.of("عامّ", "ADV")).toEqual([general]);
});

test("a word whose vowels no sense has is given the senses of its letters", () => {
  expect(createInventory([general]).of("عام", "NOUN")).toEqual([general]);
});

test("senses of parts whose words are rarer stand behind the others, parts in the order of their numbers", () => {
  const ids = ["nouns-low-1-0001", "mid-1-0001", "nouns-11-0001", "nouns-2-0002", "nouns-2-0001"];
  const ordered = createInventory(ids.map((id) => sense(id, "عَام", "noun"))).of("عام", "NOUN");
  expect(ordered.map(({ id }) => id)).toEqual([
    ...["nouns-2-0002", "nouns-2-0001", "nouns-11-0001"],
    ...["mid-1-0001", "nouns-low-1-0001"],
  ]);
});

test("a word that ends in its own ه does not have the senses of one that ends in ة", () => {
  const wave = sense("x-0003", "مَوْجَة", "noun");
  expect(createInventory([wave]).of("مُوَجَّه", "NOUN")).toEqual([]);
  expect(createInventory([wave]).of("موجة", "NOUN")).toEqual([wave]);
});

test("an expression that ends in a preposition ends before the word that it is joined to", () => {
  const expression = sense("x-0004", "طِبْقًا لِ", "mwe");
  const { expressionAt } = createInventory([expression]);
  expect(expressionAt([["طبقا"], ["للقانون", "قانون", "ل", "ال"]])).toEqual({ length: 1, senses: [expression] });
  expect(expressionAt([["طبقا"], ["القانون", "قانون", "ال"]])).toBeUndefined();
});

test("every form with senses of its own has senses that exist, and one that does not is told", () => {
  const inventory = openInventory();
  expect(inventory.ofForm("ايام")?.map(({ lemma }) => bareForm(lemma))).toEqual(["يوم", "يوم"]);
  expect(inventory.ofForm("كتاب")).toBeUndefined();
  expect(() => createInventory([], new Map([["ايام", ["nouns-1-0008"]]]))).toThrow(RangeError);
});

test("a sense that is called rare is one of several of its word, of which another is not", () => {
  const inventory = openInventory();
  const rare = openRareSenses();
  expect(rare.size).toBeGreaterThan(100);
  for (const id of rare) {
    const sense = inventory.byId(id);
    expect(sense?.id).toBe(id);
    const rivals = sense === undefined ? [] : inventory.rivals(sense);
    expect(rivals.some((rival) => !rare.has(rival.id))).toBe(true);
  }
});
