import { expect, test } from "bun:test";
import type { SenseEntry } from "@isnad/lib/contract";
import { createInventory } from "./inventory.ts";

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
