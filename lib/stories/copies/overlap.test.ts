import { describe, expect, test } from "bun:test";
import { fullAnchors, groupsWith } from "./common.ts";
import { confidenceOf, likelihoodOf } from "./judge.ts";
import { compareTexts, sharedWords } from "./overlap.ts";
import { anchorsOf, isAnchor, readWords, spellingForm } from "./words.ts";

const words = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `word${from + i}x`).join(" ");
const compare = (text: string, other: string) => compareTexts(readWords(text), readWords(other));

describe("compareTexts", () => {
  test("counts the words of passages of five and more, in both directions, wherever they stand", () => {
    const text = words(40);
    const moved = `${words(20, 20)} ${words(20)} ${words(40, 500)}`;
    expect(compare(text, moved)).toMatchObject({ overlap: 1, overlapOfOther: 0.5 });
    expect(compare(moved, text)).toMatchObject({ overlap: 0.5, overlapOfOther: 1 });
    expect(compare(`${words(4)} a b c`, `${words(4)} d e f`).overlap).toBe(0);
    expect(compare(`${words(5)} a b c d e`, `${words(5)} d e f`).overlap).toBe(0.5);
    expect(compare("", text)).toMatchObject({ overlap: 0, overlapOfOther: 0 });
  });

  test("takes other spellings, marks, digits, case and punctuation for the same", () => {
    const text = "قال المسؤول إنّ المدرسة الكبرى ستُغلَق يوم 15 مايو، وأضاف: «لا بديل»";
    const other = 'قال المسئول ان المدرسه الكبري ستغلق يوم ١٥ مايو واضاف "لا بديل"';
    expect(compare(text, other)).toMatchObject({ overlap: 1, overlapOfOther: 1 });
    expect(
      compare("The COLOUR of the old theatre was organised", "the color of the old theater was organized").overlap,
    ).toBe(1);
    expect(spellingForm("شؤون")).toBe(spellingForm("شئون"));
  });

  test("tells a series by numbers that differ between the same passages", () => {
    const form = (a: number, b: number) =>
      `the dollar was sold at the bank for ${a} pounds and the euro went to private buyers for ${b} pounds after that day was over`;
    const series = compare(form(12, 13), form(14, 15));
    expect(series.renumbered).toBe(2);
    expect(series.altered).toBeGreaterThan(0.4);
    const facts = { sameSource: false, titles: 0 };
    const sameNumbers = likelihoodOf({ ...series, renumbered: 0, altered: 0, numbers: 1 }, facts);
    expect(likelihoodOf(series, facts)).toBeLessThan(sameNumbers - 0.3);
    expect(likelihoodOf(compare(words(60), words(60)), facts)).toBeGreaterThan(0.9);
  });
});

describe("words that go on from a passage", () => {
  const text = words(80).split(" ");
  const edited = (edit: (word: string, i: number) => string[]) =>
    text.flatMap((word, i) => (i >= 20 && i % 4 === 0 ? edit(word, i) : [word])).join(" ");
  const changed = edited((_, i) => [`new${i}`]);

  test.each([
    ["changed", changed],
    ["added", edited((word, i) => [word, `new${i}`])],
    ["left out", edited(() => [])],
  ])("are bridged over words that are %s", (_, other) => {
    const shared = compare(text.join(" "), other);
    expect(Math.max(shared.overlap, shared.overlapOfOther)).toBeLessThan(0.4);
    expect(shared.bridged).toBeGreaterThan(0.7);
    expect(compare(`${text.slice(0, 20).join(" ")} ${words(60, 500)}`, other).bridged).toBe(0);
  });

  test("tell that the one was taken from the other, unless numbers are what changed", () => {
    const facts = { sameSource: false, titles: 0 };
    const shared = compare(text.join(" "), changed);
    const likelihood = likelihoodOf(shared, facts);
    expect(likelihood).toBeGreaterThan(likelihoodOf({ ...shared, bridged: 0, aligned: 0 }, facts) + 0.2);
    expect(likelihood).toBeGreaterThan(likelihoodOf({ ...shared, altered: 0.6 }, facts) + 0.2);
  });
});

