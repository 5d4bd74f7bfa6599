import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { parseArticle, readNewsroom, readWire } from "./newsroom.ts";

const articles = readNewsroom();

test("the newsroom has about 40 articles, Arabic and English", () => {
  const arabic = articles.filter((article) => article.lang === "ar").length;
  expect(articles.length).toBeGreaterThanOrEqual(38);
  expect(arabic).toBeGreaterThanOrEqual(22);
  expect(articles.length - arabic).toBeGreaterThanOrEqual(14);
});

test.each(articles.map((article) => [article.slug, article] as const))(
  "%s keeps the limits of the ingest route with room to spare",
  (_slug, { title, content, publishedAt }) => {
    expect(Array.from(content.replace(/\s+/g, " ")).length).toBeWithin(500, 1200);
    expect(Array.from(title).length).toBeWithin(20, 120);
    expect(publishedAt).toMatch(/^2026-0[1-3]-\d\dT/);
  },
);

test("slugs, titles and texts are all different", () => {
  for (const key of ["slug", "title", "content"] as const) {
    expect(new Set(articles.map((article) => article[key])).size).toBe(articles.length);
  }
});

test("the profile maps every section to a category of the taxonomy, and at least eight categories occur", () => {
  const file = readFileSync(new URL("../../profiles/demo.json", import.meta.url), "utf8");
  const { category_map: map }: { category_map: Record<string, string> } = JSON.parse(file);
  const known = new Set(loadTaxonomy().categories);
  const categories = articles.map(({ section }) => map[section] ?? "");
  expect(categories.filter((category) => !known.has(category))).toEqual([]);
  expect(new Set(categories).size).toBeGreaterThanOrEqual(8);
});

test("Arabic texts are Arabic and carry diacritics, English texts are English", () => {
  for (const { lang, content } of articles) {
    const arabic = content.match(/\p{Script=Arabic}/gu)?.length ?? 0;
    expect(arabic / content.length > 0.5).toBe(lang === "ar");
    expect(lang === "en" || /[\u064B-\u0652]/.test(content)).toBe(true);
  }
});

test("a file without one of the header lines, or without text, is refused by name", () => {
  const whole = "title: t\ndate: 2026-01-01\nauthor: a\ncategory: c\n\nText.";
  expect(parseArticle(whole, "en", "x").content).toBe("Text.");
  for (const part of ["title: t\n", "author: a\n", "\n\nText."]) {
    expect(() => parseArticle(whole.replace(part, ""), "en", "x")).toThrow("en/x.md");
  }
});

test("reports of other papers are of three sources, in the order of their names", () => {
  expect(readWire().map(({ slug }) => slug)).toEqual(["coast-weekly", "sahlan-courier", "sahlan-news-agency"]);
});
