import { expect, test } from "bun:test";
import { ExtractError } from "../item.ts";
import { absoluteUrl, baseUrl, findCanonical, findNextPages } from "./addresses.ts";
import { parsePage } from "./dom.ts";
import { readMeta } from "./metadata.ts";

const own = "https://www.news.example/world/1?utm_source=x";
const canonical = (head: string, url = own) => {
  const document = parsePage(`<head>${head}</head>`);
  return findCanonical(document, null, readMeta(document), url);
};
const link = (href: string) => `<link rel="canonical" href="${href}">`;
const ogUrl = (content: string) => `<meta property="og:url" content="${content}">`;

test("an ampersand that was escaped twice parts parameters as any", () => {
  for (const twice of ["&amp;", "&#38;", "&#038;", "&#x26;", "&amp;amp;"]) {
    expect(absoluteUrl(`/x?a=1${twice}b=2${twice}c`, "https://a.example/")).toBe("https://a.example/x?a=1&b=2&c");
  }
  expect(absoluteUrl("/x?a=1&ampere=2", "https://a.example/")).toBe("https://a.example/x?a=1&ampere=2");
  expect(absoluteUrl(`/${"x".repeat(30_000)}`, "https://a.example/")).toBeNull();
});

test("the canonical address is that of the link, else of Open Graph, absolute", () => {
  expect(canonical(link("/world/1") + ogUrl("https://news.example/other"))).toBe("https://www.news.example/world/1");
  expect(canonical(ogUrl("https://news.example/world/1"))).toBe("https://news.example/world/1");
  expect(canonical("")).toBeNull();
});

test.each([
  ["the front page", link("https://www.news.example/")],
  ["another site", link("https://other.example.org/world/1")],
  ["a script", link("javascript:void(0)")],
  ["nothing", link("")],
])("a canonical address that points to %s is refused", (_, head) => {
  expect(canonical(head)).toBeNull();
  expect(canonical(head + ogUrl("https://m.news.example/world/1"))).toBe("https://m.news.example/world/1");
});

test("the front page may call itself canonical", () => {
  expect(canonical(link("https://news.example/"), "https://news.example/")).toBe("https://news.example/");
});

test("only addresses of the web are taken, relative ones by the page's base", () => {
  expect(absoluteUrl("a b", "https://a.example/x/")).toBe("https://a.example/x/a%20b");
  for (const address of ["", " ", "mailto:a@b", "data:text/html,x", "//", null]) {
    expect(absoluteUrl(address, "https://a.example/")).toBeNull();
  }
  expect(absoluteUrl("relative", "")).toBeNull();
  expect(baseUrl(parsePage('<base href="/b/"><p>x</p>'), "https://a.example/x")).toBe("https://a.example/b/");
});

const url = "https://a.example/news/1";
const find = (html: string, selector?: string) => findNextPages(parsePage(html), url, selector);

test("rel=next leads on, on the same site and not to the page itself", () => {
  const links = `<link rel="next" href="/news/1/2"><a rel="next" href="https://b.example/2">x</a><a rel="next nofollow" href="/news/1#two">x</a>`;
  expect(find(links)).toEqual(["https://a.example/news/1/2"]);
});

test("a selector may name the link, an element in it or one around it", () => {
  const html = `<div class="pager"><a href="?page=2">2</a></div><a href="?page=3"><span class="on">on</span></a>`;
  expect(find(html, ".pager")).toEqual(["https://a.example/news/1?page=2"]);
  expect(find(html, ".on")).toEqual(["https://a.example/news/1?page=3"]);
  expect(find(html, ".none")).toEqual([]);
  expect(() => find(html, "a[")).toThrow(ExtractError);
});
