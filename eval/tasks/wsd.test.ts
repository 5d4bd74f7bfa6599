import { expect, test } from "bun:test";
import type { SenseEntry } from "@isnad/lib/contract";
import { createLexicon } from "../../lib/arabic/morphology/lexicon.ts";
import { createMorphModel } from "../../lib/arabic/morphology/model.ts";
import { createRules } from "../../lib/arabic/morphology/rules.ts";
import { createInventory } from "../../lib/arabic/senses/inventory.ts";
import { coverageOf } from "./wsd.ts";

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
