import { expect, test } from "bun:test";
import { withoutLooseWords } from "./nested.ts";

/** Returns what is left of an entity that stands at the beginning of a text. */
function left(type: string, name: string): string[] {
  const words = name.split(" ");
  return withoutLooseWords([{ type, start: 0, end: words.length, probability: 0.9, cut: 0 }], words).map(
    ({ start, end }) => words.slice(start, end).join(" "),
  );
}

test.each([
  ["OCC", "president and", ["president"]],
  ["OCC", "director of hospital operations at", ["director of hospital operations"]],
  ["OCC", "PVP Attorney and the", ["PVP Attorney"]],
  ["ORG", "of First Union", ["First Union"]],
  ["ORG", "The Washington Post", ["The Washington Post"]],
  ["ORG", "Centers for Disease Control and Prevention", ["Centers for Disease Control and Prevention"]],
])("a name of type %s begins and ends with words of its own: %s", (type, name, words) => {
  expect(left(type, name)).toEqual(words);
});

test.each([
  ["ORG", "The"],
  ["GPE", "and"],
  ["DATE", "in"],
  ["DATE", "this"],
  ["ORG", "Long-term"],
  ["ORG", "and the"],
  ["DATE", "منذ"],
  ["DATE", "بعد"],
  ["PERS", "أنهن"],
  ["GPE", "وفي"],
])("words that name nothing are no %s: %s", (type, name) => {
  expect(left(type, name)).toEqual([]);
});

test("an English name has a capital or a digit, but for organisations that are named by what they are", () => {
  for (const type of ["PERS", "GPE", "LOC", "FAC", "PRODUCT", "ORG"]) {
    expect(left(type, "railroad")).toEqual([]);
    expect(left(type, "Railroad")).toEqual(["Railroad"]);
  }
  expect(left("PRODUCT", "4chan")).toEqual(["4chan"]);
  expect(left("ORG", "the government")).toEqual(["the government"]);
  expect(left("GPE", "government")).toEqual([]);
  expect(left("OCC", "spokeswoman")).toEqual(["spokeswoman"]);
  expect(left("DATE", "last year")).toEqual(["last year"]);
});

test("Arabic names are as they were, but for an adjective in the accusative", () => {
  for (const name of ["وزارة الصحة", "بيروت", "شركة apple", "بعد عام"]) expect(left("ORG", name)).toEqual([name]);
  for (const name of ["ميتاً", "ميتًا", "منتحراً"]) {
    expect(left("PERS", name)).toEqual([]);
    expect(left("NORP", name)).toEqual([name]);
  }
  expect(left("PERS", "محمداً علي")).toEqual(["محمداً علي"]);
});

test("of two entities that are the same words then, the first stays", () => {
  const words = ["president", "and"];
  const span = { start: 0, probability: 0.9, cut: 0 };
  const spans = [
    { ...span, type: "OCC", end: 2 },
    { ...span, type: "NORP", end: 1 },
  ];
  expect(withoutLooseWords(spans, words)).toEqual([{ ...span, type: "OCC", end: 1 }]);
});
