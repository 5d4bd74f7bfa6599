import { expect, test } from "bun:test";
import { createBagger } from "./bag.ts";
import type { TextTokenizer } from "../../tokenizers/text-tokenizer.ts";

/** Digits are ids, everything else is unknown. */
const digits: TextTokenizer = {
  vocabularySize: 10,
  eachId(text, take) {
    for (const letter of text) if (letter >= "0" && letter <= "9") take(Number(letter));
  },
};

test("an id stands once, weighed by a power of its count", () => {
  const { ids, weights } = createBagger(digits, 0.5)("7 3 7 7 7");
  expect([...ids]).toEqual([7, 3]);
  expect([...weights]).toEqual([2, 1]);
});

test("a text without a known token is the unknown token", () => {
  expect([...createBagger(digits, 0.5)("abc").ids]).toEqual([0]);
});

test("one text leaves nothing behind for the next", () => {
  const bag = createBagger(digits, 0.5);
  bag("1234567890");
  expect([...bag("5").weights]).toEqual([1]);
});