describe("words that differ beside a passage", () => {
  const [own, theirs] = [words(30, 600), words(30, 700)];
  const bridgedOf = (text: string, other: string) => {
    const { aligned, altered } = compare(text, other);
    return { aligned, altered };
  };

  test("are bridged backwards from its first word and forwards from its last, one by one", () => {
    const before = `${words(3, 100)} alpha ${words(2, 110)} beta`;
    const behind = `gamma ${words(2, 120)} delta ${words(3, 130)}`;
    const change = (of: string) => of.replace(/alpha|beta|gamma|delta/g, (word) => `${word}s`);
    const text = `${before} ${words(10)} ${behind}`;
    // The five words on each side that both have; four places differ, none of them a number.
    expect(bridgedOf(text, change(text))).toEqual({ aligned: 10, altered: 0 });
    expect(bridgedOf(`${own} ${text}`, `${change(text)} ${theirs}`)).toEqual({ aligned: 10, altered: 0 });
  });

  test("are altered where numbers are what differs, out of all places and two more", () => {
    const text = (...of: (string | number)[]) => `${words(10)} ${of[0]} ${words(3, 50)} ${of[1]} ${words(3, 60)}`;
    expect(bridgedOf(text(4, 5), text(6, 7))).toEqual({ aligned: 6, altered: 2 / 4 });
    expect(bridgedOf(text(4, "five"), text(6, "seven"))).toEqual({ aligned: 6, altered: 1 / 4 });
    expect(bridgedOf(text("four", 5), text(6, 5))).toMatchObject({ altered: 0 });
  });

  test("are altered before a passage as behind it", () => {
    const text = (number: number) => `${words(3, 60)} ${number} ${words(10)}`;
    expect(bridgedOf(text(4), text(6))).toEqual({ aligned: 3, altered: 1 / 3 });
  });

  test("end it where more of them differ than agree", () => {
    const far = (of: string) => `${words(10)} ${of}1 ${of}2 ${of}3 ${of}4 ${of}5 ${words(4, 80)}`;
    expect(bridgedOf(far("a"), far("b")).aligned).toBe(0);
    const near = (of: string) => `${words(10)} ${of}1 ${of}2 ${words(4, 80)}`;
    expect(bridgedOf(near("a"), near("b")).aligned).toBe(4);
  });
});

describe("anchors that several groups have", () => {
  const phrase = words(30, 900);
  const { runs } = readWords(phrase);
  const anchors = [...runs].filter(isAnchor);
  const text = `${words(40)} ${phrase}`;
  const other = `${words(40, 300)} ${phrase}`;
  const shared = (groups: ReadonlyMap<number, number>) => compareTexts(readWords(text), readWords(other), groups);

  test("make a passage none where most of its anchors are such, and one alone does not", () => {
    expect(anchors.length).toBeGreaterThan(2);
    expect(shared(new Map()).overlap).toBeCloseTo(30 / 70, 6);
    expect(shared(new Map(anchors.map((run) => [run, 50]))).overlap).toBe(0);
    expect(shared(new Map([[anchors[0] ?? 0, 50]])).overlap).toBeCloseTo(30 / 70, 6);
    expect(shared(new Map(anchors.map((run) => [run, 1]))).overlap).toBeCloseTo(30 / 70, 6);
  });

  test("make one of a single anchor none by that one", () => {
    const five = Array.from({ length: 400 }, (_, i) => words(5, 2000 + 5 * i)).find((each) =>
      isAnchor(readWords(each).runs[0] ?? -1),
    );
    const of = (...around: string[]) => `${around[0]} ${five} ${around[1]}`;
    const [one, two] = [readWords(of(words(9), words(9, 20))), readWords(of(words(9, 40), words(9, 60)))];
    const run = readWords(five ?? "").runs[0] ?? 0;
    expect(compareTexts(one, two).overlap).toBeCloseTo(5 / 23, 6);
    expect(compareTexts(one, two, new Map([[run, 50]])).overlap).toBe(0);
  });

  test("count less the more groups have them: words are weighed by the mean of their shares", () => {
    const half = shared(new Map(anchors.map((run) => [run, 2])));
    expect(half.words).toBeCloseTo(30 / 2, 6);
    expect(shared(new Map(anchors.map((run, i) => [run, i === 0 ? 2 : 1]))).words).toBeCloseTo(
      (30 * (anchors.length - 1 / 2)) / anchors.length,
      6,
    );
  });
});

