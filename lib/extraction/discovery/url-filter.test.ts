import { expect, test } from "bun:test";
import { createUrlFilter } from "./url-filter.ts";

const passes = (path: string, keep: string[], block: string[] = []) =>
  createUrlFilter({ keep, block })(`https://a.example${path}`);

test.each([
  ["/news/1", ["/news/"], [], true],
  ["/sport/1", ["/news/"], [], false],
  ["/sport/1", ["/news/", "/sport/"], [], true],
  ["/news/video/1", ["/news/"], ["*/video/"], false],
  ["/news/1.html", ["*.html$"], [], true],
  ["/news/1.html?amp=1", ["*.html$"], [], false],
  ["/?p=12", ["/?p="], [], true],
  ["/news/1?amp=1", [], ["*amp="], false],
  ["/أخبار/1", ["/أخبار/"], [], true],
  ["/%D8%A3%D8%AE%D8%A8%D8%A7%D8%B1/1", ["/أخبار/"], [], true],
  ["/news/1", [], [], true],
])("%s passes keep %p and block %p: %p", (path, keep, block, expected) => {
  expect(passes(path, keep, block)).toBe(expected);
});

test("a pattern of many stars takes time in proportion to the address", () => {
  const pattern = `/${"*a".repeat(200)}$`;
  expect(passes(`/${"a".repeat(100_000)}b`, [pattern])).toBe(false);
});

test("what is no address does not pass", () => {
  expect(createUrlFilter({})("no address")).toBe(false);
});
