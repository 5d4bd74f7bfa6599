import { expect, test } from "bun:test";
import { ExtractError } from "../item.ts";
import { parsePage } from "../page/dom.ts";
import { findNextPages } from "./next-pages.ts";

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
