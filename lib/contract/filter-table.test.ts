import { expect, test } from "bun:test";
import {
  ARTICLE_FILTER_FIELDS,
  brokenRange,
  FILTER_NAMES,
  FILTERS,
  type Filter,
  filtersOf,
  givenFilters,
  isNumeric,
} from "./filter-table.ts";

test("each filter compares a field in a way that suits its values", () => {
  const filters = FILTER_NAMES.map((name): [string, Filter] => [name, FILTERS[name]]);
  expect(filters.map(([name, { field, of, kind, type }]) => [name, field, of, kind, isNumeric(type)])).toEqual([
    ["lang", "lang", undefined, "equals", false],
    ["source", "sourceId", undefined, "equals", false],
    ["category", "categoryId", undefined, "equals", false],
    ["domain", "domain", undefined, "within", false],
    ["source_tier", "tier", "source", "equals", true],
    ["from", "publishedAt", undefined, "atLeast", true],
    ["to", "publishedAt", undefined, "atMost", true],
  ]);
  // A tier is the source's, which no index of articles has.
  expect(ARTICLE_FILTER_FIELDS.size).toBe(5);
  expect(ARTICLE_FILTER_FIELDS.get("publishedAt")?.is).toBe("time");
});

test("filters are taken by their names alone, those that are falsy too", () => {
  const params = { from: 0, to: -1, source: "", domain: undefined, articleIds: [1], limit: 10, toString: "x" };
  expect(filtersOf(params)).toEqual({ source: "", from: 0, to: -1 });
  expect(filtersOf({})).toEqual({});
});

test("those that are set come in the order of the table, with what they want", () => {
  const given = givenFilters({ to: 9, articleIds: [1], lang: "ar", source_tier: 2, from: undefined });
  expect(given.map(({ filter, wanted }) => [filter.field, wanted])).toEqual([
    ["lang", "ar"],
    ["tier", 2],
    ["publishedAt", 9],
  ]);
  expect(givenFilters({ articleIds: [] })).toEqual([]);
});

test.each([
  [{ from: 2, to: 1 }, true],
  [{ from: 1, to: 1 }, false],
  [{ from: -2, to: -1 }, false],
  [{ from: -1, to: -2 }, true],
  [{ from: 0, to: -1 }, true],
  [{ from: 5 }, false],
  [{ to: -5 }, false],
  [{ source_tier: 3, to: 1 }, false],
])("bounds %j cross: %p", (filters, isBroken) => {
  expect(brokenRange(filters)).toBe(isBroken ? "from must not be after to" : undefined);
});
