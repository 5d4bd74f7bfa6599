import { expect, test } from "bun:test";
import { morphAnswer } from "../morphology/answer.ts";
import { openMorphology } from "../morphology/open.ts";
import type { ReArgument } from "./model.ts";
import { speakersOf } from "./speakers.ts";
import { type ReWord, reWords } from "./words.ts";

const morphology = await openMorphology();
const wordsOf = (text: string): ReWord[] => reWords(morphAnswer(morphology, { text, all: false }), []);
const argument = (role: ReArgument["role"], from: number, to: number): ReArgument => ({
  ...{ role, from, to, confidence: 1 },
});

test("a name behind a comma is that of the speaker, whoever is joined to him speaks, and others are spoken to", () => {
  const named = wordsOf("قال وزير الخارجية، سامر حداد، إن الحل قريب");
  const post = argument("agent", 1, 3);
  expect(speakersOf(named, [post, argument("target", 4, 6)])).toEqual([post]);
  const joined = wordsOf("قال الوزير ورئيس البلدية إن الحل قريب");
  const minister = argument("agent", 1, 2);
  expect(speakersOf(joined, [minister, argument("target", 2, 4)])).toEqual([minister, argument("agent", 2, 4)]);
  const asked = wordsOf("ناشدت النقابة الحكومة التدخل");
  const both = [argument("agent", 1, 2), argument("target", 2, 3)];
  expect(speakersOf(asked, both)).toEqual(both);
});
