import { expect, test } from "bun:test";
import { cutBlocks } from "../body/blocks.ts";
import {
  classOf,
  defuse,
  elementsOf,
  elementsUnder,
  hasWord,
  type HtmlNode,
  isHidden,
  isTextual,
  linkOf,
  oneLine,
  overlap,
  parsePage,
  plainText,
  select,
  taggedIn,
  wordsOf,
} from "./dom.ts";

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

/** The first element with the class `it`, in a page of this body. */
function it(body: string) {
  const element = parsePage(`<html><body>${body}</body></html>`).querySelector(".it");
  if (element === null) throw new Error("no such element");
  return element;
}

test.each([
  ["an attribute", '<p class="it" hidden>x</p>', true],
  ["what it tells screen readers", '<p class="it" aria-hidden="true">x</p>', true],
  ["the contrary", '<p class="it" aria-hidden="false">x</p>', false],
  ["its style", '<p class="it" style="color:red; DISPLAY : none">x</p>', true],
  ["its visibility", '<p class="it" style="visibility:collapse">x</p>', true],
  ["a style that shows it", '<p class="it" style="display:block;visibility:visible">x</p>', false],
  ["a name that only ends alike", '<p class="it" style="backdisplay:none">x</p>', false],
  ["a class of themes", '<p class="it sr-only">x</p>', true],
  ["a class of tooltips", '<p class="it tooltip-text">x</p>', true],
  ["a longer class", '<p class="it sr-only-focusable">x</p>', false],
  ["nothing", '<p class="it">x</p>', false],
  ["a button before it that opens it", '<button aria-expanded="false">+</button><p class="it" hidden>x</p>', false],
  [
    "such a button in a heading in a box",
    '<div><h3><button aria-expanded="false">+</button></h3></div><p class="it" hidden>x</p>',
    false,
  ],
  [
    "such a button that is deeper",
    '<div><div><h3><button aria-expanded="false">+</button></h3></div></div><p class="it" hidden>x</p>',
    true,
  ],
])("an element is hidden or not by %s", (_, body, hidden) => {
  expect(isHidden(it(body))).toBe(hidden);
});

test("an element links by itself, by what is in it, or by what is around it, up to twenty steps away", () => {
  const hrefOf = (body: string) => linkOf(it(body))?.getAttribute("href") ?? null;
  expect(hrefOf('<a class="it" href="/own"><b>x</b></a>')).toBe("/own");
  expect(hrefOf('<a href="/around"><h2 class="it"><a href="/inner">x</a></h2></a>')).toBe("/inner");
  expect(hrefOf('<a href="/around"><div><h2 class="it">x</h2></div></a>')).toBe("/around");
  expect(hrefOf('<a name="here"><h2 class="it">x</h2></a>')).toBeNull();
  const deep = (levels: number) => `<a href="/far">${"<i>".repeat(levels)}<b class="it">x</b>`;
  expect([hrefOf(deep(19)), hrefOf(deep(20))]).toEqual(["/far", null]);
});

test("what makes the parser slow is taken out, and only that", () => {
  const page = "<p>a < b and 2<3</p>";
  expect(defuse(page)).toBe(page);
  const stray = "1<2 ".repeat(1_000);
  expect(defuse(stray)).toBe(stray);
  expect(defuse(`${stray}1<2<b>x</b>`)).toEndWith("1 2<b>x</b>");
  const attributes = (count: number) => Array.from({ length: count }, (_, n) => ` a${n}="${"x".repeat(60)}"`).join("");
  expect(defuse(`<p${attributes(500)}>x</p>`)).toContain("a499");
  expect(defuse(`<p${attributes(501)}>x</p>`)).toBe("<p>x</p>");
});

test("a fragment becomes a page, and a selector that is none has a name", () => {
  expect(elementsOf(parsePage("x<p>y</p>")).map(({ localName }) => localName)).toEqual(["html", "body", "p"]);
  expect(plainText(parsePage("x<p>y</p>").documentElement ?? it("")).trim()).toBe("x y");
  expect([...select(page(), "p")].length).toBeGreaterThan(1);
  expect(() => select(page(), "p[")).toThrow(expect.objectContaining({ code: "bad-selector" }));
});

test("words do not grow together over blocks and line breaks, and what is silent says nothing", () => {
  const words = (body: string) => oneLine(plainText(it(`<div class="it">${body}</div>`)));
  expect(words("one<br>two<div>three</div>four")).toBe("one two three four");
  expect(words("h<b>ar</b><span>bour</span>")).toBe("harbour");
  expect(words("a<script>x()</script><style>b{}</style><noscript>n</noscript><template>t</template>b")).toBe("ab");
});

test("a line is folded, is of visible characters, and has an end", () => {
  expect(oneLine(null)).toBe("");
  expect(oneLine("  a\n\tb\u00a0\u200bc\u202e ")).toBe("a b c");
  expect(oneLine(`${"x".repeat(1_999)}yz`)).toBe(`${"x".repeat(1_999)}y`);
});

test("words are runs of letters, marks and digits; texts overlap by the share of them", () => {
  expect(wordsOf("It's 7 PM, مَرحبا!")).toEqual(["it", "s", "7", "pm", "مَرحبا"]);
  expect(wordsOf("…")).toEqual([]);
  const set = (...words: string[]) => new Set(words);
  expect(overlap(set("a", "b"), set("b", "c"))).toBe(0.5);
  expect(overlap(set("a"), set("a"))).toBe(1);
  expect([overlap(set(), set("a")), overlap(set("a"), set())]).toEqual([0, 0]);
});

test("bytes that are no text are told by what nobody writes", () => {
  expect(isTextual("")).toBe(true);
  expect(isTextual(`${"a".repeat(98)}\u0001\u0002`)).toBe(true);
  expect(isTextual(`${"a".repeat(97)}\u0001\u0002\ufffd`)).toBe(false);
  expect(isTextual("line\r\n\tnext\u0085".repeat(9))).toBe(true);
  // What comes later is not looked at.
  expect(isTextual(`${"a".repeat(100_000)}${"\u0001".repeat(9_000)}`)).toBe(true);
});
