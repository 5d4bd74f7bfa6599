import { expect, test } from "bun:test";
import { parsePage } from "./dom.ts";
import { firstMeta, readMeta, statedTitle } from "./meta.ts";

const read = (head: string) => readMeta(parsePage(`<html><head>${head}</head><body></body></html>`));

test("contents stand under each name in lower case, in the order of the page, on one line", () => {
  const tags = read(`<meta name="Author" content=" A.\n Writer "><meta property="author og:x" content="B. Writer">
    <meta itemprop="keywords" value="dam"><meta http-equiv="Refresh" content="5">`);
  expect([...tags]).toEqual([
    ["author", ["A. Writer", "B. Writer"]],
    ["og:x", ["B. Writer"]],
    ["keywords", ["dam"]],
    ["refresh", ["5"]],
  ]);
});

test("an element without a name or a content says nothing, and beyond 500 none is read", () => {
  expect(read('<meta content="x"><meta name="a"><meta name="b" content=" "><meta name="" content="y">').size).toBe(0);
  const many = Array.from({ length: 501 }, (_, i) => `<meta name="n${i}" content="x">`).join("");
  expect([read(many).size, read(many).has("n499"), read(many).has("n500")]).toEqual([500, true, false]);
});

test("the first of several names that is there counts", () => {
  const tags = read('<meta name="b" content="second"><meta name="b" content="third"><meta name="c" content="last">');
  expect(firstMeta(tags, ["a", "b", "c"])).toBe("second");
  expect(firstMeta(tags, ["a"])).toBe("");
});

test("a page's own title is that for links, else that of its window", () => {
  const title = (head: string) => statedTitle(parsePage(`<html><head>${head}</head><body></body></html>`));
  expect(title('<title>Window</title><meta property="og:title" content=" For  links ">')).toBe("For links");
  expect(title('<title>Window</title><meta property="og:title" content=" ">')).toBe("Window");
  expect(title('<meta name="og:title" content="no property">')).toBe("");
});
