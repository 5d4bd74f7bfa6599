import { expect, test } from "bun:test";
import { type FilterFields, isUnfiltered, matchesFilters, withinDomain } from "./filters.ts";

const AT = Date.parse("2024-05-06T07:08:09Z");
const doc: FilterFields = {
  articleId: 7,
  lang: "ar",
  sourceId: "bbc",
  categoryId: "sport",
  domain: "news.bbc.co.uk",
  tier: 1,
  publishedAt: "2024-05-06T07:08:09.000Z",
};

test("a document passes when every given filter holds", () => {
  expect(matchesFilters(doc, {})).toBe(true);
  expect(matchesFilters(doc, { lang: "ar", source: "bbc", category: "sport", source_tier: 1 })).toBe(true);
  expect(matchesFilters(doc, { lang: "en" })).toBe(false);
  expect(matchesFilters(doc, { source: "cnn" })).toBe(false);
  expect(matchesFilters(doc, { category: "economy" })).toBe(false);
  expect(matchesFilters(doc, { source_tier: 2 })).toBe(false);
});

test("a list of articles narrows to these, and an empty one to none", () => {
  expect(matchesFilters(doc, { articleIds: [3, 7] })).toBe(true);
  expect(matchesFilters(doc, { articleIds: [3, 7], lang: "en" })).toBe(false);
  expect(matchesFilters(doc, { articleIds: [3] })).toBe(false);
  expect(matchesFilters(doc, { articleIds: [] })).toBe(false);
  expect(isUnfiltered({ articleIds: [] })).toBe(false);
});

test("bounds of time are inclusive, and a document without a date passes none", () => {
  expect(matchesFilters(doc, { from: AT, to: AT })).toBe(true);
  expect(matchesFilters(doc, { from: AT + 1 })).toBe(false);
  expect(matchesFilters(doc, { to: AT - 1 })).toBe(false);
  const undated = { ...doc, publishedAt: null };
  expect(matchesFilters(undated, { to: AT + 1 })).toBe(false);
  expect(matchesFilters(undated, { from: 0 })).toBe(false);
  expect(matchesFilters(undated, { lang: "ar" })).toBe(true);
});

test("a domain holds its subdomains, and not the hosts that only end alike", () => {
  expect(withinDomain("bbc.co.uk", "bbc.co.uk")).toBe(true);
  expect(withinDomain("news.bbc.co.uk", "bbc.co.uk")).toBe(true);
  expect(withinDomain("notbbc.co.uk", "bbc.co.uk")).toBe(false);
  expect(withinDomain("bbc.co.uk", "news.bbc.co.uk")).toBe(false);
  expect(matchesFilters(doc, { domain: "bbc.co.uk" })).toBe(true);
  expect(matchesFilters(doc, { domain: "cnn.com" })).toBe(false);
});

test("filters whose values are all undefined are no filters", () => {
  expect(isUnfiltered({ lang: undefined })).toBe(true);
  expect(isUnfiltered({ from: 0 })).toBe(false);
});
