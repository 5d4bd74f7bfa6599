import { describe, expect, test } from "bun:test";
import { extractPage } from "./extract.ts";

describe("extract", () => {
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
    const head =
      '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script></head>';
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
});

describe("verdict", () => {
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
    const many = Array.from(
      { length: 200 },
      (_, i) => `<p><a href="/s/${i}">The story of day number ${i}, told</a></p>`,
    );
    expect(kind(`<title>World</title><div class="article-body">${many.join("")}</div>`)).toBe("listing");
  });
});

describe("what lies in the future", () => {
  const now = Date.parse("2026-05-03T12:00:00Z");
  const publishedOf = (time: string) =>
    extractPage({
      html: `<html><head><meta property="article:published_time" content="${time}"></head><body><h1>Pier to open</h1><p>It opens.</p></body></html>`,
      url: "https://n.example/1",
      now,
    }).publishedAt;

  test.each([
    ["2026-05-03T11:59:00Z", "2026-05-03T11:59:00Z"],
    ["2026-05-04T12:00:00Z", "2026-05-04T12:00:00Z"],
    ["2026-05-04T12:00:00.001Z", null],
    ["2026-05-04T12:00:01Z", null],
    ["2030-01-01", null],
  ])("a date of %s is %p: a day ahead it is today somewhere", (time, published) => {
    expect(publishedOf(time)).toBe(published);
  });
});

test("a text is cut where it is too long, and never within a character", () => {
  const long = "😀".repeat(125_001);
  const { content } = extractPage({
    html: `<html><body><h1>Pier</h1><div class="a">x${long}</div></body></html>`,
    url: "https://n.example/1",
    selectors: { content: ".a" },
  });
  expect(content.length).toBeLessThanOrEqual(250_000);
  expect(content.isWellFormed()).toBe(true);
  expect(content.startsWith("x😀")).toBe(true);
});
