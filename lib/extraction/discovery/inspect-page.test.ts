import { expect, test } from "bun:test";
import { ExtractError } from "../mod.ts";
import { inspectPage } from "./inspect-page.ts";

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
