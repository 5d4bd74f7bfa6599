import { expect, test } from "bun:test";
import { lineNumbers, readHeads, readNested, taggerSettings } from "./tag-model.ts";

const head = {
  name: "en",
  first: 3,
  labels: ["O", "B-X", "I-X"],
  moves: [
    [0, 0.5, -10_000],
    [0, 0, 1],
    [0, 0, 1],
  ],
  scale: 1.5,
  bias: -0.5,
};

const nested = { first: 5, types: ["GPE", "ORG"], scale: 2, bias: 1, cuts: { first: 11, count: 3 } };

test("each type for nested entities is a head of three labels, in which no sentence begins inside an entity", () => {
  const { types, cuts } = readNested(taggerSettings.parse({ heads: [head], nested }));
  expect(types.map(({ first, labels }) => [first, labels])).toEqual([
    [5, ["O", "B-GPE", "I-GPE"]],
    [8, ["O", "B-ORG", "I-ORG"]],
  ]);
  expect([...(types[0]?.starts ?? [])]).toEqual([0, 0, -10_000]);
  expect([...(types[0]?.moves ?? [])].indexOf(-10_000)).toBe(2);
  expect(cuts).toEqual({ first: 11, count: 3 });
});

test("no sentence begins inside a name; moves go from row to column", () => {
  const found = readHeads(taggerSettings.parse({ heads: [head], nested })).get("en");
  expect([...(found?.starts ?? [])]).toEqual([0, 0, -10_000]);
  expect(found?.moves[1]).toBe(0.5);
  expect(found).toMatchObject({ first: 3, scale: 1.5, bias: -0.5 });
});

test("moves between other labels than the head's, no head and a negative scale are no settings", () => {
  expect(taggerSettings.safeParse({ heads: [{ ...head, moves: [[0]] }], nested }).success).toBe(false);
  expect(taggerSettings.safeParse({ heads: [], nested }).success).toBe(false);
  expect(taggerSettings.safeParse({ heads: [{ ...head, scale: -1 }], nested }).success).toBe(false);
});

test("words are numbered by their lines, whether a line ends the text or not; no part of one is a word", () => {
  for (const text of ["في\nمن\nعلى", "في\nمن\nعلى\n"]) {
    const ranks = lineNumbers(text);
    expect(["في", "من", "على"].map((word) => ranks.get(word))).toEqual([0, 1, 2]);
    expect(["في", "على"].every((word) => ranks.has(word))).toBe(true);
    for (const other of ["عل", "ف", "", "من\nعلى"]) {
      expect(ranks.get(other)).toBeUndefined();
      expect(ranks.has(other)).toBe(false);
    }
  }
});
