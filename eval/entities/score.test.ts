import { expect, test } from "bun:test";
import { scoreSpans, spanKeys } from "./score.ts";

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
