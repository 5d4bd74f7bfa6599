import { expect, test } from "bun:test";
import { eachWord } from "./word-split.ts";

function wordsOf(text: string): string[] {
  const found: string[] = [];
  eachWord(text, (word) => found.push(word));
  return found;
}

test("words end at white space and punctuation of both scripts", () => {
  expect(wordsOf("قال: «نعم»، ثم (مضى)؛ لماذا؟ U.S.-led, yes")).toEqual([
    ..."قال نعم ثم مضى لماذا U S led yes".split(" "),
  ]);
});

test("marks, tatweel and joiners stay inside their word", () => {
  expect(wordsOf("مُـحَمَّد مي\u200cخواهم na\u00efve soft\u00adhyphen")).toEqual([
    "مُـحَمَّد",
    "مي\u200cخواهم",
    "naïve",
    "soft\u00adhyphen",
  ]);
});

test("control characters separate", () => {
  expect(wordsOf("a\u0000b\tc\u0085d\u00a0e")).toEqual(["a", "b", "c", "d", "e"]);
});

test("an empty text and one of separators alone have no words", () => {
  expect(wordsOf("")).toEqual([]);
  expect(wordsOf(" .,\n")).toEqual([]);
});
