import { describe, expect, test } from "bun:test";
import {
  anchorsOf,
  isAnchor,
  MAX_ANCHORS,
  NUMBER,
  PASSAGE_WORDS,
  PLAIN_WORD,
  readWords,
  spellingForm,
  TELLING_WORD,
} from "./words.ts";

const words = (count: number, of = "word"): string => Array.from({ length: count }, (_, i) => `${of}${i}x`).join(" ");

describe("spellingForm", () => {
  test.each([
    ["مسؤول", "مسئول"],
    ["شؤون", "شئون"],
    ["قُرِئَ", "قرئ"],
    ["colour", "color"],
    ["favourite", "favorite"],
    ["organisation", "organization"],
    ["organised", "organized"],
    ["analyse", "analyze"],
    ["theatres", "theaters"],
    ["catalogue", "catalog"],
    ["travelled", "traveled"],
  ])("%s counts as %s", (one, other) => {
    expect(spellingForm(one)).toBe(spellingForm(other));
  });

  test.each([
    ["four", "for"],
    ["rise", "rice"],
    ["قال", "قيل"],
    ["wise", "wine"],
  ])("%s is not %s", (one, other) => {
    expect(spellingForm(one)).not.toBe(spellingForm(other));
  });
});

describe("readWords", () => {
  test("gives each word a hash and a kind: a number, a word that tells, or another one", () => {
    const { words: hashes, kinds } = readWords("In 2018 ships of 40 nations, in ships");
    expect([...kinds]).toEqual([
      PLAIN_WORD,
      NUMBER,
      TELLING_WORD,
      PLAIN_WORD,
      NUMBER,
      TELLING_WORD,
      PLAIN_WORD,
      TELLING_WORD,
    ]);
    expect(hashes[2]).toBe(hashes[7] ?? 0);
    expect(hashes[0]).toBe(hashes[6] ?? 0);
    expect(new Set(hashes).size).toBe(6);
  });

  test("has a run from each word that enough follow, and none of a short text", () => {
    expect(readWords(words(12)).runs).toHaveLength(12 - PASSAGE_WORDS + 1);
    expect(readWords(words(PASSAGE_WORDS - 1)).runs).toHaveLength(0);
    expect(readWords("").words).toHaveLength(0);
  });

  test("a run depends on the order of its words, and not on what stands around it", () => {
    const { runs } = readWords("one two three four five six");
    expect(readWords("five four three two one").runs[0]).not.toBe(runs[0] ?? 0);
    expect(readWords("zero one two three four five").runs[1]).toBe(runs[0] ?? 0);
  });

  test("a lone hamza is no word, and what is beyond the longest text is not read", () => {
    expect(readWords("ء قال").words).toHaveLength(1);
    const long = `${"a ".repeat(100_000)}beyond`;
    expect(readWords(long).words).toHaveLength(100_000);
  });
});

describe("anchorsOf", () => {
  test("takes about a quarter of the runs, each once, in the order of their hashes", () => {
    const { runs } = readWords(words(600));
    const anchors = [...anchorsOf(runs)];
    expect(anchors.length).toBeWithin(100, 200);
    expect(anchors.every(isAnchor)).toBe(true);
    expect(anchors.map((anchor) => anchor >>> 0)).toEqual(
      anchors.map((anchor) => anchor >>> 0).toSorted((a, b) => a - b),
    );
    const twice = readWords(`${words(600)} ${words(600)}`);
    expect(anchorsOf(twice.runs).length).toBeLessThanOrEqual(anchors.length + PASSAGE_WORDS);
  });

  test("of a long text those are taken that a text which holds it takes, too", () => {
    const long = words(4_000);
    const anchors = anchorsOf(readWords(long).runs);
    expect(anchors).toHaveLength(MAX_ANCHORS);
    const longer = new Set(anchorsOf(readWords(`${long} ${words(50, "more")}`).runs));
    expect([...anchors].filter((anchor) => longer.has(anchor)).length).toBeGreaterThan(MAX_ANCHORS * 0.9);
  });

  test("of a short text more of its runs are anchors: as many as are wanted, all of them where it has no more", () => {
    const evenly = (count: number) =>
      Int32Array.from({ length: count }, (_, i) => Math.floor((i * 2 ** 32) / count) | 0);
    expect(anchorsOf(evenly(128))).toHaveLength(64);
    expect(anchorsOf(evenly(64))).toHaveLength(64);
    expect(anchorsOf(evenly(10))).toHaveLength(10);
    expect(anchorsOf(evenly(0))).toHaveLength(0);
    // From four times as many on a quarter is enough.
    expect(anchorsOf(evenly(256))).toHaveLength(64);
    expect(anchorsOf(evenly(512))).toHaveLength(128);
    expect(anchorsOf(evenly(2048))).toHaveLength(MAX_ANCHORS);
  });
});
