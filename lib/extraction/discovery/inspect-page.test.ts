import { expect, test } from "bun:test";
import { ExtractError } from "../extract.ts";
import { inspectPage, readListPage } from "./inspect-page.ts";

const url = "https://www.paper.example/ar/";
const paragraph = "<p>The council of the northern province decided on Monday that the old bridge will be closed.</p>";

test("a page tells its site's name, language and feeds", () => {
  const html = `<html lang="ar"><head><title>الرئيسية | الورق</title><meta property="og:site_name" content="الورق">
    <meta property="og:locale" content="ar_EG"><link rel="alternate" type="application/rss+xml" title="كل الأخبار" href="/rss.xml">
    <link rel="alternate" hreflang="en" href="/en/"><link rel="alternate" type="application/atom+xml" href="atom"></head>
    <body><a href="/rss/sport">رياضة</a><a href="/rss.xml">RSS</a><a href="/press">press</a></body></html>`;
  expect(inspectPage({ html, url })).toMatchObject({
    siteName: "الورق",
    title: "الرئيسية | الورق",
    language: "ar",
    locale: "ar_EG",
    feeds: [
      { url: "https://www.paper.example/rss.xml", title: "كل الأخبار" },
      { url: "https://www.paper.example/ar/atom", title: "" },
      { url: "https://www.paper.example/rss/sport", title: "رياضة" },
    ],
  });
});

test("the names of what holds the text come first, those of tools and of boxes aside not at all", () => {
  const html = `<main class="css-1x2y3z"><div class="story-text col" id="story">${paragraph.repeat(4)}</div></main>
    <div class="sidebar"><div class="teasers">${paragraph.repeat(9)}</div></div><footer>${paragraph.repeat(9)}</footer>`;
  expect(inspectPage({ html, url }).containers).toEqual(["#story", ".story-text"]);
});

test("text between line breaks counts, too", () => {
  const html = `<div class="wrap"><div class="newsbody">${"word ".repeat(40)}<br>${"word ".repeat(40)}</div></div>`;
  expect(inspectPage({ html, url }).containers).toEqual([".newsbody", ".wrap"]);
});

test("a selector's matches are counted, and the first is shown", () => {
  const html = `<div class="a">one <b class="a">two</b></div><p class="a">three</p><time datetime="2024-01-15"></time>`;
  expect(inspectPage({ html, url, selectors: [".a", "time", ".none"] }).matches).toEqual([
    { selector: ".a", count: 3, chars: 12, first: "one two" },
    { selector: "time", count: 1, chars: 0, first: "2024-01-15" },
    { selector: ".none", count: 0, chars: 0, first: "" },
  ]);
  expect(() => inspectPage({ html, url, selectors: ["a["] })).toThrow(ExtractError);
});

const LIST_URL = "https://news.a.example/world/";
const read = (html: string, selector: string, anySite = false) =>
  readListPage({ html, url: LIST_URL, selector, anySite }).links;

test("links come absolute, once, in the order of the page, with their longest text", () => {
  const html = `<base href="https://news.a.example/base/"><ul><li class="item"><a href="1#top"><img src="x"></a><h3><a href="1">First&nbsp;of <b>all</b></a></h3></li>
    <li class="item"><a href="/2?x=1&amp;y=2">Second</a></li><li class="item">no link</li><li class="item"><a href="${LIST_URL}#a">self</a></li></ul>`;
  expect(read(html, ".item a")).toEqual([
    { url: "https://news.a.example/base/1", text: "First of all" },
    { url: "https://news.a.example/2?x=1&y=2", text: "Second" },
  ]);
});

test("a selector may name what holds the link, or what stands in it", () => {
  const html = `<div class="card"><p>x</p><a href="/1">One</a></div><a href="/2"><h2 class="card"><span>Two</span></h2></a>`;
  expect(read(html, ".card")).toEqual([
    { url: "https://news.a.example/1", text: "One" },
    { url: "https://news.a.example/2", text: "Two" },
  ]);
});

test("links to other sites and to no web page are left out, unless other sites are asked for", () => {
  const html = `<a href="https://b.example/1">b</a><a href="javascript:x()">j</a><a href="mailto:a@b">m</a><a href="//www.a.example/2">w</a><a>none</a>`;
  expect(read(html, "a").map((link) => link.url)).toEqual(["https://www.a.example/2"]);
  expect(read(html, "a", true).map((link) => link.url)).toEqual(["https://b.example/1", "https://www.a.example/2"]);
});

