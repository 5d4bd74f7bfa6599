import { expect, test } from "bun:test";
import { type FilterFields, isUnfiltered, matchesFilters, withinDomain } from "./filters.ts";

const doc: FilterFields = {
  lang: "ar",
  sourceId: "bbc",
  categoryId: "sport",
  domain: "news.bbc.co.uk",
  tier: 1,
  publishedAt: 1000,
};

test("a document passes when every given filter holds", () => {
  expect(matchesFilters(doc, {})).toBe(true);
  expect(matchesFilters(doc, { lang: "ar", source: "bbc", category: "sport", sourceTier: 1 })).toBe(true);
  expect(matchesFilters(doc, { lang: "en" })).toBe(false);
  expect(matchesFilters(doc, { source: "cnn" })).toBe(false);
  expect(matchesFilters(doc, { category: "economy" })).toBe(false);
  expect(matchesFilters(doc, { sourceTier: 2 })).toBe(false);
});

test("bounds of time are inclusive, and a document without a date passes none", () => {
  expect(matchesFilters(doc, { from: 1000, to: 1000 })).toBe(true);
  expect(matchesFilters(doc, { from: 1001 })).toBe(false);
  expect(matchesFilters(doc, { to: 999 })).toBe(false);
  const undated = { ...doc, publishedAt: null };
  expect(matchesFilters(undated, { to: 5000 })).toBe(false);
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
