import { expect, test } from "bun:test";
import { createPerceptron } from "./perceptron.ts";
import { prepare, type Prepared, type Word } from "../morphology/features.ts";

const word = (letters: string): Word => ({
  ...{ text: letters, letters },
  candidates: [{ lemma: letters, pos: "noun", before: "", after: "", cost: 0, analyses: [] }],
});
const labelled = (letters: string, right: string) => {
  const words = [word(letters)];
  const labels = words.map((each) => prepare(each, () => ["NOUN", "PROPN"]));
  const fits = ({ label }: Prepared): boolean => label.upos === right;
  return { words, labels, right: labels.map((choices) => choices.filter(fits)) };
};

test("it learns the labels of words, and then moves no more", () => {
  const { learn, averages } = createPerceptron(1 << 12, new Map());
  const examples = [labelled("بيت", "NOUN"), labelled("دمشق", "PROPN")];
  for (let epoch = 0; epoch < 5; epoch++) examples.map(learn);
  expect(examples.map(learn)).toEqual([false, false]);
  expect(averages().some((weight) => weight !== 0)).toBe(true);
});

test("what is not known of a sentence moves nothing", () => {
  const { labels, words } = labelled("بيت", "NOUN");
  const { learn, weights } = createPerceptron(1 << 12, new Map());
  expect(learn({ words, labels, right: labels })).toBe(false);
  expect(weights.every((weight) => weight === 0)).toBe(true);
});