test("at most 1,000 links are read", () => {
  const html = Array.from({ length: 1500 }, (_, i) => `<a href="/${i}">${i}</a>`).join("");
  expect(read(html, "a")).toHaveLength(1000);
});

test.each(["a[", ":::", "a:unknown(x)"])("%s is no selector", (selector) => {
  expect(() => read("<a href='/1'>x</a>", selector)).toThrow(ExtractError);
});

test("a list goes on where its selector or rel=next says", () => {
  const html = `<a rel="next" href="?page=2">older</a><div class="more"><a href="/all">all</a></div>`;
  expect(readListPage({ html, url: LIST_URL, selector: "a" }).next).toBe(`${LIST_URL}?page=2`);
  expect(readListPage({ html, url: LIST_URL, selector: "a", next: ".more" }).next).toBe("https://news.a.example/all");
  expect(readListPage({ html: "<a href='/1'>1</a>", url: LIST_URL, selector: "a" }).next).toBeNull();
});

test.each([
  ["application/rss+xml", true],
  ["application/atom+xml", true],
  ["application/feed+json", true],
  [" application/RSS+XML ", true],
  ["text/xml", true],
  ["application/json", true],
  ["text/html", false],
  ["application/json+oembed", false],
  ["", false],
])("a link that declares %p names a feed: %p", (type, is) => {
  const html = `<link rel="alternate" type="${type}" href="/f">`;
  expect(inspectPage({ html, url }).feeds).toHaveLength(is ? 1 : 0);
});

test.each([
  ["/rss", true],
  ["/feed/", true],
  ["/atom.xml", true],
  ["/world/feeds", true],
  ["/rss2", true],
  ["/news.rss", true],
  ["/feedback", false],
  ["/atomic", false],
  ["/express", false],
  ["/?x=rss", false],
])("a link to %s is one to a feed: %p", (href, is) => {
  expect(inspectPage({ html: `<a href="${href}">x</a>`, url }).feeds).toHaveLength(is ? 1 : 0);
});

test("thirty feeds are named at most, each once, whatever stands behind its #", () => {
  const html = Array.from({ length: 40 }, (_, i) => `<a href="/rss/${i}#a">x</a><a href="/rss/${i}">y</a>`).join("");
  const { feeds } = inspectPage({ html, url });
  expect(feeds).toHaveLength(30);
  expect(feeds[0]).toEqual({ url: "https://www.paper.example/rss/0", title: "x" });
});

test.each([
  ["css-1a2b3c", []],
  ["story", [".story"]],
  ["jsx-body", []],
  ["camelCaseOfToolName", []],
  ["a", []],
  ["x".repeat(50), []],
  ["row story-text col main-body", [".story-text", ".main-body"]],
  ["row col wide", [".row", ".col"]],
])("of the classes %p those that somebody chose name what holds the text", (classes, selectors) => {
  expect(inspectPage({ html: `<div class="${classes}">${paragraph.repeat(4)}</div>`, url }).containers).toEqual(
    selectors,
  );
});

test("an element without a name of its own is named by its tag or its property, and those around it follow", () => {
  const inside = (open: string, close: string) =>
    inspectPage({ html: `${open}${paragraph.repeat(4)}${close}`, url }).containers;
  expect(inside("<article>", "</article>")).toEqual(["article"]);
  expect(inside('<div itemprop="articleBody" class="x">', "</div>")).toEqual(['[itemprop="articleBody"]']);
  expect(inside('<div class="page"><section><div class="text">', "</div></section></div>")).toEqual([".text", ".page"]);
});

test("paragraphs of links, and those too short to say anything, hold no text", () => {
  const linked = `<p><a href="/1">${"word ".repeat(12)}</a> more</p>`;
  expect(inspectPage({ html: `<div class="teasers">${linked.repeat(5)}</div>`, url }).containers).toEqual([]);
  expect(
    inspectPage({ html: `<div class="labels">${"<p>Fourteen chars</p>".repeat(9)}</div>`, url }).containers,
  ).toEqual([]);
  expect(
    inspectPage({ html: `<div class="labels">${"<p>Fifteen letters</p>".repeat(9)}</div>`, url }).containers,
  ).toEqual([".labels"]);
});

test("a page that is too long is refused by both", () => {
  const html = "x".repeat(8_000_001);
  expect(() => inspectPage({ html, url })).toThrow("longer than 8000000 characters");
  expect(() => readListPage({ html, url, selector: "a" })).toThrow(ExtractError);
});