describe("where passages stand", () => {
  test("head and tail are of passages with which both texts begin or end", () => {
    const text = `${words(10)} ${words(5, 100)} ${words(20, 20)}`;
    expect(compare(text, `${words(10)} ${words(9, 200)} ${words(20, 20)}`)).toMatchObject({ head: 1 / 3, tail: 2 / 3 });
    expect(compare(text, `${words(3, 300)} ${words(10)} ${words(9, 200)}`).head).toBe(0);
    expect(compare(text, `${words(9, 200)} ${words(20, 20)} ${words(9, 300)}`).tail).toBe(0);
  });

  test("passages in another order are scrambled, but for one part that was moved", () => {
    const parts = [0, 10, 20, 30].map((from) => words(10, from));
    const [a, b, c, d] = parts;
    const text = parts.join(" one two three four ");
    const ordered = (...of: (string | undefined)[]) => compare(text, of.join(" other words stand here ")).scrambled;
    expect(ordered(a, b, c, d)).toBe(0);
    expect(ordered(d, a, b, c)).toBe(0);
    expect(ordered(d, c, b, a)).toBe(0.5);
  });

  test("a few words between passages that differ are a substitution, and one of numbers is told apart", () => {
    const between = (own: string, theirs: string) => {
      const text = (middle: string) => `${words(10)} ${middle} ${words(10, 50)}`;
      const { substituted, renumbered } = compare(text(own), text(theirs));
      return { substituted, renumbered };
    };
    expect(between("red", "blue green")).toEqual({ substituted: 1, renumbered: 0 });
    expect(between("12", "13")).toEqual({ substituted: 1, renumbered: 1 });
    expect(between("in 12 days", "for 12 weeks")).toEqual({ substituted: 1, renumbered: 0 });
    expect(between("red", "")).toEqual({ substituted: 0, renumbered: 0 });
    expect(between(words(6, 100), words(6, 200)).substituted).toBe(1);
    expect(between(words(7, 100), words(6, 200)).substituted).toBe(0);
    expect(between(words(6, 100), words(7, 200)).substituted).toBe(0);
  });
});

describe("what else two texts share", () => {
  test("numbers are those of the text with fewer words, each once; all where it has none", () => {
    expect(compare("seen 12 and 13 and 12", "it was 12 or 14 or 15 or 16").numbers).toBe(0.5);
    expect(compare("it was 12 or 14 or 15 or 16", "seen 12 and 13 and 12").numbers).toBe(0.5);
    expect(compare("seen by all", "it was 12 or 14").numbers).toBe(1);
  });

  test("telling words are shared wherever they stand, by the text with fewer of them", () => {
    const shared = (text: string, other: string) => sharedWords(readWords(text), readWords(other));
    const few = "zebra quagga okapi tapir";
    expect(shared(few, "tapir marmot okapi wombat ibex")).toBe(0.5);
    expect(shared("tapir marmot okapi wombat ibex", few)).toBe(0.5);
    expect(shared("", few)).toBe(0);
  });
});

describe("boilerplate", () => {
  const anchors = [...anchorsOf(readWords(words(60)).runs)];
  const carriers = (count: number, joined = false) =>
    Array.from({ length: count }, (_, id) => ({ id, shared: anchors, anchors: joined ? anchors.length : 1_000 }));

  test("anchors of a text are runs that any longer text chooses, too, as far as it chooses as many", () => {
    const within = new Set(anchorsOf(readWords(`${words(9, 900)} ${words(60)}`).runs));
    expect(anchors.filter(isAnchor).every((anchor) => within.has(anchor))).toBe(true);
    expect(anchors).toHaveLength(readWords(words(60)).runs.length);
  });

  test("what unrelated articles have is counted by groups: one where they are copies of each other or joined", () => {
    const [first = 0] = anchors;
    expect(groupsWith(carriers(9), new Map()).get(first)).toBe(5);
    expect(groupsWith(carriers(9, true), new Map()).get(first)).toBeUndefined();
    const joined = new Map(carriers(9).map(({ id }) => [id, 0]));
    expect(groupsWith(carriers(9), joined).get(first)).toBeUndefined();
  });

  test("words of a passage that many unrelated articles have do not count", () => {
    const text = readWords(`${words(60)} ${words(30, 100)}`);
    const other = readWords(`${words(60)} ${words(30, 200)}`);
    const plain = compareTexts(text, other);
    expect(plain.words).toBe(60);
    const common = compareTexts(text, other, groupsWith(carriers(9), new Map()));
    expect(common.words).toBe(0);
    expect(compareTexts(text, other, new Map(anchors.map((anchor) => [anchor, 3]))).words).toBeCloseTo(20);
  });

  test("an anchor that enough articles are found by is stored no more", () => {
    expect(fullAnchors(carriers(47)).size).toBe(0);
    expect([...fullAnchors(carriers(48))]).toEqual(anchors);
  });
});

test("a confidence grows with the likelihood, stays within 0 to 1, and is above it where it was too low", () => {
  const confidences = [0.4, 0.5, 0.7, 0.9, 0.99, 1].map(confidenceOf);
  expect(confidences).toEqual(confidences.toSorted((a, b) => a - b));
  expect(confidences.at(-1)).toBe(1);
  expect(confidenceOf(0.5)).toBeWithin(0.8, 0.9);
  expect(confidenceOf(0.9)).toBeWithin(0.97, 1);
});
