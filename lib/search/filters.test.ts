import { describe, expect, test } from "bun:test";
import { chunkConditions, ChunkFilters } from "../contract/filters.ts";
import { type FilterFields, isUnfiltered, matchesFilters, monthOf, withinDomain } from "./filters.ts";
import { ArticleTable } from "./vector/articles.ts";

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

const table = new ArticleTable();
const put = (id: number, lang: string | null, categoryId: string | null, domain: string, publishedAt: string | null) =>
  table.put(id, { lang, sourceId: `s${id}`, categoryId, domain, publishedAt });
put(1, "ar", "sport", "news.example", "2024-04-30T23:59:59.999Z");
put(2, "en", "sport", "ar.news.example", "2024-05-01T00:00:00.000Z");
put(3, "en", null, "other.example", "2024-05-31T23:59:59.999Z");
put(4, null, "economy", "news.example", "2024-06-01T00:00:00.000Z");
put(5, "ar", "economy", "notnews.example", null);

/** The articles that pass filters as they are sent. */
function passing(filters: unknown): number[] {
  const marked = table.meeting(chunkConditions(ChunkFilters.parse(filters)));
  return [1, 2, 3, 4, 5].filter((_, ordinal) => marked === undefined || marked[ordinal] === 1);
}

describe("filters of chunks", () => {
  test.each([
    [{}, [1, 2, 3, 4, 5]],
    [{ lang: "ar" }, [1, 5]],
    [{ lang: ["ar", "en"] }, [1, 2, 3, 5]],
    [{ lang: { $ne: "ar" } }, [2, 3, 4]],
    [{ lang: { $in: ["en"] } }, [2, 3]],
    [{ source: "s3" }, [3]],
    [{ source: { $gte: "s2", $lt: "s4" } }, [2, 3]],
    [{ category: "sport", lang: "en" }, [2]],
    [{ category: { $ne: "sport" } }, [3, 4, 5]],
    [{ domain: "news.example" }, [1, 2, 4]],
    [{ domain: "NEWS.example." }, [1, 2, 4]],
    [{ domain: { $ne: "news.example" } }, [3, 5]],
    [{ domain: ["ar.news.example", "other.example"] }, [2, 3]],
    [{ article_id: 4 }, [4]],
    [{ article_id: [1, 5, 77] }, [1, 5]],
    [{ article_id: { $ne: 1 } }, [2, 3, 4, 5]],
    [{ article_id: { $gt: 2, $lte: 4 } }, [3, 4]],
    [{ published_at_bucket: 202405 }, [2, 3]],
    [{ published_at_bucket: [202404, 202406] }, [1, 4]],
    [{ published_at_bucket: { $gte: 202405 } }, [2, 3, 4]],
    [{ published_at_bucket: { $gt: 202405 } }, [4]],
    [{ published_at_bucket: { $lte: 202405 } }, [1, 2, 3]],
    [{ published_at_bucket: { $lt: 202405 } }, [1]],
    [{ published_at_bucket: { $ne: 202405 } }, [1, 4, 5]],
    [{ published_at_bucket: { $gte: 202404, $lt: 202406, $ne: 202405 } }, [1]],
    [{ published_at_bucket: { $in: [202312, 202406] } }, [4]],
  ])("%j let %p pass", (filters, ids) => {
    expect(passing(filters)).toEqual(ids);
  });

  test.each([
    [{ author: "x" }],
    [{ lang: 7 }],
    [{ lang: null }],
    [{ lang: [] }],
    [{ lang: {} }],
    [{ lang: { $like: "a" } }],
    [{ lang: { $in: "ar" } }],
    [{ lang: [["ar"]] }],
    [{ published_at_bucket: "202405" }],
    [{ published_at_bucket: 202413 }],
    [{ published_at_bucket: 2024.5 }],
    [{ published_at_bucket: { $gte: "202405" } }],
    [{ article_id: "4" }],
    [{ article_id: 0 }],
    [{ domain: "no host!" }],
    [{ source: "a\u0000b" }],
    [{ source: Array.from({ length: 101 }, () => "s") }],
  ])("%j are refused", (filters) => {
    expect(ChunkFilters.safeParse(filters).success).toBe(false);
  });
});

test("a month is told in UTC", () => {
  expect(monthOf(new Date("2024-01-01T00:00:00+03:00"))).toBe(202312);
  expect(monthOf(new Date("0999-12-31T00:00:00Z"))).toBe(99912);
});
