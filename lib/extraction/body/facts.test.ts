import { expect, test } from "bun:test";
import { parsePage } from "../page/dom.ts";
import { cutBlocks } from "./blocks.ts";
import { between, countWords, gatherFacts } from "./facts.ts";

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
