import { expect, test } from "bun:test";
import { ExtractError } from "../item.ts";
import { parsePage } from "../page/dom.ts";
import { readMeta } from "../page/metadata.ts";
import { findCategory, fittingSelectors, selectParts } from "./labels.ts";

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

test("attributes come before text, each in its place", () => {
  const page = parsePage(`<meta class="t" content=" Stated "><meta class="by" content="Layla"><span class="by"> </span>
    <meta class="d" datetime="" content="2025-05-14"><a class="i" href="/2.jpg">picture</a><p class="d2">14 May 2025</p>`);
  expect(selectParts(page, { title: ".t", author: ".by", published_at: ".d", image: ".i" })).toMatchObject({
    ...{ title: "Stated", authors: ["Layla"], published: "2025-05-14", image: "/2.jpg" },
  });
  expect(selectParts(page, { published_at: ".d2" }).published).toBe("14 May 2025");
});

test("an image is read in the element that is named, by its absolute address where there is a base", () => {
  const page = () => parsePage('<figure class="f"><figcaption>A pier</figcaption><img src="/1.jpg"></figure>');
  expect(selectParts(page(), { image: ".f" }, "https://a.example/news/").image).toBe("https://a.example/1.jpg");
  expect(selectParts(page(), { image: "figcaption" }).image).toBe("A pier");
});

test("of several designs the first fits whose text is there, or any part of one that names no text", () => {
  const page = parsePage(html);
  const [none, titled, whole] = [{ content: ".x", title: ".t" }, { title: ".t" }, { content: ".c" }];
  expect(fittingSelectors(page, [none, titled, whole])).toBe(titled);
  expect(fittingSelectors(page, [none, whole, titled])).toBe(whole);
  expect(fittingSelectors(page, [none, { author: "h6" }])).toBeNull();
  expect(fittingSelectors(page, [{ published_at: "time" }])).toEqual({ published_at: "time" });
  expect(fittingSelectors(page, [])).toBeNull();
});
