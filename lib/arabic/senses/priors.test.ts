import { expect, test } from "bun:test";
import type { SenseEntry } from "../../contract/mod.ts";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/model.ts";
import { openInventory } from "./inventory.ts";
import { createSensePriors, openSensePriors, signsAround } from "./choose.ts";

const sense = (id: string): SenseEntry => ({
  ...{ id, lemma: "حَصَلَ", pos: "verb", root: "ح ص ل", gloss: "معنى", en: [id], examples: ["مثال"] },
});
const [obtain, happen, third] = ["obtain", "happen", "third"].map(sense);

/** Returns the signs behind a word of a text. */
function behind(text: string, word: string): string[] {
  const tokens = morphAnswer(morphology, { text, all: false });
  const from = tokens.findIndex(({ token }) => token === word);
  return [...signsAround(tokens, { from, to: from + 1 })].filter((sign) => sign !== "alone").sort();
}

const morphology = await openMorphology();

test("shares are logarithms, none is nothing, and words without any have no priors", () => {
  if (obtain === undefined || happen === undefined || third === undefined) throw new Error("no senses");
  const priors = createSensePriors(
    new Map([
      [obtain.id, 90],
      [happen.id, 0],
    ]),
    new Map(),
  );
  const [first = 0, second = 0, untold = 0] = priors.of([obtain, happen, third]) ?? [];
  expect(first).toBeCloseTo(Math.log(0.9));
  expect(second).toBeLessThan(untold);
  expect(Number.isFinite(second)).toBe(true);
  expect(priors.of([third])).toBeUndefined();
});

test("a sense that takes something says whether it stands behind the word", () => {
  if (obtain === undefined || happen === undefined) throw new Error("no senses");
  const priors = createSensePriors(new Map(), new Map([[obtain.id, ["علي"]]]));
  expect(priors.frames([obtain, happen], new Set(["علي"]))).toEqual([1, 0]);
  expect(priors.frames([obtain, happen], new Set(["في"]))).toEqual([-1, 0]);
});

test.each([
  ["حصل اللاعب على جائزة", "حصل", ["علي"]],
  ["قامت السلطات بإزالة التمثال", "قامت", ["ب"]],
  ["قد يعود غدا", "قد", ["imperfect"]],
  ["قد عاد أمس", "قد", ["perfect"]],
  ["وتابع: هذا رأيي", "وتابع", ["quote"]],
  ["بلغ 30 شخصا", "بلغ", ["number"]],
  ["حصل هذا. على الطاولة كتاب", "حصل", []],
])("what stands behind a word ends with its sentence: %s", (text, word, signs) => {
  expect(behind(text, word)).toEqual(signs);
});

test("every sense with a share or a frame is in the inventory, and no share is above a hundred", () => {
  const inventory = openInventory();
  const priors = openSensePriors();
  const may = inventory.byId("particles-1-0049");
  const have = inventory.byId("particles-1-0048");
  if (may === undefined || have === undefined) throw new Error("قد has other senses");
  expect(priors.frames([have, may], new Set(["imperfect"]))).toEqual([-1, 1]);
  for (const share of priors.of([have, may]) ?? [1]) expect(share).toBeLessThanOrEqual(0);
});
