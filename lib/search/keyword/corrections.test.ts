import { describe, expect, test } from "bun:test";
import { wordTerms } from "../../text/mod.ts";
import { QueryContext } from "./context.ts";
import { correctionsOf, editCost, isCorrectable } from "./corrections.ts";
import { TextIndex } from "./testing/memory.ts";

test.each([
  ["a neighbouring key", "harbiur", "harbour", "harbzur"],
  ["a doubled letter", "harbbour", "harbour", "harbkour"],
  ["two letters swapped", "harbuor", "harbour", "harbxyr"],
  ["a letter that looks alike", "مكتبت", "مكتبه", "مكتبض"],
  ["ض for ظ", "محفوض", "محفوظ", "محفوك"],
  ["an alef left out", "كتب", "كتاب", "كتغاب"],
  ["a letter left out", "harour", "harbour", "harbxour"],
  ["a letter put in", "harbxour", "harbour", "haxbxour"],
  ["a letter in the middle", "harzour", "harbour", "zarbour"],
])("%s is a likelier slip than any other letter", (_, likely, meant, unlikely) => {
  expect(editCost(likely, meant)).toBeGreaterThan(0);
  expect(editCost(likely, meant)).toBeLessThan(editCost(unlikely, meant));
});

test("a word is no slip for itself, and an edit costs the same in both directions of the keyboard", () => {
  expect(editCost("harbour", "harbour")).toBe(0);
  expect(editCost("hsrbour", "harbour")).toBe(editCost("harbour", "hsrbour"));
});

test.each([
  ["a letter more", "harxbour", "harbour", 1.3],
  ["a letter fewer", "harour", "harbour", 0.4],
  ["a vowel fewer", "hrbour", "harbour", 0.4 * 0.7],
  ["a vowel more", "haerbour", "harbour", 1.3 * 0.7],
  ["a letter twice in place of once", "harbbour", "harbour", 0.6],
  ["a letter once in place of twice", "leter", "letter", 0.4],
  ["two letters swapped", "harbuor", "harbour", 0.4],
  ["another letter", "harzour", "harbour", 1.6],
  ["another first letter", "zarbour", "harbour", 1.6 + 0.3],
  ["a first letter fewer", "arbour", "harbour", 0.4 + 0.3],
  ["a first letter more", "xharbour", "harbour", 1.3 + 0.3],
  ["first letters swapped", "ahrbour", "harbour", 0.4 + 0.3],
  ["two of them", "harzuor", "harbour", 1.6 + 0.4],
  ["a letter that looks alike", "مكتبت", "مكتبه", 0.5],
  ["all letters", "", "abc", 0.4 * 0.7 + 0.4 + 0.4 + 0.3],
])("%s costs its sum", (_, written, meant, cost) => {
  expect(editCost(written, meant)).toBeCloseTo(cost, 10);
});

test.each([
  ["o", "ipkl", "uj0m"],
  ["g", "fhtyvb", "drun"],
  ["q", "wa", "esz"],
  ["ت", "انعهو", "يمفى"],
])("the keys beside %s are %s, and not %s", (key, near, far) => {
  const slip = (other: string) => editCost(`xx${other}xx`, `xx${key}xx`);
  // What looks alike as well costs less.
  expect([...near].filter((other) => slip(other) > 0.7)).toEqual([]);
  expect([...far].filter((other) => slip(other) <= 0.7)).toEqual([]);
});

/** Returns what a word may be a slip for, beside these other words of its query, with what each is worth. */
function corrections(
  index: TextIndex,
  written: string,
  beside: readonly string[] = [],
  { isName = false, isWord = false } = {},
) {
  const { words, projection } = index;
  const stemOf = (text: string) => words.term(wordTerms(text).stems[0] ?? "");
  const terms = wordTerms(written);
  const lookup = { projection, numbers: words, context: new QueryContext(projection, beside.map(stemOf)) };
  return correctionsOf({ terms, form: words.form(terms), stem: stemOf(written) }, { ...lookup, isName, isWord });
}

const repeat = (count: number, content: string, from: number) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, content }));

