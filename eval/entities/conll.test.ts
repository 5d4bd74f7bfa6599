import { expect, test } from "bun:test";
import { parseConll } from "./conll.ts";

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
