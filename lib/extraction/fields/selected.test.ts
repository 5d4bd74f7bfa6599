import { expect, test } from "bun:test";
import { ExtractError } from "../item.ts";
import { parsePage } from "../page/dom.ts";
import { readMeta } from "../page/metadata.ts";
import { findCategory } from "./labels.ts";
import { selectParts } from "./selected.ts";

const html = `<h2 class="t">A <b>title</b></h2><time datetime="2025-05-14">yesterday</time><img class="lead" data-src="/1.jpg">
<div class="c"><p>one</p><p class="ad">buy</p><div class="c"><p>two</p></div></div><div class="c">three</div><span class="by">Layla</span><span class="by">Omar</span>`;

test("selectors give the parts of an article; nested matches are read once", () => {
  const selectors = {
    title: ".t",
    content: ".c",
    published_at: "time",
    author: ".by",
    image: ".lead",
    remove: [".ad"],
  };
  expect(selectParts(parsePage(html), selectors)).toEqual({
    title: "A title",
    content: "one\n\ntwo\n\nthree",
    published: "2025-05-14",
    authors: ["Layla", "Omar"],
    image: "/1.jpg",
    selectors: { matched: ["title", "content", "published_at", "author", "image"], unmatched: [] },
  });
});

test("selectors that match nothing, or are not given, give nothing", () => {
  const nothing = { title: "", content: "", published: "", authors: [], image: "" };
  expect(selectParts(parsePage(html), {})).toEqual({ ...nothing, selectors: { matched: [], unmatched: [] } });
  expect(selectParts(parsePage(html), { title: ".none", content: " ", author: "h6" })).toEqual({
    ...nothing,
    selectors: { matched: [], unmatched: ["title", "author"] },
  });
});

test("what is no selector is refused by name", () => {
  expect(() => selectParts(parsePage(html), { title: "h1[" })).toThrow(ExtractError);
  expect(() => selectParts(parsePage(html), { remove: [":nope("] })).toThrow(ExtractError);
});

test("the section is the publisher's own name for it", () => {
  const meta = readMeta(parsePage('<meta property="article:section" content=" World  news ">'));
  expect(findCategory(null, meta)).toBe("World news");
  expect(findCategory(null, new Map())).toBe("");
});
