import { expect, test } from "bun:test";
import { processorMs } from "./testing-processor.ts";
import {
  boundMarks,
  errorMessage,
  isDecodable,
  isObject,
  nearestName,
  parseJson,
  parseJsonObject,
  scrub,
  sizeText,
  trimEnd,
} from "./text.ts";

test("removes what matches at the end, and nothing else", () => {
  expect(trimEnd("a/b//", /\//)).toBe("a/b");
  expect(trimEnd(" who? !؟", /[\s?!؟]/)).toBe(" who");
  expect(trimEnd("???", /\?/)).toBe("");
  expect(trimEnd("a/b", /\//)).toBe("a/b");
  expect(trimEnd("", /\//)).toBe("");
});

test("goes by code points", () => {
  expect(trimEnd("a😀😀", /[^\p{L}]/u)).toBe("a");
  expect(trimEnd("𝒜", /[^\p{L}]/u)).toBe("𝒜");
  expect(trimEnd("a\ud83d", /[^\p{L}]/u)).toBe("a");
  expect(trimEnd("\ude00", /[^\p{L}]/u)).toBe("");
});

test("runs within the text cost nothing", async () => {
  const text = `${"/".repeat(200_000)}x`;
  expect(await processorMs(() => trimEnd(text, /\//))).toBeLessThan(50);
});

test("thirty marks on a letter are left, and what no letter has in any writing is not", () => {
  const vowelled = `${"بِسْمِ اللَّهِ الرَّحْمَٰنِ ".repeat(5)}e${"\u0301".repeat(30)}`;
  expect(boundMarks(vowelled)).toBe(vowelled);
  expect(boundMarks(`a${"\u064b\u0301".repeat(20)}b${"\u0301".repeat(31)}`)).toBe(
    `a${"\u064b\u0301".repeat(15)}b${"\u0301".repeat(30)}`,
  );
});

const NAMES = ["feeds", "list_pages", "SEARCH_CONCURRENCY"];

test("nearestName() finds what was meant, the nearest first, and nothing for what is another word", () => {
  expect(nearestName("feed", NAMES)).toBe("feeds");
  expect(nearestName("Feeds", NAMES)).toBe("feeds");
  expect(nearestName("listpage", NAMES)).toBe("list_pages");
  expect(nearestName("SEARCH_CONCURENCY", NAMES)).toBe("SEARCH_CONCURRENCY");
  expect(nearestName("fees", ["feel", "feeds"])).toBe("feel");
  expect(nearestName("sitemaps", NAMES)).toBeUndefined();
});

test.each(["", "plain", "%41", "%D8%A7", "%00", "سؤال"])("%p can be decoded", (text) => {
  expect(isDecodable(text)).toBe(true);
});

test.each(["%", "100%", "%4", "%zz", "%FF", "%D8", "%ED%A0%80"])("%p cannot be decoded", (text) => {
  expect(isDecodable(text)).toBe(false);
});

test("user, password and secret query fields of every address are left out", () => {
  expect(scrub("connect postgres://isnad:p%40ss@db:5432/isnad failed, then redis://:pw@cache")).toBe(
    "connect postgres://db:5432/isnad failed, then redis://cache",
  );
  expect(scrub("https://a.test/feed?lang=ar&api_key=abc&x-amz-signature=d/e#top")).toBe(
    "https://a.test/feed?lang=ar&api_key=-&x-amz-signature=-#top",
  );
  expect(scrub("https://a.test/?auth=1&author=Huda")).toBe("https://a.test/?auth=-&author=Huda");
});

test("what is no credential stays", () => {
  for (const text of ["huda@news.test wrote", "https://a.test/@huda/posts?page=2", "a?token=1", "time 12://", ""])
    expect(scrub(text)).toBe(text);
});

test("errorMessage() is the message of an error, or its name", () => {
  expect(errorMessage(new TypeError("not a number"))).toBe("not a number");
  expect(errorMessage(new RangeError())).toBe("RangeError");
});

test("errorMessage() takes whatever else is thrown as text", () => {
  expect(errorMessage("gone")).toBe("gone");
  expect(errorMessage(undefined)).toBe("undefined");
  expect(errorMessage(Object.create(null, { toString: { value: () => "odd" } }))).toBe("odd");
});

test.each([
  [0, "0 B"],
  [1, "1 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [1_049, "1.0 kB"],
  [1_550, "1.6 kB"],
  [999_900, "999.9 kB"],
  [1_000_000, "1.0 MB"],
  [2_500_000_000, "2.5 GB"],
  [3e12, "3.0 TB"],
  [4e15, "4000.0 TB"],
])("%p bytes are shown as %s", (count, shown) => {
  expect(sizeText(count)).toBe(shown);
});

test("isObject() takes objects alone", () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isObject)).toBe(true);
  expect([null, undefined, [], "x", 1, () => 1].some(isObject)).toBe(false);
});

test("parseJson() gives the value of a text, undefined for what is no JSON", () => {
  expect(parseJson('[1, "x"]')).toEqual([1, "x"]);
  expect(parseJson("null")).toBeNull();
  for (const text of ["", "{", "undefined", "<html>"]) expect(parseJson(text)).toBeUndefined();
});

test("parseJsonObject() takes objects alone", () => {
  expect(parseJsonObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ["[]", "null", "1", "{"]) expect(parseJsonObject(text)).toBeUndefined();
});
