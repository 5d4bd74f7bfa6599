import { expect, test } from "bun:test";
import { cutBlocks } from "../body/blocks.ts";
import { classOf, elementsOf, elementsUnder, hasWord, type HtmlNode, parsePage, plainText, taggedIn } from "./dom.ts";

const page = () =>
  parsePage(
    `<html><head><meta name="a"></head><body><div><p class="  one  two ">x<b>y</b></p></div><template><p>no</p></template><p rel="me author">z</p></body></html>`,
  );

test("elements are listed in the order of the page, by their tags too, without those of templates", () => {
  const document = page();
  expect(elementsOf(document).map(({ localName }) => localName)).toEqual(
    "html head meta body div p b template p".split(" "),
  );
  expect(taggedIn(document, "p").map(({ textContent }) => textContent)).toEqual(["xy", "z"]);
  expect(taggedIn(document, "h1")).toEqual([]);
});

test("an attribute is a list of words", () => {
  const last = taggedIn(page(), "p")[1];
  expect(last && [hasWord(last, "rel", "author"), hasWord(last, "rel", "auth"), hasWord(last, "id", "author")]).toEqual(
    [true, false, false],
  );
});

test("class names are read as they stand, empty for none", () => {
  expect(taggedIn(page(), "p").map((element) => classOf(element).split(" "))).toEqual([["one", "two"], [""]]);
});

test("each element is seen once, however the places that are gone through lie in one another", () => {
  const document = parsePage("<main><i>1</i><article><b>2</b><p><u>3</u></p></article><s>4</s></main><em>5</em>");
  const seen = new Set<HtmlNode>();
  const under = (tag: string) =>
    taggedIn(document, tag).flatMap((root) => [...elementsUnder(root, seen)].map(({ localName }) => localName));
  expect(under("p")).toEqual(["u"]);
  expect(under("article")).toEqual(["b", "p"]);
  expect(under("main")).toEqual(["i", "article", "s"]);
  expect(under("main")).toEqual([]);
});

test.each([
  ["10<sup>6</sup> cells", "10^6 cells"],
  ["10<sup> -6 </sup> m", "10^-6 m"],
  ["١٠<sup>٦</sup> خلايا", "١٠^٦ خلايا"],
  ["1010<sub>2</sub>", "1010_2"],
  ["CO<sub>2</sub> and H<sub>2</sub>O", "CO2 and H2O"],
  ["5 km<sup>2</sup>, ٣ كم<sup>٢</sup>", "5 km², ٣ كم²"],
  ["9 s<sup>-1</sup>", "9 s⁻¹"],
  ["the 21<sup>st</sup> of May", "the 21st of May"],
  ['in 2019<sup><a href="#n3">3</a></sup>', "in 2019[3]"],
  ['he said<sup id="r"><a href="#n4">[4]</a></sup>', "he said[4]"],
])("what is raised or lowered makes no other number: %s", (html, text) => {
  const page = parsePage(`<html><body><p>${html}</p></body></html>`);
  expect(cutBlocks(page).blocks.map((block) => block.text)).toEqual([text]);
  const paragraph = page.querySelector("p");
  expect(paragraph === null ? "" : plainText(paragraph).trim()).toBe(text);
});
