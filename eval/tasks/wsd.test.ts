import { expect, test } from "bun:test";
import type { SenseEntry } from "@isnad/lib/contract";
import { createLexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { createMorphModel } from "../../lib/arabic/morphology/model.ts";
import { createRules } from "../../lib/arabic/morphology/rules.ts";
import { createInventory } from "../../lib/arabic/senses/inventory.ts";
import type { SenseChooser } from "../../lib/arabic/senses/choose.ts";
import { coverageOf, evalWsd } from "./wsd.ts";

const rules = createRules('{"conditions":[],"classes":{},"orders":[],"signatures":[]}');
const lexicon = createLexicon("", "");
const upos = { noun: ["NOUN"], noun_prop: ["NOUN"], adj: ["NOUN"], punc: ["PUNCT"] };
const model = createMorphModel(lexicon, rules, { weights: new Float32Array(2), upos });
const sense = (lemma: string, pos: SenseEntry["pos"]): SenseEntry => ({
  ...{ id: `x-${lemma}`, lemma, pos, root: "", gloss: "معنى" },
  ...{ en: ["x"], examples: ["مثال"] },
});

test("coverage counts content words as they run, expressions included, and lists the lemmas without a sense", () => {
  const inventory = createInventory([sense("بَيْت", "noun"), sense("رَأْس مَال", "mwe")]);
  const { words, covered, missing } = coverageOf(["بيت رأس مال.", "قلم بيت قلم"], { lexicon, model, inventory });
  expect([words, covered]).toEqual([6, 4 / 6]);
  expect(missing).toEqual([["قلم\tNOUN", 2]]);
  expect(() => coverageOf(["."], { lexicon, model, inventory })).toThrow(RangeError);
});

/** Three senses of a word, each with the example that it stands under. */
const threeSenses = (lemma: string, ...examples: string[][]): SenseEntry[] =>
  examples.map((of, i) => ({ ...sense(lemma, "noun"), id: `${lemma}-000${i + 1}`, examples: of }));
/** Chooses the sense at this place of a word's list. */
const choosing = (place: number): SenseChooser => ({
  choose: async (words) => words.map(({ senses }) => senses[place] ?? senses[0]).filter((each) => each !== undefined),
});
const HOUSE = threeSenses("بَيْت", ["بيت جديد"], ["بيت الشعر", "بيت قديم"], ["بيت مال"]);
const all = () => true;

test("an example is right where its word gets the sense that it stands under", async () => {
  const second = await evalWsd(HOUSE, all, { lexicon, model, chooser: choosing(1) });
  expect(second).toMatchObject({ size: 4, accuracy: 2 / 4, first: 1 / 4 });
  expect(second.predictions).toEqual([
    "بَيْت-0001\tبَيْت-0002\tبيت جديد",
    "بَيْت-0002\tبَيْت-0002\tبيت الشعر",
    "بَيْت-0002\tبَيْت-0002\tبيت قديم",
    "بَيْت-0003\tبَيْت-0002\tبيت مال",
  ]);
  expect((await evalWsd(HOUSE, all, { lexicon, model, chooser: choosing(0) })).accuracy).toBe(1 / 4);
});

test("words of fewer than three senses, expressions and senses that were trained on are not measured", async () => {
  const two = threeSenses("قَلَم", ["قلم أزرق"], ["قلم رصاص"]);
  const phrases = threeSenses("رَأْس مَال", ["رأس مال"], ["رأس مال"], ["رأس مال"]).map((each) => ({
    ...each,
    pos: "mwe" as const,
  }));
  const held = ({ id }: SenseEntry) => id.endsWith("2") || id.endsWith("3");
  const readers = { lexicon, model, chooser: choosing(2) };
  expect(await evalWsd([...HOUSE, ...two, ...phrases], held, readers)).toMatchObject({
    size: 3,
    accuracy: 1 / 3,
    first: 0,
  });
  await expect(evalWsd([...two, ...phrases], all, readers)).rejects.toThrow("no example of a word with 3 senses");
  await expect(evalWsd(HOUSE, () => false, readers)).rejects.toThrow(RangeError);
});

test("an example whose word is not recognised is wrong, and counts", async () => {
  const strange = threeSenses("بَيْت", ["لا شيء هنا"], ["بيت"], ["بيت"]);
  const { size, accuracy, predictions } = await evalWsd(strange, all, { lexicon, model, chooser: choosing(0) });
  expect([size, accuracy]).toEqual([3, 0]);
  expect(predictions[0]).toBe("بَيْت-0001\t\tلا شيء هنا");
});

test("words of the same letters and another part of speech have senses of their own", async () => {
  const [one, two, three] = threeSenses("بَيْت", ["بيت"], ["بيت"], ["بيت"]);
  if (one === undefined || two === undefined || three === undefined) throw new Error("three senses");
  const mixed = [one, two, { ...three, pos: "adj" as const }];
  await expect(evalWsd(mixed, all, { lexicon, model, chooser: choosing(0) })).rejects.toThrow(RangeError);
});
