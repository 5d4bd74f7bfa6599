import { expect, test } from "bun:test";
import type { ExtractedPage } from "../../lib/extraction/mod.ts";
import { chooseText, isPageOf } from "./page-text.ts";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, (_, i) => `${word}${i}`).join(" ");

function page(content: string, more: Partial<ExtractedPage> = {}): ExtractedPage {
  return {
    kind: "article",
    selectors: { matched: [], unmatched: [] },
    paywalled: false,
    title: "Title",
    content,
    authors: [],
    publishedAt: null,
    publishedFrom: "none",
    publishedLocal: null,
    modifiedAt: null,
    canonicalUrl: null,
    language: "en",
    image: null,
    category: "",
    method: "blocks",
    quality: 0.9,
    nextPages: [],
    ...more,
  };
}

function entry(content: string, summary = ""): DiscoveredEntry {
  return {
    url: "https://example.org/a",
    title: "Title",
    publishedAt: null,
    updatedAt: null,
    author: "",
    categories: [],
    summary,
    content,
    image: null,
  };
}

test("the page's text is taken, also where the feed gives one", () => {
  expect(chooseText(page(words(100)), entry(words(300, "feed")))).toMatchObject({ from: "page", quality: 0.9 });
});

test("the feed's text is taken where the page's is doubtful and much shorter", () => {
  const doubtful = page(words(100), { quality: 0.2 });
  expect(chooseText(doubtful, entry(words(300, "feed")))?.from).toBe("feed");
  expect(chooseText(doubtful, entry(words(90, "feed")))?.from).toBe("page");
  expect(chooseText({ ...doubtful, method: "profile" }, entry(words(300, "feed")))?.from).toBe("page");
});

test.each(["listing", "block-page", "consent-page", "error-page", "empty"] as const)(
  "the feed's text stands in for a page that is a %s",
  (kind) => {
    expect(chooseText(page(words(100), { kind }), entry(words(100, "feed")))?.from).toBe("feed");
    expect(chooseText(page(words(100), { kind }), entry(""))).toBeNull();
  },
);

test("a text under 200 characters is none, wherever it comes from", () => {
  expect(chooseText(page("x".repeat(199)), entry("y".repeat(199)))).toBeNull();
  expect(chooseText(page("x".repeat(200)), entry(""))?.from).toBe("page");
  expect(chooseText(null, entry("𝒳".repeat(150)))).toBeNull();
});

test("a teaser is no text: a short summary, or one that goes on elsewhere", () => {
  expect(chooseText(null, entry("", words(50)))).toBeNull();
  expect(chooseText(null, entry("", words(100)))?.from).toBe("feed");
  for (const end of ["…", "...", " [&hellip;]", " [...]", " Read more »", " اقرأ المزيد"]) {
    expect(chooseText(null, entry(`${words(100)}${end}`))).toBeNull();
  }
});

test("a profile may leave no choice", () => {
  const [full, teaser] = [entry(words(300, "feed")), entry(`${words(100, "feed")} …`)];
  expect(chooseText(page(words(100)), full, "feed")?.from).toBe("feed");
  expect(chooseText(null, teaser, "feed")?.from).toBe("feed");
  expect(chooseText(null, entry("short"), "feed")).toBeNull();
  expect(chooseText(null, full, "page")).toBeNull();
  expect(chooseText(page(words(100), { quality: 0.1 }), full, "page")?.from).toBe("page");
});

const first = "https://www.a.example/news/bridge-1";

test.each([
  [first, "https://www.a.example/news/bridge-1/2", 2, true],
  [first, "https://www.a.example/news/bridge-1/2/", 2, true],
  [first, "https://a.example/news/bridge-1/page/2", 2, true],
  [first, "https://www.a.example/news/bridge-1?page=2", 2, true],
  ["https://a.example/bridge.html", "https://a.example/bridge-2.html", 2, true],
  ["https://a.example/bridge.html", "https://a.example/bridge_3.html", 3, true],
  ["https://a.example/?p=12", "https://a.example/?p=12&page=2", 2, true],
  [first, "https://www.a.example/news/bridge-1?page=3", 2, false],
  [first, "https://www.a.example/news/bridge-1?sort=2", 2, false],
  [first, "https://www.a.example/news/bridge-2", 2, false],
  [first, "https://www.a.example/news/flood", 2, false],
  ["https://a.example/?p=1", "https://a.example/?p=2", 2, false],
  ["https://a.example/news/bridge", "https://a.example/news/bridge-2", 2, false],
  ["https://a.example/2024/05/1", "https://a.example/2024/05/2", 2, false],
  [first, "https://b.example/news/bridge-1/2", 2, false],
  [first, "no address", 2, false],
])("%s goes on at %s as page %i: %p", (from, address, number, expected) => {
  expect(isPageOf(from, address, number)).toBe(expected);
});
