import { describe, expect, test } from "bun:test";
import { z } from "@hono/zod-openapi";
import { ARTICLE_FILTER_FIELDS, brokenRange, FILTER_NAMES, filtersOf, givenFilters } from "./filter-table.ts";
import { filterParams } from "./filters.ts";

describe("the table of filters", () => {
  test("gives both routes a parameter for each, none of them required", () => {
    for (const place of ["query", "body"] as const) {
      const shape = filterParams(place);
      expect(Object.keys(shape)).toEqual(FILTER_NAMES);
      expect(z.object(shape).parse({})).toEqual({});
    }
  });

  test("takes texts in a query string and JSON values in a body for the same filters", () => {
    const query = z.object(filterParams("query"));
    const body = z.object(filterParams("body"));
    const texts = { lang: "ar", domain: "News.Example.", source_tier: "2", from: "2024-01-01" };
    const filters = { lang: "ar", domain: "news.example", source_tier: 2, from: Date.UTC(2024, 0, 1) };
    expect(query.parse(texts)).toEqual(filters);
    expect(body.parse({ ...texts, source_tier: 2 })).toEqual(filters);
    for (const wrong of ["0", "4", "1.5", "x", ""]) expect(query.safeParse({ source_tier: wrong }).success).toBe(false);
    for (const wrong of [0, 4, 1.5, "2"]) expect(body.safeParse({ source_tier: wrong }).success).toBe(false);
    for (const wrong of ["a b", "http://a.test", "", "x".repeat(256)]) {
      expect(body.safeParse({ domain: wrong }).success).toBe(false);
    }
  });

  test("names what an index needs of an article: each field once, none of its source", () => {
    expect([...ARTICLE_FILTER_FIELDS.keys()]).toEqual(["lang", "sourceId", "categoryId", "domain", "publishedAt"]);
  });
});

test("filtersOf() takes the filters out of a request's parameters", () => {
  const params = { q: "x", limit: 10, lang: "ar", category: undefined, from: 0 };
  expect(filtersOf(params)).toEqual({ lang: "ar", from: 0 });
  expect(givenFilters(filtersOf(params)).map(({ filter, wanted }) => [filter.field, wanted])).toEqual([
    ["lang", "ar"],
    ["publishedAt", 0],
  ]);
});

test("brokenRange() says which bounds cross", () => {
  expect(brokenRange({ from: 2, to: 1 })).toBe("from must not be after to");
  for (const filters of [{}, { from: 1 }, { to: 1 }, { from: 1, to: 1 }]) expect(brokenRange(filters)).toBeUndefined();
});
