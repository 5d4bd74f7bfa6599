import { expect, test } from "bun:test";
import { column, FIELDS, fieldValue, firstSentence, mapRow, readDate, readMapping, syntheticUrl } from "./map-row.ts";

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

test("every field has its usual columns, its own name among them", () => {
  const { columns } = readMapping([], []);
  for (const field of FIELDS) expect(columns[field]).toContain(field);
});

test("the first column that holds something wins; null and empty count as nothing", () => {
  const mapping = readMapping([], []);
  expect(fieldValue({ content: "", text: null, body: "b" }, "content", mapping)).toBe("b");
  expect(fieldValue({ text: "t", body: "b" }, "content", mapping)).toBe("t");
  expect(fieldValue({ other: 1 }, "content", mapping)).toBeUndefined();
});

test("a mapped column is the only one looked at, and a constant wins over all", () => {
  expect(fieldValue({ text: "t", story: "" }, "content", readMapping(["content=story"], []))).toBeUndefined();
  expect(fieldValue({ lang: "ar" }, "lang", readMapping([], ["lang=en"]))).toBe("en");
});

test("a dot reaches into objects, unless a column has that very name", () => {
  const row = { meta: { source: { id: "deep" } }, "meta.source.id": "flat" };
  expect(column(row, "meta.source.id")).toBe("flat");
  expect(column({ meta: row.meta }, "meta.source.id")).toBe("deep");
  expect(column({ meta: null }, "meta.source")).toBeUndefined();
  expect(column({ meta: "text" }, "meta.length")).toBeUndefined();
});

test("what objects inherit is no column", () => {
  for (const name of ["constructor", "toString", "meta.constructor"])
    expect(column({ meta: {} }, name)).toBeUndefined();
});

test("the last of several settings of one field holds", () => {
  expect(readMapping(["title=a", "title=b"], ["lang=ar", "lang=en"])).toMatchObject({
    columns: { title: ["b"] },
    constants: { lang: "en" },
  });
});

test.each([
  ["Sun, 18 Feb 2018 21:35:43 +0400", "2018-02-18T17:35:43.000Z"],
  ["Sun, 18 Feb 2018 17:21:49 GMT", "2018-02-18T17:21:49.000Z"],
  ["18 February 2018 17:21 EST", "2018-02-18T22:21:00.000Z"],
  ["26-FEB-1987 15:01:01.79", "1987-02-26T15:01:01.000Z"],
  ["3-MAR-1987  09:15:05.40", "1987-03-03T09:15:05.000Z"],
  ["27-MAR-1987 02:17:09.88&#5;&#5;&#5;T C", "1987-03-27T02:17:09.000Z"],
  ["9-APR-1987 00:00:00.00    # date added by guesswork", "1987-04-09T00:00:00.000Z"],
  ["2017-01-20T21:43:00+01:00", "2017-01-20T20:43:00.000Z"],
  ["2017-01-22T185600", "2017-01-22T18:56:00.000Z"],
  ["2012-11-29 17:11:56", "2012-11-29T17:11:56.000Z"],
  ["2012-11-29T17:11:56.123Z", "2012-11-29T17:11:56.000Z"],
  ["2012-11-29", "2012-11-29T00:00:00.000Z"],
  ["17/05/2015", "2015-05-17T00:00:00.000Z"],
  ["17.05.2015 21:35", "2015-05-17T21:35:00.000Z"],
  [" 2018-02-18T00:30:00+0400 ", "2018-02-17T20:30:00.000Z"],
])("%s is read as %s", (text, iso) => {
  expect(readDate(text)).toBe(iso);
});

test("Unix seconds and milliseconds are read alike, as numbers or as digits", () => {
  for (const value of [1_518_975_343, 1_518_975_343_000, "1518975343", "1518975343000"]) {
    expect(readDate(value)).toBe("2018-02-18T17:35:43.000Z");
  }
});

test("a date whose time of day cannot be is read as its midnight", () => {
  expect(readDate("31-MAR-1987 605:12:19.12")).toBe("1987-03-31T00:00:00.000Z");
  expect(readDate("2012-11-29 29:11:56")).toBe("2012-11-29T00:00:00.000Z");
});

test.each(["", "yesterday", "31/02/2015", "2015-13-01", "12-ABC-1987 10:00:00", null, undefined, {}, Number.NaN])(
  "%p is no date",
  (value) => {
    expect(readDate(value)).toBeNull();
  },
);
