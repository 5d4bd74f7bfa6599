import { expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import { checkItem } from "@isnad/lib/ingest";
import { newsdataResult } from "../../../testing/newsdata-site.ts";
import { newsdataItem } from "./item.ts";

const taxonomy = loadTaxonomy();
const item = (over: Record<string, unknown> = {}) => newsdataItem(newsdataResult(1, over), { key: "desk" }, taxonomy);
const errorOf = (over: Record<string, unknown>) => {
  const checked = checkItem(item(over));
  return "error" in checked ? checked.error.type : undefined;
};

test("a documented result is a valid item of the source that was pulled", () => {
  expect(checkItem(item())).toMatchObject({ item: { sourceId: "desk", externalId: "a0001", provider: "newsdata" } });
});

test.each([
  ["UTC", "2025-11-10T05:30:59Z"],
  [null, "2025-11-10T05:30:59Z"],
  ["Asia/Dubai", "2025-11-10T01:30:59Z"],
  ["Mars/Olympus", undefined],
])("a time in zone %p is %p", (pubDateTZ, expected) => {
  expect(item({ pubDate: "2025-11-10 05:30:59", pubDateTZ }).published_at).toBe(expected);
});

test.each([
  ["arabic", "ar"],
  ["English", "en"],
  ["ar", "ar"],
  ["marathi", "marathi"],
  [null, undefined],
])("language %p is %p", (language, expected) => expect(item({ language }).lang).toBe(expected));

test("fields of other types than documented neither stop it nor get through", () => {
  const odd = { creator: "Mona Haddad", category: "sports", image_url: 7, keywords: { a: 1 }, pubDate: 20251110 };
  expect(item(odd)).toMatchObject({ authors: ["Mona Haddad"], category_label: "sports", raw: { keywords: null } });
  expect(item(odd)).not.toHaveProperty("images");
  expect(errorOf(odd)).toBeUndefined();
});

test("what is missing is for the admission to name", () => {
  expect(errorOf({ article_id: null })).toBe("/errors/missing-field");
  expect(errorOf({ link: null })).toBe("/errors/missing-field");
  expect(errorOf({ title: null })).toBe("/errors/invalid-title");
  expect(errorOf({ content: null, description: null })).toBe("/errors/content-too-short");
  expect(errorOf({ language: "hindi" })).toBe("/errors/unsupported-language");
});
