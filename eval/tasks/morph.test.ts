import { expect, test } from "bun:test";
import { openMorphology } from "../../lib/arabic/morphology/model.ts";
import { evalSpeech } from "./morph.ts";

const parts = await openMorphology();
const word = (form: string, lemma: string, pos: string, forms: string, clitics: string) => ({
  ...{ form, lemmas: [lemma], pos: [pos] },
  ...{ forms: [forms], clitics: [clitics] },
});

test("a word counts as right in each respect by itself, and as whole only in all of them", () => {
  const house = word("بيتي", "بيت", "NOUN", "ms", "_+ي");
  const sentence = [house, word("جديد", "جديد", "ADJ", "fs", "_")];
  const { figures, size } = evalSpeech(parts, [sentence]);
  expect(size).toBe(2);
  expect(figures).toEqual({ lemma: 1, UPOS: 1, "gender and number": 0.5, clitics: 1, whole: 0.5 });
  expect(evalSpeech(parts, [[{ ...house, lemmas: ["باب"], clitics: ["_"] }]]).figures).toMatchObject({
    ...{ lemma: 0, clitics: 0, whole: 0 },
  });
});

test("no sentence cannot be measured", () => {
  expect(() => evalSpeech(parts, [])).toThrow(RangeError);
});
