import { expect, test } from "bun:test";
import { openMorphology } from "./model.ts";

const { model } = await openMorphology();
const lemmaOf = (sentence: string, word: string): string | undefined => {
  const words = sentence.split(" ");
  return model.read(words)[words.indexOf(word)]?.best.candidate.analysis?.lemma.form;
};

test("a form of the jussive is read behind a particle that brings it, and nowhere else", () => {
  expect(lemmaOf("لم يقل الوزير شيئا", "يقل")).toBe("qaAl");
  expect(lemmaOf("حقهم في ذلك لا يقل عن حق العرب", "يقل")).not.toBe("qaAl");
  expect(lemmaOf("لا تنس موعدنا", "تنس")).toBe("nasiy");
});

test("a verb with لام of command keeps its jussive", () => {
  expect(lemmaOf("فلتكن هذه البداية", "فلتكن")).toBe("kaAn");
});
