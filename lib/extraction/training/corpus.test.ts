import { expect, test } from "bun:test";
import { benchmarkWords, goldShares, wordF1 } from "./corpus.ts";

const words = (text: string) => text.split(" ").filter((word) => word !== "");
const shares = (blocks: string[], gold: string) => [...goldShares(blocks.map(words), words(gold))];

test("blocks of the gold text are told from those around it, repeated ones by their order", () => {
  const long = "the ministry said on monday that the work in the flooded cities went on as planned";
  expect(shares(["home sport", "title here", long, "home sport", ""], `title here ${long}`)).toEqual([0, 1, 1, 0, 0]);
});

test("a block that is partly in the gold text has the share of its words", () => {
  expect(shares(["a b c d"], "a b")).toEqual([0.5]);
  expect(shares(["a b"], "")).toEqual([0]);
});

test("words are those of the benchmark, and their F1 is that of bags", () => {
  expect(benchmarkWords("It's 2025, مرحبا_x!")).toEqual(["it", "s", "2025", "مرحبا_x"]);
  expect(wordF1(["a", "a", "b"], ["a", "b", "c"])).toBeCloseTo(2 / 3, 6);
  expect(wordF1([], [])).toBe(1);
  expect(wordF1(["a"], [])).toBe(0);
});
