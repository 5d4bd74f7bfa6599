import { expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/config";
import { parseArticle, readNewsroom } from "./newsroom.ts";

const articles = readNewsroom();

test("the newsroom has about 40 articles, Arabic and English", () => {
  const arabic = articles.filter((article) => article.lang === "ar").length;
  expect(articles.length).toBeGreaterThanOrEqual(38);
  expect(arabic).toBeGreaterThanOrEqual(22);
  expect(articles.length - arabic).toBeGreaterThanOrEqual(14);
});

test.each(articles.map((article) => [article.external_id, article] as const))(
  "%s keeps the limits of the ingest route with room to spare",
  (_slug, { title, content, url, published_at }) => {
    expect(Array.from(content.replace(/\s+/g, " ")).length).toBeWithin(500, 1200);
    expect(Array.from(title).length).toBeWithin(20, 120);
    expect(new URL(url).hostname).toEndWith(".example");
    expect(published_at).toMatch(/^2026-0[1-3]-\d\dT/);
  },
);

test("ids, addresses, titles and texts are all different", () => {
  for (const key of ["external_id", "url", "title", "content"] as const) {
    expect(new Set(articles.map((article) => article[key])).size).toBe(articles.length);
  }
});

test("every category label is known to the taxonomy, and at least eight categories occur", () => {
  const taxonomy = loadTaxonomy();
  const categories = articles.map(
    ({ provider, category_label }) => taxonomy.mapLabel(provider, category_label)?.categoryId,
  );
  expect(categories).not.toContain(undefined);
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
