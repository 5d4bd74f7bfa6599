import { expect, test } from "bun:test";
import { extractPage } from "./extract.ts";

const sentence =
  "وقالت الوزارة في بيان صدر مساء الاثنين إن الفرق الميدانية واصلت عملها في المدن المتضررة من الفيضانات.";
const paragraphs = Array.from(
  { length: 6 },
  (_, i) => `<p>${sentence} وأضافت أن العدد بلغ ${i + 10}، بحسب مصادر محلية.</p>`,
).join("");
const page = `<html lang="ar"><head><title>الفرق تواصل عملها - موقع الأخبار</title><meta property="og:title" content="الفرق تواصل عملها">
<meta property="og:site_name" content="موقع الأخبار"><meta property="article:published_time" content="2025-05-14T22:30:00+03:00">
<link rel="canonical" href="/news/1"></head><body><nav><a href="/">الرئيسية</a><a href="/sport">رياضة</a></nav>
<article><h1>الفرق تواصل عملها</h1><div class="article-body">${paragraphs}</div></article>
<aside class="related"><h3>اقرأ أيضا</h3><ul><li><a href="/2">خبر آخر</a></li></ul></aside><footer>© حقوق النشر</footer></body></html>`;

test("an Arabic article is found whole, without the page around it", () => {
  const found = extractPage({ html: page, url: "https://news.example/news/1?utm_source=x" });
  expect(found).toMatchObject({
    kind: "article",
    title: "الفرق تواصل عملها",
    publishedAt: "2025-05-14T19:30:00Z",
    canonicalUrl: "https://news.example/news/1",
    language: "ar",
    method: "blocks",
  });
  expect(found.content.split("\n\n").filter((text) => text.startsWith("وقالت"))).toHaveLength(6);
  expect(found.content).not.toContain("اقرأ أيضا");
});

test("a profile's selectors win over what is found in general", () => {
  const selectors = { title: "h3", content: ".article-body", remove: ["p:first-child"] };
  const found = extractPage({ html: page, url: "https://news.example/news/1", selectors });
  expect(found).toMatchObject({ title: "اقرأ أيضا", method: "profile" });
  expect(found.content.split("\n\n")).toHaveLength(5);
});

test("what is no text is refused by name, and no character that turns a text around is kept", () => {
  const bytes = String.fromCharCode(...Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
  for (const html of [bytes, `<p>${"\u0007\u0000x".repeat(50)}`, "\ufffd".repeat(300), "\ue000x".repeat(300)]) {
    expect(() => extractPage({ html, url: "https://news.example/a" })).toThrow(
      expect.objectContaining({ name: "ExtractError", code: "not-text" }),
    );
  }
  const turned = page
    .replaceAll("الفرق تواصل عملها", "\u202eالفرق\u0007 تواصل عملها")
    .replaceAll("بحسب", "\u2067بحسب")
    .replace("</head>", '<meta name="author" content="\u202bليلى\u200f حداد\u202c"></head>');
  const found = extractPage({ html: turned, url: "https://news.example/news/1" });
  expect(found).toMatchObject({ title: "الفرق تواصل عملها", authors: ["ليلى حداد"] });
  expect(found.content).toContain("بحسب مصادر محلية");
  expect(found.content).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test("an article behind a paywall says so, and a short text of it is doubtful", () => {
  const head = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script></head>';
  const found = extractPage({ html: page.replace("</head>", head), url: "https://news.example/news/1" });
  const free = extractPage({ html: page, url: "https://news.example/news/1" });
  expect([found.paywalled, free.paywalled]).toEqual([true, false]);
  expect(found.quality).toBeLessThan(free.quality);
});

test.each([
  ["block-page", "<title>Just a moment...</title><p>Verify you are human. Ray ID: 8d1</p>"],
  ["consent-page", "<title>Before you continue</title><p>Accept all or reject all cookies.</p>"],
  ["error-page", "<title>404 Not Found</title><p>Sorry.</p>"],
  ["empty", "<html><body></body></html>"],
])("a %s is told from an article", (kind, html) => {
  expect(extractPage({ html, url: "https://news.example/a" }).kind).toBe(kind as "empty");
});
