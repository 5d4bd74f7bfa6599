import { describe, expect, test } from "bun:test";
import { type ArticleFields, type Filters, matchesFilters } from "../filters.ts";
import { ArticleTable } from "./articles.ts";
import { seeded } from "../../std/random.ts";

const at = (ms: number) => new Date(ms).toISOString();

const fields = (given: Partial<ArticleFields> = {}): ArticleFields => ({
  lang: "ar",
  sourceId: "daily",
  categoryId: "sports",
  domain: "daily.example",
  publishedAt: at(1000),
  ...given,
});

/** The ids of the articles that pass. */
function passing(table: ArticleTable, ids: number[], filters: Filters): number[] {
  const passes = table.matching(filters);
  return ids.filter((id) => passes === undefined || passes[table.ordinal(id) ?? -1] === 1);
}

describe("ArticleTable", () => {
  test("has no mask to give when nothing is filtered", () => {
    expect(new ArticleTable().matching({})).toBeUndefined();
    expect(new ArticleTable().matching({ lang: undefined })).toBeUndefined();
  });

  test("agrees with matchesFilters() for any filters", () => {
    const random = seeded(5);
    const any = <T>(first: T, ...others: T[]): T => {
      const chosen = others[Math.floor(random() * (others.length + 1))];
      return chosen === undefined ? first : chosen;
    };
    const tiers = new Map([
      ["daily", 1],
      ["weekly", 3],
    ]);
    const table = new ArticleTable();
    table.setTiers(tiers);
    const docs = Array.from({ length: 400 }, () => {
      const doc = {
        lang: any("ar", "en", null),
        sourceId: any("daily", "weekly", "agency"),
        categoryId: any("sports", "economy", null),
        domain: any("daily.example", "www.daily.example", "notdaily.example", "example", "a.b.daily.example"),
        publishedAt: any(null, at(-5), at(0), at(1000), at(2000)),
      };
      return { ...doc, tier: tiers.get(doc.sourceId) ?? null };
    });
    docs.forEach((doc, i) => {
      table.put(i + 1, doc);
    });
    const ids = docs.map((_, i) => i + 1);
    const maybe = <T>(value: T): T | undefined => (random() < 0.4 ? value : undefined);
    for (let round = 0; round < 300; round++) {
      const filters: Filters = {
        lang: maybe(any("ar", "en", "fr")),
        source: maybe(any("daily", "weekly", "unknown")),
        category: maybe(any("sports", "economy", "none")),
        domain: maybe(any("daily.example", "example", "b.daily.example", "other")),
        source_tier: maybe(any(1, 2, 3)),
        from: maybe(any(-5, 0, 1000)),
        to: maybe(any(0, 1000, 3000)),
        articleIds: maybe(any(ids.slice(0, 200), [3, 399, 5000], [])),
      };
      const expected = ids.filter((id) => {
        const doc = docs[id - 1];
        return doc !== undefined && matchesFilters({ ...doc, articleId: id }, filters);
      });
      expect(passing(table, ids, filters)).toEqual(expected);
    }
  });

  test("replaces the fields of an article it has", () => {
    const table = new ArticleTable();
    const ordinal = table.put(7, fields());
    expect(table.put(7, fields({ lang: "en" }))).toBe(ordinal);
    expect(passing(table, [7], { lang: "en" })).toEqual([7]);
    expect(table.size).toBe(1);
  });

  test("gives the ordinal of a removed article to another one, with none of its fields", () => {
    const table = new ArticleTable();
    const ordinal = table.put(7, fields());
    table.remove(ordinal);
    expect(table.ordinal(7)).toBeUndefined();
    expect(table.put(8, fields({ categoryId: null, publishedAt: null }))).toBe(ordinal);
    expect(passing(table, [8], { category: "sports" })).toEqual([]);
    expect(passing(table, [8], { from: -1e15 })).toEqual([]);
    expect(table.articleId(ordinal)).toBe(8);
  });

  test("comes back from its columns, free ordinals too", () => {
    const table = new ArticleTable();
    for (let id = 1; id <= 3000; id++) table.put(id, fields({ sourceId: `s${id % 5}` }));
    table.remove(table.ordinal(2) ?? -1);
    const copy = new ArticleTable();
    copy.restore(structuredClone(table.columns()));
    expect(copy.size).toBe(2999);
    const ids = Array.from({ length: 3000 }, (_, i) => i + 1).filter((id) => id !== 2);
    expect(passing(copy, ids, { source: "s3" })).toEqual(passing(table, ids, { source: "s3" }));
    expect(copy.put(9999, fields())).toBe(1);
    expect(copy.put(10_000, fields())).toBe(3000);
  });
});
