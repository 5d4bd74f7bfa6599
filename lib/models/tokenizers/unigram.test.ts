import { expect, test } from "bun:test";
import { createSegmenter } from "./unigram.ts";

const vocab: [string, number][] = [
  ["<unk>", 0],
  ["a", -3],
  ["b", -3],
  ["ab", -4],
  ["abc", -9],
  ["ال", -1],
  ["كتاب", -5],
];
const segment = createSegmenter(vocab, 0);

test("the cut with the highest sum of scores wins", () => {
  expect(segment("ab")).toEqual([3]);
  expect(segment("ba")).toEqual([2, 1]);
  expect(segment("الكتاب")).toEqual([5, 6]);
});

test("a long piece that scores less than its parts is not used", () => {
  expect(segment("aab")).toEqual([1, 3]);
  expect(
    createSegmenter(
      [
        ["<unk>", 0],
        ["a", -1],
        ["aa", -3],
      ],
      0,
    )("aa"),
  ).toEqual([1, 1]);
});

test("of two cuts with equal sums the longer piece comes last", () => {
  const even = createSegmenter(
    [
      ["<unk>", 0],
      ["a", -1],
      ["aa", -2],
    ],
    0,
  );
  expect(even("aaa")).toEqual([1, 2]);
});

test("unknown letters are left out, what is known around them stays", () => {
  expect(segment("zabz")).toEqual([3]);
  expect(segment("😀")).toEqual([]);
});

test("unknown letters that follow each other are one token where they are kept", () => {
  const keeping = createSegmenter(vocab, 0, { keepUnknown: true });
  expect(keeping("zzabz")).toEqual([0, 3, 0]);
  expect(keeping("😀")).toEqual([0]);
});

test("a letter that begins a known piece but is none itself is unknown alone", () => {
  expect(
    createSegmenter(
      [
        ["<unk>", 0],
        ["xy", -1],
      ],
      0,
    )("xxy"),
  ).toEqual([1]);
});

test("an empty word has no pieces", () => {
  expect(segment("")).toEqual([]);
});

test("words longer than any before are cut too", () => {
  expect(segment("ab".repeat(5000))).toHaveLength(5000);
});
