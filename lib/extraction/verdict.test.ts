import { expect, test } from "bun:test";
import { extractPage } from "./extract.ts";

const url = "https://news.example/world/a-story";
const kind = (html: string, at = url) => extractPage({ html, url: at }).kind;
const sentence =
  "The ministry said on Monday that cookies and consent were discussed at length, and that access denied was no answer.";
const article = (title: string) =>
  `<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${`<p>${sentence} ${sentence}</p>`.repeat(12)}</body></html>`;
const links = Array.from({ length: 120 }, (_, i) => `<li><a href="/s/${i}">Story number ${i}</a></li>`).join("");

test.each([
  ["block-page", "<title>Just a moment...</title><p>Checking your browser before you go on.</p>"],
  ["block-page", "<title>example.com</title><p>Please enable JavaScript and cookies to continue. Ray ID: 8d1f</p>"],
  ["block-page", "<title>Access denied</title><p>You have been blocked.</p>"],
  ["block-page", "<title>تحقق</title><p>تحقق من أنك إنسان</p>"],
  ["consent-page", "<title>Before you continue to the site</title><button>Reject all</button>"],
  ["consent-page", "<title>خصوصيتك</title><p>نستخدم ملفات تعريف الارتباط. الموافقة على الكل</p>"],
  ["error-page", "<title>404 - Page not found</title><p>Sorry.</p>"],
  ["error-page", "<title>الصفحة غير موجودة</title><p>عذرا</p>"],
  ["empty", "<html><body><script>render()</script></body></html>"],
  ["listing", `<title>World</title><ul>${links}</ul>`],
])("a %s is no article: %s", (expected, html) => {
  expect<string>(kind(html)).toBe(expected);
});

test.each([
  "Just a moment: what it takes",
  "Before you continue: cookie consent explained",
  "404 reasons to vote",
  "Access denied at the border",
])("an article about such pages is one: %s", (title) => {
  expect(kind(article(title))).toBe("article");
});

test("a front page is a listing, whatever text it has", () => {
  expect(kind(article("News Example"), "https://news.example/")).toBe("listing");
});

test.each([
  "https://news.example/?p=123",
  "https://news.example/index.php?id=5",
  "https://news.example/ar/?NewsID=90211&utm_source=rss",
  "https://news.example/Default.aspx?story=the-bridge-is-closed",
])("an article that its query names is one: %s", (at) => {
  expect(kind(article("The bridge is closed"), at)).toBe("article");
  // A page of links at such an address stays what it is.
  expect(kind(`<title>World</title><ul>${links}</ul>`, at)).toBe("listing");
});

test.each([
  "https://news.example/?page=2",
  "https://news.example/index.php?cat_id=5",
  "https://news.example/ar/?utm_id=7&lang=ar",
  "https://news.example/?PHPSESSID=8812",
])("a front page with other parameters stays a listing: %s", (at) => {
  expect(kind(article("News Example"), at)).toBe("listing");
});

test("a list of links is a listing although the list is taken for its text", () => {
  const many = Array.from({ length: 200 }, (_, i) => `<p><a href="/s/${i}">The story of day number ${i}, told</a></p>`);
  expect(kind(`<title>World</title><div class="article-body">${many.join("")}</div>`)).toBe("listing");
});
