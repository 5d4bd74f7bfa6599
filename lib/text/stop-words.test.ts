import { expect, test } from "bun:test";
import { isStopWord } from "./stop-words.ts";

test("function and question words in normal form are stop words", () => {
  for (const word of ["في", "الي", "التي", "متي", "كم", "وهو", "the", "what"])
    expect({ word, stop: isStopWord(word) }).toEqual({ word, stop: true });
});

test("words with a meaning are none", () => {
  for (const word of ["المغرب", "رئيس", "يوم", "news", "us", ""])
    expect({ word, stop: isStopWord(word) }).toEqual({ word, stop: false });
});
