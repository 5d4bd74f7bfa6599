import { describe, expect, test } from "bun:test";
import { groupsOf } from "./common.ts";
import { confidenceOf, featuresOf, likelihoodOf } from "./judge.ts";
import { compareTexts, type Shared, sharedWords } from "./overlap.ts";
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

  test("lies between 0 and 1, and rises with what is shared", () => {
    const shares = [0, 10, 30, 60, 120].map((count) => `${words("report", count)} ${words("own", 120 - count)}`);
    const likelihoods = shares.map((text) => likelihoodOf(shared(text, REPORT), FACTS));
    expect(likelihoods).toEqual(likelihoods.toSorted((a, b) => a - b));
    for (const likelihood of likelihoods) expect(likelihood).toBeWithin(0, 1);
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

const NOTHING: Shared = {
  ...{ overlap: 0, overlapOfOther: 0, words: 0, long: 0, tail: 0, head: 0, substituted: 0, renumbered: 0 },
  ...{ scrambled: 0, numbers: 1, remainder: 0, bridged: 0, aligned: 0, altered: 0 },
};

describe("featuresOf", () => {
  const of = (more: Partial<Shared>, facts: Partial<typeof FACTS> = {}) =>
    featuresOf({ ...NOTHING, ...more }, { ...FACTS, ...facts });

  test("of a pair that shares nothing all are 0, but the bias and that it is few", () => {
    const { bias, few, ...others } = of({});
    expect([bias, few]).toEqual([1, 1]);
    for (const [name, value] of Object.entries(others)) expect([name, value]).toEqual([name, 0]);
  });

  test.each([
    ["words", { words: 127, aligned: 128 }, 1],
    ["words", { words: 7, aligned: 8 }, 0.5],
    ["words", { words: 5000 }, 1],
    ["few", { words: 12 }, 0.5],
    ["few", { words: 6, aligned: 6 }, 0.5],
    ["few", { words: 30 }, 0],
    ["overlap", { overlap: 0.2, overlapOfOther: 0.7 }, 0.7],
    ["overlap", { overlap: 0.7, overlapOfOther: 0.2 }, 0.7],
    ["whole", { overlap: 0.8 }, 0],
    ["whole", { overlap: 0.9 }, 0.5],
    ["whole", { overlapOfOther: 1 }, 1],
    ["edge", { tail: 0.5, head: 0.25, overlap: 0.5 }, 0.375],
    ["edge", { tail: 1, head: 1, overlap: 0.5 }, 0.5],
    ["edge", { tail: 1, overlap: 1 }, 0],
    ["renumbered", { renumbered: 3, substituted: 4 }, 0.5],
    ["scrambled", { scrambled: 0.25 }, 0.5],
    ["scrambled", { scrambled: 0.75 }, 1],
    ["numbers", { numbers: 0.25 }, 0.75],
    ["reordered", { remainder: 0.4 }, 0],
    ["reordered", { remainder: 0.7 }, 0.5],
    ["bridgedAltered", { bridged: 0.5, altered: 0.5 }, 0.25],
  ] as const)("%s of %j is %p", (feature, more, value) => {
    expect(of(more)[feature]).toBeCloseTo(value, 10);
  });

  test("one paper counts the more the fewer words are shared, and not at all of two papers", () => {
    expect(of({ words: 10 })).toMatchObject({ sameSource: 0, sameSourceShort: 0 });
    expect(of({ words: 10 }, { sameSource: true })).toMatchObject({ sameSource: 1, sameSourceShort: 0.75 });
    expect(of({ words: 40 }, { sameSource: true }).sameSourceShort).toBe(0);
    expect(of({ words: 80 }, { sameSource: true }).sameSourceShort).toBe(0);
  });

  test("what is shared at an edge tells nothing where the titles are the same", () => {
    expect(of({ tail: 1, overlap: 0.5 }, { titles: 0.5 })).toMatchObject({ edge: 0.25, titles: 0.5 });
    expect(of({ tail: 1, overlap: 0.5 }, { titles: 1 }).edge).toBe(0);
  });
});

describe("confidenceOf", () => {
  test("turns odds into higher ones, by slope and offset", () => {
    // Even odds: the offset alone, 1 / (1 + e^-1.7).
    expect(confidenceOf(0.5)).toBeCloseTo(0.8455, 4);
    // Odds of e: 1.3 + 1.7.
    expect(confidenceOf(1 / (1 + Math.exp(-1)))).toBeCloseTo(1 / (1 + Math.exp(-3)), 10);
    expect(confidenceOf(1 / (1 + Math.exp(2)))).toBeCloseTo(1 / (1 + Math.exp(0.9)), 10);
  });

  test("rises with the likelihood, and stays between 0 and 1 for what is certain", () => {
    const all = [0, 0.001, 0.2, 0.5, 0.9, 0.9999, 1].map(confidenceOf);
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect([all[0], all.at(-1)]).toEqual([0, 1]);
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
