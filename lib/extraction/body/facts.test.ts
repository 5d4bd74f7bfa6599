import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { cutBlocks } from "./blocks.ts";
import { at, between, countWords, FURNITURE, gatherFacts, PURPOSES, tagRank } from "./facts.ts";

const facts = (body: string, title: string) =>
  gatherFacts(cutBlocks(parsePage(`<html><body>${body}</body></html>`)), title);

test("the title is found among the blocks, and the first heading", () => {
  const found = facts(
    "<p>Home</p><h1>Something else</h1><h2>Floods in the north</h2><p>Text.</p>",
    "Floods in the north - News",
  );
  expect(found.headingAt).toBe(1);
  expect(found.titleAt).toBe(2);
  expect(facts("<p>Text.</p>", "")).toMatchObject({ headingAt: -1, titleAt: -1 });
});

test("words, prose and copies are counted, and running totals give any stretch", () => {
  const prose = "The ministry said on Monday that the work in the cities went on.";
  const found = facts(`<p>Menu</p><p>${prose}</p><p>Menu</p>`, "");
  expect([...found.words]).toEqual([1, 13, 1]);
  expect([...found.prose]).toEqual([0, 13, 0]);
  expect([...found.copies]).toEqual([2, 1, 2]);
  expect(between(found.total.words, 1, 3)).toBe(14);
});

test("where a script writes no spaces, two characters are a word", () => {
  expect(countWords("one two three")).toBe(3);
  expect(countWords("واحد اثنان")).toBe(2);
  expect(countWords("東京都の天気")).toBe(4);
});

/** A sentence of so many words, so many of them links. */
const sentence = (words: number, linked = 0) => {
  const all = Array.from({ length: words }, (_, n) => (n < linked ? `<a href="/${n}">wordy</a>` : "wordy"));
  return `<p>${all.join(" ")}.</p>`;
};

test("prose is a sentence of twelve words at least that does not consist of links", () => {
  const proseOf = (body: string) => [...facts(body, "").prose];
  expect(proseOf(sentence(11) + sentence(12))).toEqual([0, 12]);
  expect(proseOf(sentence(12).replace(".", ""))).toEqual([0]);
  const [few = 0, many] = proseOf(sentence(20, 8) + sentence(20, 12));
  expect([few > 10 && few < 20, many]).toEqual([true, 0]);
});

test("short blocks have fewer than five words, and totals of characters and links run along", () => {
  const found = facts(`${sentence(4)}${sentence(5)}<p>a <a href="/">link</a></p>`, "");
  expect([...found.total.short]).toEqual([0, 1, 1, 2]);
  expect([...found.total.linkChars]).toEqual([0, 0, 0, 4]);
  expect(between(found.total.chars, 2, 3)).toBe(6);
  expect(found.linkShare[2]).toBeCloseTo(4 / 6);
});

test("sentences end where a mark ends them, before a closing quote too, in any script", () => {
  const endsOf = (text: string) => facts(`<p>${text}</p>`, "").sentences[0];
  expect(endsOf("One. Two! Three? Four")).toBe(3);
  expect(endsOf("He said “no.” She (agreed.) 3.5 of a.b")).toBe(2);
  expect(endsOf("ماذا؟ نعم. 終わり。")).toBe(3);
});

test("a title is like a block by more than half; a first heading may be less like, a long block is none", () => {
  const titleOf = (body: string, title: string) => facts(body, title).titleAt;
  // Dice: 2 of 4 words of each is half, which is too little for a paragraph and enough for a heading.
  expect(titleOf("<p>floods rise a b</p>", "floods rise c d")).toBe(-1);
  expect(titleOf("<h1>floods rise a b</h1>", "floods rise c d")).toBe(0);
  expect(titleOf("<h1>floods a b c</h1>", "floods d e f")).toBe(-1);
  expect(titleOf("<p>floods rise now</p><h1>floods rise now</h1>", "floods rise now")).toBe(1);
  expect(titleOf(sentence(60), "wordy")).toBe(-1);
  expect(titleOf(sentence(59), "wordy")).toBe(0);
});

test("the first line of a block is its headline where little stands below it", () => {
  const likeness = (body: string) => facts(body, "floods rise in the north").titleLikeness[0];
  expect(likeness("<h2>Floods rise in the north<br>12 May</h2>")).toBe(1);
  expect(likeness("<p>Floods rise in the north<br>and the south, the east and the west of it</p>")).toBeLessThan(0.7);
});

test("elements are ranked by how likely they hold the text, those that are not known last", () => {
  const ranks = ["p", "li", "h1", "div", "pre", "nav", "aside", "x-unknown"].map(tagRank);
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect([tagRank("section"), tagRank("footer"), tagRank("x-unknown")]).toEqual([8, 20, 21]);
  expect(at([1, 2], 2)).toBe(0);
});

test("purposes stand where the model has learnt them, furniture first", () => {
  expect(PURPOSES).toHaveLength(20);
  expect([PURPOSES[0]?.[0], PURPOSES[FURNITURE - 1]?.[0], PURPOSES[FURNITURE]?.[0]]).toEqual([
    ...["comments", "contents", "body"],
  ]);
  const isFor = (purpose: string, name: string) => PURPOSES.find(([each]) => each === purpose)?.[1].test(name);
  expect(["ad", "ads", "advert-top"].map((name) => isFor("advertising", name))).toEqual([true, true, true]);
  expect(isFor("advertising", "adapter")).toBe(false);
  expect([isFor("article-body", "entrycontent"), isFor("article-body", "entry")]).toEqual([true, false]);
});
