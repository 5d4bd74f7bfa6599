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

test("a text that stands on its page twice is taken from its first place", () => {
  const text = "the ministry said on monday that the work in the flooded cities went on as planned";
  expect(shares(["home", text, "more", text, "end"], text)).toEqual([0, 1, 0, 0, 0]);
});

test.each([
  ["a word between", ["a b c d e f x g h i j k l"], "a b c d e f g h i j k l", [12 / 13]],
  ["nothing of it", ["x y z"], "a b c", [0]],
  ["the other order", ["c d", "a b"], "a b c d", [0, 1]],
  ["what stands before and behind it", ["a", "b", "c"], "a c", [1, 0, 1]],
])("shares of blocks against a gold text with %s", (_, blocks, gold, expected) => {
  expect(shares(blocks, gold)).toEqual(expected.map((share) => expect.closeTo(share, 6)));
});
