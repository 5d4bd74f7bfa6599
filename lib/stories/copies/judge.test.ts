import { describe, expect, test } from "bun:test";
import { groupsOf } from "./common.ts";
import { featuresOf, likelihoodOf } from "./judge.ts";
import { compareTexts, sharedWords } from "./overlap.ts";
import { readWords } from "./words.ts";

const words = (of: string, count: number): string => Array.from({ length: count }, (_, i) => `${of}${i}q`).join(" ");
const shared = (text: string, other: string) => compareTexts(readWords(text), readWords(other));

const FACTS = { sameSource: false, titles: 0 };
const REPORT = words("report", 120);

describe("likelihoodOf", () => {
  test("a whole text, a brief and a text with paragraphs of its own are copies", () => {
    for (const [text, other] of [
      [REPORT, REPORT],
      [REPORT, REPORT.split(" ").slice(30, 70).join(" ")],
      [REPORT, `${words("own", 60)} ${REPORT}`],
    ] as const)
      expect(likelihoodOf(shared(text, other), FACTS)).toBeGreaterThan(0.9);
  });

  test("a turn of phrase of ten words is none", () => {
    const phrase = words("phrase", 10);
    const pair = shared(
      `${words("one", 15)} ${phrase} ${words("two", 15)}`,
      `${words("six", 15)} ${phrase} ${words("ten", 15)}`,
    );
    expect(pair.overlap).toBeCloseTo(0.25);
    expect(likelihoodOf(pair, FACTS)).toBeLessThan(0.4);
  });

  test("what one paper shares with itself alone tells less than what two papers share", () => {
    const pair = shared(`${words("one", 40)} ${words("both", 26)}`, `${words("two", 40)} ${words("both", 26)}`);
    expect(likelihoodOf(pair, { ...FACTS, sameSource: true })).toBeLessThan(likelihoodOf(pair, FACTS));
  });

  test("an ending that two share tells less than as many words in the middle", () => {
    const both = words("both", 30);
    const ending = shared(`${words("one", 60)} ${both}`, `${words("two", 60)} ${both}`);
    const middle = shared(
      `${words("one", 30)} ${both} ${words("three", 30)}`,
      `${words("two", 30)} ${both} ${words("four", 30)}`,
    );
    expect(ending.tail).toBe(1);
    expect(middle.tail).toBe(0);
    expect(likelihoodOf(ending, FACTS)).toBeLessThan(likelihoodOf(middle, FACTS) - 0.2);
  });

  test("passages in another order tell less than in the same one", () => {
    const parts = Array.from({ length: 6 }, (_, i) => words(`part${i}x`, 8));
    const apart = (order: readonly number[], own: string) =>
      order.map((part, i) => `${parts[part]} ${words(`${own}${i}x`, 12)}`).join(" ");
    const ordered = shared(apart([0, 1, 2, 3, 4, 5], "one"), apart([0, 1, 2, 3, 4, 5], "two"));
    const mixed = shared(apart([0, 1, 2, 3, 4, 5], "one"), apart([3, 5, 1, 4, 0, 2], "two"));
    expect(ordered.scrambled).toBe(0);
    expect(mixed.scrambled).toBeGreaterThan(0);
    expect(likelihoodOf(mixed, FACTS)).toBeLessThan(likelihoodOf(ordered, FACTS));
  });

  test("every feature is finite, also of texts without words", () => {
    for (const [text, other] of [
      ["", ""],
      ["", REPORT],
      ["one", "one"],
      ["1 2 3 4 5 6", "1 2 3 4 5 7"],
    ] as const)
      for (const value of Object.values(featuresOf(shared(text, other), FACTS))) expect(value).toBeFinite();
  });
});

test("titles share the telling words that the one with fewer has", () => {
  const of = (text: string) => readWords(text);
  expect(sharedWords(of("Ferry sinks off Sulawesi"), of("Indonesian ferry sinks off Sulawesi coast"))).toBe(1);
  expect(sharedWords(of("Ferry sinks off Sulawesi"), of("Central bank cuts rates"))).toBe(0);
  expect(sharedWords(of(""), of("Central bank cuts rates"))).toBe(0);
});

test("links join articles to one group, whatever their order", () => {
  const pairs: [number, number][] = [
    [5, 3],
    [9, 8],
    [3, 2],
    [8, 7],
    [2, 7],
  ];
  const links = pairs.map(([articleId, otherId]) => ({ articleId, otherId }));
  for (const each of [links, links.toReversed()]) {
    const groups = groupsOf(each);
    expect([2, 3, 5, 7, 8, 9].map((id) => groups.get(id))).toEqual([2, 2, 2, 2, 2, 2]);
    expect(groups.has(4)).toBe(false);
  }
  expect(groupsOf(links.slice(0, 2)).get(9)).toBe(8);
});