describe("a word may be a slip", () => {
  const index = new TextIndex([...repeat(40, "harbour", 1), ...repeat(3, "seldom", 50), ...repeat(2, "rarely", 60)]);
  const isCorrectableIn = ({ words, projection }: TextIndex, text: string) =>
    isCorrectable(wordTerms(text), words.form(wordTerms(text)), projection);

  test.each([
    ["that no document has", "harbuor", true],
    ["that hardly any has", "rarely", true],
    ["but not one that some have", "seldom", false],
    ["but not one of three letters", "har", false],
    ["from four letters on", "harb", true],
    ["but not with a digit in it", "harb0ur", false],
    ["but not a number", "2018", false],
    ["in Arabic too", "ميناا", true],
  ])("%s", (_, text, expected) => {
    expect(isCorrectableIn(index, text)).toBe(expected);
  });

  test("in a large archive where one in ten thousand documents has it", () => {
    const { words, projection } = new TextIndex([...repeat(3, "seldom", 1)]);
    projection.count = 30_000;
    const seldom = wordTerms("seldom");
    expect(isCorrectable(seldom, words.form(seldom), projection)).toBe(true);
    projection.count = 29_999;
    expect(isCorrectable(seldom, words.form(seldom), projection)).toBe(false);
  });
});

describe("what a slip may be for", () => {
  const index = new TextIndex([
    ...repeat(30, "harbour boats", 1),
    ...repeat(3, "harbors", 101),
    ...repeat(4, "barber shop", 201),
    ...repeat(2, "citation", 301),
    ...repeat(5, "الميناء السفينة", 401),
    ...repeat(9, "demonstrations", 501),
  ]);
  const texts = (...call: Parameters<typeof corrections> extends [TextIndex, ...infer Rest] ? Rest : never) =>
    corrections(index, ...call).map(({ text }) => text);

  test("are words of the index near it, likeliest first, with shares that are those of one whole", () => {
    const guesses = corrections(index, "harbbour");
    expect(guesses[0]).toMatchObject({ text: "harbour", form: index.words.form({ form: "harbour" }) });
    expect(guesses.reduce((sum, { share }) => sum + share, 0)).toBeGreaterThan(0.95);
    expect(guesses.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1 + 1e-9);
    expect(guesses.map(({ share }) => share)).toEqual(guesses.map(({ share }) => share).toSorted((a, b) => b - a));
  });

  test("are two edits away only in a word of eight letters, and not where one edit is enough", () => {
    expect(texts("demonstratoins")).toEqual(["demonstrations"]);
    expect(texts("demnstratoins")).toEqual(["demonstrations"]);
    // Eight letters.
    expect(texts("ctiatino")).toEqual(["citation"]);
    expect(texts("hrbuour")).toEqual([]);
    expect(texts("dmnstratoins")).toEqual([]);
  });

  test("are no longer word that the word begins or ends", () => {
    expect(texts("cocitation")).toEqual([]);
    expect(texts("citationes")).toEqual([]);
    expect(texts("citaxtioon")).toEqual(["citation"]);
  });

  test("are Arabic words with other clitics too", () => {
    expect(texts("والمينااء")).toContain("الميناء");
    expect(texts("ميناااء")).not.toContain("السفينه");
  });

  test("are none where nothing is near", () => {
    expect(texts("zzzzzz")).toEqual([]);
    expect(texts("zzzzzzzzzz", ["boats"])).toEqual([]);
  });

  test("of a word that may be a name are those that stand with the others of the query", () => {
    expect(texts("harbuor", [], { isName: true })).toEqual([]);
    expect(texts("harbuor", ["boats"], { isName: true })).toEqual(["harbour"]);
    expect(texts("harbuor", ["shop"], { isName: true })).toEqual([]);
  });

  test("of a word that some document has must speak against it", () => {
    // In a query of its own only one that is far more frequent does, and of a word of the language none.
    expect(texts("harbors")).toEqual([]);
    expect(texts("barbor")).toEqual(["barber"]);
    const few = new TextIndex([...repeat(99, "harbour boats", 1), { id: 901, content: "harbuor fish" }]);
    // .7 ln(111) less twice the .4 of a swap is below 2.5, with 112 it is above.
    few.add(repeat(12, "harbour", 1_001));
    expect(corrections(few, "harbuor")).toEqual([]);
    few.add(repeat(1, "harbour", 2_001));
    expect(corrections(few, "harbuor").map(({ text }) => text)).toEqual(["harbour"]);
    expect(corrections(few, "harbuor", [], { isWord: true })).toEqual([]);
    // Beside others: one that stands with them, where it does not.
    expect(corrections(few, "harbuor", ["boats"]).map(({ text }) => text)).toEqual(["harbour"]);
    expect(corrections(few, "harbuor", ["fish"])).toEqual([]);
    // A word of the language only where a headline, or a hundred texts, have the other one in its place.
    expect(corrections(few, "harbuor", ["boats"], { isWord: true })).toEqual([]);
    few.add([{ id: 902, content: "harbour boats" }]);
    expect(corrections(few, "harbuor", ["boats"], { isWord: true }).map(({ text }) => text)).toEqual(["harbour"]);
  });
});
