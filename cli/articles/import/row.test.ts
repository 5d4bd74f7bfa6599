import { expect, test } from "bun:test";
import { readMapping } from "./mapping.ts";
import { firstSentence, mapRow, syntheticUrl } from "./row.ts";

const usual = readMapping([], []);
const TEXT = "نص طويل يكفي وحده. ".repeat(15).trim();

const arabic = {
  id: "AL-1",
  lang: "ar",
  source: "almarfa",
  category: "culture",
  url: "http://almarfa.example/1",
  published: "Sun, 18 Feb 2018 21:35:43 +0400",
  author: "سليم الناصر",
  title: "عنوان",
  abstract: "نص طويل يكفي",
  text: TEXT,
};

test("a row of the Arabic archives becomes an item with every field in its place", () => {
  expect(mapRow(arabic, usual)).toEqual({
    item: {
      source_id: "almarfa",
      external_id: "AL-1",
      url: "http://almarfa.example/1",
      title: "عنوان",
      content: TEXT,
      lang: "ar",
      published_at: "2018-02-18T17:35:43.000Z",
      authors: ["سليم الناصر"],
      images: [],
      raw: { provider: "almarfa" },
      category_label: "culture",
      provider: "almarfa",
    },
    derived: [],
  });
});

test("a row without URL gets a stable one under a domain that cannot exist", () => {
  const { url: _, ...row } = arabic;
  const { item, derived } = mapRow(row, usual);
  expect(item.url).toBe("https://almarfa.invalid/AL-1");
  expect(mapRow(row, usual).item.url).toBe("https://almarfa.invalid/AL-1");
  expect(derived).toEqual(["url"]);
});

test("synthetic URLs are valid and differ wherever source or id differ", () => {
  const pairs = [
    ["Harbour Post", "a/1"],
    ["Harbour Post", "a 1"],
    ["المرفأ", "1"],
    ["المرسى", "1"],
    ["", "1"],
  ] as const;
  const urls = pairs.map(([source, id]) => syntheticUrl(source, id));
  expect(new Set(urls.map((url) => new URL(url).href)).size).toBe(pairs.length);
  expect(urls[0]).toBe("https://harbour-post.invalid/a%2F1");
  expect(urls[2]).toStartWith("https://import.invalid/");
});

test("a row without title gets its first sentence", () => {
  const { item, derived } = mapRow({ ...arabic, title: "  ", text: `الجملة الأولى في هذا النص. ${TEXT}` }, usual);
  expect(item.title).toBe("الجملة الأولى في هذا النص.");
  expect(derived).toEqual(["title"]);
});

test("a long first sentence is cut at a word, and no character is cut in two", () => {
  expect(firstSentence(`${"word ".repeat(60)}end.`)).toMatch(/^(word ){31}word…$/);
  expect(firstSentence("🜂".repeat(200)).isWellFormed()).toBe(true);
  expect(firstSentence("Mr. Hale left the harbour at dawn. Others stayed.")).toBe("Mr. Hale left the harbour at dawn.");
});

test("a text too short to stand alone is preceded by its lead, unless that is already in it", () => {
  const short = "** جميع المقالات تمثل رأي كتابها.";
  const joined = mapRow({ ...arabic, abstract: "هذا هو المدخل الذي يحمل الخبر كله", text: short }, usual);
  expect(joined.item.content).toBe(`هذا هو المدخل الذي يحمل الخبر كله\n${short}`);
  expect(joined.derived).toEqual(["lead"]);
  expect(mapRow({ ...arabic, abstract: "جميع المقالات", text: short }, usual).item.content).toBe(short);
  expect(mapRow({ ...arabic, abstract: "مدخل آخر" }, usual).item.content).toBe(TEXT);
});

test("as it is means as it is: gaps stay gaps for the ingest route to judge", () => {
  const { item, derived } = mapRow({ id: "1", source: "s", text: "short", abstract: "lead" }, usual, { derive: false });
  expect(item).toEqual({
    source_id: "s",
    external_id: "1",
    content: "short",
    lang: null,
    published_at: null,
    authors: [],
    images: [],
    raw: { provider: "s" },
  });
  expect(derived).toEqual([]);
});

test("a date that cannot be read is kept in raw, and the item goes without one", () => {
  const { item, derived } = mapRow({ ...arabic, published: "last spring" }, usual);
  expect(item.published_at).toBeNull();
  expect(item.raw).toEqual({ provider: "almarfa", published_at: "last spring" });
  expect(derived).toEqual(["date-unreadable"]);
});

test("an item of the ingest route passes through unchanged", () => {
  const item = {
    source_id: "s",
    external_id: "1",
    url: "https://s.example/1",
    canonical_url: "https://s.example/one",
    title: "t",
    content: TEXT,
    lang: null,
    published_at: "2026-01-02T03:04:05.000Z",
    authors: ["a", "b"],
    images: ["https://s.example/1.jpg"],
    raw: { provider: "p", page: 3 },
    category_label: "sport",
    provider: "p",
  };
  expect(mapRow(item, usual)).toEqual({ item, derived: [] });
});

test("the first of several category labels is sent, and a regional language as its language", () => {
  const { item } = mapRow({ ...arabic, category: "grain, wheat", lang: "ar-EG", id: 7 }, usual);
  expect([item.category_label, item.lang, item.external_id]).toEqual(["grain", "ar", "7"]);
});

test("other columns and fixed values are named by --map and --set", () => {
  const mapping = readMapping(["content=body.plain", "external_id=key"], ["source_id=archive=2", "lang=en"]);
  const { item } = mapRow({ key: "k", title: "t", body: { plain: TEXT }, source: "ignored" }, mapping);
  expect([item.source_id, item.external_id, item.content, item.lang]).toEqual(["archive=2", "k", TEXT, "en"]);
});

test.each([
  ["--map", ["colour=red"], []],
  ["--map", ["title"], []],
  ["--set", [], ["lang="]],
])("%s with %p %p is wrong usage", (option, maps, sets) => {
  expect(() => readMapping(maps, sets)).toThrow(option);
});
