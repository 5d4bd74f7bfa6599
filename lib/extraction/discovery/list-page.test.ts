import { expect, test } from "bun:test";
import { ExtractError } from "../mod.ts";
import { readListPage } from "./list-page.ts";

const url = "https://news.a.example/world/";
const read = (html: string, selector: string, anySite = false) => readListPage({ html, url, selector, anySite }).links;

test("links come absolute, once, in the order of the page, with their longest text", () => {
  const html = `<base href="https://news.a.example/base/"><ul><li class="item"><a href="1#top"><img src="x"></a><h3><a href="1">First&nbsp;of <b>all</b></a></h3></li>
    <li class="item"><a href="/2?x=1&amp;y=2">Second</a></li><li class="item">no link</li><li class="item"><a href="${url}#a">self</a></li></ul>`;
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
  expect(readListPage({ html, url, selector: "a" }).next).toBe(`${url}?page=2`);
  expect(readListPage({ html, url, selector: "a", next: ".more" }).next).toBe("https://news.a.example/all");
  expect(readListPage({ html: "<a href='/1'>1</a>", url, selector: "a" }).next).toBeNull();
});
