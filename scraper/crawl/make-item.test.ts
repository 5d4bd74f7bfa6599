import { describe, expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { contentHash } from "@isnad/lib/text";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";
import type { ExtractedPage } from "../../lib/extraction/extract.ts";
import { chooseText, createCategorizer, hashOf, isPageOf, type ItemParts, makeItem } from "./make-item.ts";
import { storyText } from "./testing.ts";
import type { CrawlProfile } from "./types.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const PROFILE: CrawlProfile = { name: "p", provider: "prov", language: "ar", source: { id: "src" } };
const ENTRY: ItemParts["entry"] = {
  url: "https://example.org/a-1",
  title: "Bridge closed",
  publishedAt: "2026-11-20T10:00:00Z",
  updatedAt: null,
  author: "A. Writer, B. Author",
  categories: [],
  summary: "",
  content: "",
  image: "https://example.org/feed.jpg",
};
const PAGE: ExtractedPage = {
  kind: "article",
  title: "Bridge closed",
  content: storyText("x"),
  authors: ["C. Page"],
  publishedAt: "2026-11-19T00:00:00Z",
  publishedFrom: "metadata",
  publishedLocal: "2026-11-19T00:00:00Z",
  modifiedAt: "2026-11-20T12:00:00Z",
  canonicalUrl: null,
  language: "en",
  image: "https://example.org/page.jpg",
  category: "World",
  method: "blocks",
  selectors: { matched: [], unmatched: [] },
  paywalled: false,
  quality: 0.8,
  nextPages: [],
};

function make(more: Partial<ItemParts> = {}) {
  return makeItem({
    profile: PROFILE,
    entry: ENTRY,
    page: PAGE,
    chosen: { text: PAGE.content, from: "page", quality: 0.8 },
    id: "id",
    url: ENTRY.url,
    canonicalUrl: ENTRY.url,
    category: { canonical: "world", label: "World" },
    now: NOW,
    ...more,
  });
}

test("page and listing are put together, each for what it knows better", () => {
  expect(make()).toEqual({
    id: "id",
    sourceId: "src",
    source: "src",
    url: ENTRY.url,
    canonicalUrl: ENTRY.url,
    title: "Bridge closed",
    content: PAGE.content,
    publishedAt: "2026-11-20T10:00:00Z",
    language: "en",
    category: "world",
    categoryLabel: "World",
    provider: "prov",
    authors: ["C. Page"],
    images: ["https://example.org/page.jpg", "https://example.org/feed.jpg"],
    details: {
      profile: "p",
      text: { from: "page", method: "blocks", quality: 0.8 },
      updated_at: "2026-11-20T12:00:00Z",
    },
  });
});

test("without a page, the listing says everything", () => {
  const chosen = { text: storyText("y"), from: "feed" as const, quality: 0.6 };
  expect(make({ page: null, chosen })).toMatchObject({
    title: "Bridge closed",
    authors: ["A. Writer", "B. Author"],
    images: ["https://example.org/feed.jpg"],
    details: { text: { from: "feed", method: null }, updated_at: null },
  });
});

test.each([
  ["Bridge closed | Example News", "Bridge closed", "Bridge closed"],
  ["Bridge closed after flood", "Bridge closed", "Bridge closed after flood"],
  ["Bridge", "Bridge closed", "Bridge closed"],
  ["Bridge closed", "Video: Bridge closed", "Bridge closed"],
  ["Bridge", "Bridge clo...", "Bridge"],
  ["", "Bridge <b>closed</b>", "Bridge closed"],
  ["Bridge closed", "", "Bridge closed"],
])("of the page's title %j and the listing's %j, %j is taken", (own, listed, title) => {
  expect(make({ page: { ...PAGE, title: own }, entry: { ...ENTRY, title: listed } }).title).toBe(title);
});

test("what the profile selects on the page goes before the listing", () => {
  const profile = { ...PROFILE, article: { title: "h1", published_at: "time" } };
  const made = make({ profile, page: { ...PAGE, title: "Bridge" } });
  expect([made.title, made.publishedAt]).toEqual(["Bridge", "2026-11-19T00:00:00Z"]);
});

test("the beginning of an article behind a paywall says so, the whole text of its feed does not", () => {
  const page = { ...PAGE, paywalled: true };
  expect(make({ page }).details.paywalled).toBe(true);
  expect(make({ page, chosen: { text: storyText("y"), from: "feed", quality: 0.6 } }).details).not.toHaveProperty(
    "paywalled",
  );
});

test("a listing's title and names keep no character that turns the text around", () => {
  const entry = { ...ENTRY, title: "\u202eBridge\u202c closed\u200f", author: "\u2067A. Writer\u2069" };
  expect(make({ page: null, entry })).toMatchObject({ title: "Bridge closed", authors: ["A. Writer"] });
});

test("a time that is still to come is no time of publication", () => {
  const entry = { ...ENTRY, publishedAt: "2027-01-01T00:00:00Z" };
  expect(make({ entry }).publishedAt).toBe("2026-11-19T00:00:00Z");
  expect(make({ entry, page: null }).publishedAt).toBeNull();
});

test("without a time of publication, that of a change is the next best", () => {
  const [undated, page] = [
    { ...ENTRY, publishedAt: null },
    { ...PAGE, publishedAt: null },
  ];
  expect(make({ entry: undated, page }).publishedAt).toBe("2026-11-20T12:00:00Z");
  const updatedAt = "2026-11-18T00:00:00Z";
  expect(make({ entry: { ...undated, updatedAt }, page }).publishedAt).toBe(updatedAt);
});

test("the language is the text's own, whatever the page or the profile say", () => {
  const arabic = Array.from({ length: 5 }, () => "قرر مجلس المحافظة إغلاق الجسر القديم فوق النهر لإجراء إصلاحات").join(
    " ",
  );
  const french = Array.from(
    { length: 5 },
    () => "Le conseil de la province a décidé que le pont sera fermé pour des travaux",
  ).join(". ");
  const of = (text: string, language: string | null) =>
    make({
      entry: { ...ENTRY, title: "" },
      page: { ...PAGE, title: "", language },
      chosen: { text, from: "page", quality: 1 },
    }).language;
  expect([of(arabic, "en"), of(french, "fr"), of(french, "en"), of("1 2 3", "ar"), of("1 2 3", null)]).toEqual([
    "ar",
    "fr",
    "other",
    "ar",
    "ar",
  ]);
});

test("a text does not repeat its title, and both are cut to the limits of the ingest contract", () => {
  const chosen = { text: `Bridge closed\n\n${"x".repeat(200_001)}`, from: "page" as const, quality: 1 };
  expect(make({ chosen }).content).toBe("x".repeat(200_000));
  expect([...make({ page: { ...PAGE, title: "é".repeat(600) } }).title].length).toBe(512);
  expect(make({ page: { ...PAGE, authors: Array.from({ length: 30 }, (_, i) => `A${i}`) } }).authors.length).toBe(25);
});

test("an image that is no web address is left out", () => {
  expect(
    make({ page: { ...PAGE, image: "data:image/png;base64,AAAA" }, entry: { ...ENTRY, image: "/i.jpg" } }).images,
  ).toEqual([]);
});

test("the hash is that of the ingest route: white space and compatible forms make no difference", () => {
  const made = make();
  const folded = made.content.replace(/\s+/g, " ");
  expect(hashOf(made)).toBe(contentHash(made.title, folded));
  expect(hashOf({ title: made.title, content: folded })).toBe(hashOf(made));
  expect(hashOf({ title: made.title, content: `${folded} more` })).not.toBe(hashOf(made));
});

const taxonomy = loadTaxonomy();
const [first = "", second = ""] = taxonomy.categories;

test("the first label that the profile's map knows decides, however it is written", () => {
  const categorize = createCategorizer({ provider: "p", category_map: { الرياضة: first, Markets: second } }, taxonomy);
  expect(categorize([null, "unheard of", "رياضه", "markets"])).toEqual({ canonical: second, label: "markets" });
  expect(categorize(["الرِّياضة"])).toEqual({ canonical: first, label: "الرِّياضة" });
});

test("a canonical name stands for itself, and the profile's map goes before the platform's", () => {
  expect(createCategorizer({ provider: "p" }, taxonomy)([first])).toEqual({ canonical: first, label: first });
  const other = createCategorizer({ provider: "p", category_map: { [first]: second } }, taxonomy);
  expect(other([first])).toEqual({ canonical: second, label: first });
});

test("a label that no map knows is kept, and without labels there is nothing", () => {
  const categorize = createCategorizer({ provider: "p", category_map: { x: "no-such-category" } }, taxonomy);
  expect(categorize([" ", "quite unheard of", "x"])).toEqual({ canonical: null, label: "quite unheard of" });
  expect(categorize([null, ""])).toEqual({ canonical: null, label: null });
});

describe("page text", () => {
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
});
