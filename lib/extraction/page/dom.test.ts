import { expect, test } from "bun:test";
import { classOf, elementsOf, elementsUnder, hasWord, type HtmlNode, parsePage, taggedIn } from "./dom.ts";

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
