import { expect, test } from "bun:test";
import { openAnalyser } from "./model.ts";
import { canBeOf, isOf, speechIn, speechOf, type WordReadings } from "./speech.ts";
import { bareForm } from "./written-forms.ts";

const { candidates } = openAnalyser();

/** The words of a text with their readings; signs stand apart. */
const words = (text: string): WordReadings[] =>
  text.split(" ").map((each) => ({ text: each, letters: bareForm(each), candidates: candidates(each) }));

test.each([
  ["أنا درست الطب", true, false],
  ["ونحن ندرس الطب", true, false],
  ["لكنني درست", true, false],
  ["هذا لنا", true, false],
  ["بيننا وبينكم خلاف", true, true],
  ["هل أنت بخير", false, true],
  ["الأمر لكم", false, true],
  ["تعال يا أحمد", false, true],
  ["لست هناك", true, true],
  ["سأساعده غدا", true, false],
  ["زار الوزير المصنع", false, false],
  ["سافر لدى وصوله", false, false],
  ["نقلت بي بي سي الخبر", false, false],
  ["هذا الكتاب لي", true, false],
  ["", false, false],
])("%s: somebody speaks of himself %p, and to somebody %p", (text, first, second) => {
  expect(speechOf(words(text))).toEqual({ first, second });
});

/** Tells who speaks of himself at each word, as one digit a word. */
const firstIn = (text: string): string =>
  speechIn(words(text))
    .map(({ first }) => (first ? "1" : "0"))
    .join("");

test.each([
  ["what is said behind أن is said by others", "وأكدت أن لدينا وقتا", "0111"],
  ["behind بعد أن nothing is said", "بعد أن كتبنا رسالتنا", "1111"],
  ["what is quoted is said by others", 'قالت " نحن نعمل " وأضافت', "011100"],
  ["quotes that open and close", "قالت « نحن نعمل » وأضافت", "011100"],
  ["of an odd number of quotes nobody knows which opens", 'قالت " نحن نعمل', "0111"],
  ["nobody speaks", "زار الوزير المصنع", "000"],
])("%s: %s", (_, text, expected) => {
  expect(firstIn(text)).toBe(expected);
});

test("who is spoken to is so in all of a sentence", () => {
  expect(speechIn(words("قالت أن الأمر لكم")).map(({ second }) => second)).toEqual([true, true, true, true]);
});

test("a form is of the person of its verb, or of its pronoun", () => {
  expect(isOf("1", { per: "1" })).toBe(true);
  expect(isOf("1", { per: "3", enc0: "1s_dobj" })).toBe(true);
  expect(isOf("2", { per: "3", enc0: "2ms_poss" })).toBe(true);
  expect(isOf("2", { per: "1" })).toBe(false);
  expect(isOf("1", {})).toBe(false);
});

test("a reading can be of the persons that its forms have", () => {
  const personsOf = (word: string, lemma: string): string[] => {
    const reading = candidates(word).find((each) => each.lemma === lemma);
    return (["1", "2"] as const).filter((person) => reading !== undefined && canBeOf(person, reading));
  };
  expect(personsOf("كتبت", "كتب")).toEqual(["1", "2"]);
  expect(personsOf("سيكتب", "كتب")).toEqual([]);
  expect(personsOf("كتابي", "كتاب")).toEqual(["1"]);
  expect(personsOf("كتابك", "كتاب")).toEqual(["2"]);
});
