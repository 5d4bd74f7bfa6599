import { expect, test } from "bun:test";
import { parseConll, scoreSpans, spanKeys } from "./entities.ts";

test("reads tokens, tags and lines; an empty line ends a sentence", () => {
  expect(parseConll("Bonn B-LOC\nis O\n\nAnna\tB-PERS\nMay\tI-PERS\n")).toEqual([
    { tokens: ["Bonn", "is"], tags: ["B-LOC", "O"], lines: [1, 2] },
    { tokens: ["Anna", "May"], tags: ["B-PER", "I-PER"], lines: [4, 5] },
  ]);
});

test("a span of IO tags begins where the type changes", () => {
  const [sentence] = parseConll("a I-PER\nb I-PER\nc I-LOC\nd O\ne I-LOC\n");
  expect(sentence?.tags).toEqual(["B-PER", "I-PER", "B-LOC", "O", "B-LOC"]);
});

test("takes off language prefixes only where every token has one, and marks before tokens", () => {
  expect(parseConll("en:Bonn\tB-LOC\nen::\tO\n")[0]?.tokens).toEqual(["Bonn", ":"]);
  expect(parseConll("ab:c O\nd O\n")[0]?.tokens).toEqual(["ab:c", "d"]);
  expect(parseConll("\ufeff\u200eمصر\tB-LOC\r\n\t\r\nفي\tO\r\n")).toHaveLength(2);
});

test("document marks and lines without a tag are no tokens", () => {
  expect(parseConll("-DOCSTART- O\n\nx O\nalone\n")).toEqual([{ tokens: ["x"], tags: ["O"], lines: [3] }]);
});

test("a span counts by its bounds and its type", () => {
  expect([...spanKeys(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])]).toEqual([
    "0-2-PER",
    "2-3-PER",
    "4-5-LOC",
    "5-6-ORG",
  ]);
});

test("only exact spans are right", () => {
  const gold = [
    ["B-PER", "I-PER", "O", "B-LOC"],
    ["O", "B-ORG"],
  ];
  const found = [
    ["B-PER", "O", "O", "B-LOC"],
    ["B-ORG", "B-ORG"],
  ];
  expect(scoreSpans(gold, found)).toMatchObject({ wanted: 3, found: 4, right: 2, precision: 0.5, recall: 2 / 3 });
  expect(scoreSpans(gold, found, "ORG")).toMatchObject({ wanted: 1, found: 2, right: 1, f1: 2 / 3 });
});

test("nothing wanted and nothing found is no division by zero", () => {
  expect(scoreSpans([["O"]], [["O"]])).toMatchObject({ f1: 0, precision: 0, recall: 0 });
});
