import { describe, expect, test } from "bun:test";
import type { z } from "@hono/zod-openapi";
import "../service/http/mod.ts";
import { ChunkFilters, chunkConditions } from "./filters.ts";
import { LIMITS } from "./fields.ts";
import { RelationsPackage } from "./relations.ts";
import { NewSource, SourceChange } from "./sources-v1.ts";
import { KeysRequest } from "./state-v1.ts";

function complaints(schema: z.ZodType, value: unknown) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => [path.join("."), message]);
}

describe("a source", () => {
  const FEED = { key: "a", feed_url: "https://a.test/rss" };

  test("to register needs a key, and a feed unless somebody else brings its articles", () => {
    expect(complaints(NewSource, FEED)).toEqual([]);
    expect(complaints(NewSource, { key: "a" })).toEqual([["feed_url", "is required with provider rss"]]);
    expect(complaints(NewSource, { key: "a", provider: "rss" })).toHaveLength(1);
    for (const provider of ["newsdata", "scraper", "scraper-push"])
      expect(complaints(NewSource, { key: "a", provider })).toEqual([]);
    expect(complaints(NewSource, { feed_url: FEED.feed_url })).toEqual([["key", "is required"]]);
  });

  test("has a key that is neither blank nor long, without control characters", () => {
    const rule = `must have 1 to ${LIMITS.sourceId} characters, none of them a control character`;
    for (const key of ["", " ", "a\n", "x".repeat(LIMITS.sourceId + 1)]) {
      expect(complaints(NewSource, { ...FEED, key })).toEqual([["key", rule]]);
    }
  });

  test.each([
    [{ provider: "fax" }, "provider", "must be rss, newsdata, scraper or scraper-push"],
    [{ name: "" }, "name", "must have 1 to 255 characters"],
    [{ name: "  " }, "name", "must have a visible character"],
    [{ feed_url: "ftp://a.test" }, "feed_url", "must be an absolute http or https URL"],
    [{ homepage: "a.test" }, "homepage", "must be an absolute http or https URL"],
    [{ language: "arabic" }, "language", "must be a language tag such as ar"],
    [{ tier: 0 }, "tier", "must be at least 1"],
    [{ tier: 4 }, "tier", "must be at most 3"],
    [{ tier: 1.5 }, "tier", "must be a whole number"],
    [{ active: "no" }, "active", "must be true or false"],
  ])("changed to %j is refused at %s: %s", (change, field, rule) => {
    expect(complaints(SourceChange, change)).toEqual([[field, rule]]);
    expect(complaints(NewSource, { ...FEED, ...change })).toEqual([[field, rule]]);
  });

  test("may be changed in nothing, and in its language by tag", () => {
    expect(SourceChange.parse({})).toEqual({});
    for (const language of ["ar", "arz", "en-GB", "zh-Hant-TW"])
      expect(complaints(SourceChange, { language })).toEqual([]);
  });
});

describe("filters of chunks", () => {
  test("become conditions that must all hold", () => {
    const filters = ChunkFilters.parse({
      lang: "ar",
      source: ["a", "b"],
      published_at_bucket: { $gte: 202401, $lt: 202407, $ne: 202403 },
      category: { $in: ["sport"] },
    });
    expect(chunkConditions(filters)).toEqual([
      { field: "published_at_bucket", is: "notIn", values: [202403] },
      { field: "published_at_bucket", is: "gte", values: [202401] },
      { field: "published_at_bucket", is: "lt", values: [202407] },
      { field: "lang", is: "in", values: ["ar"] },
      { field: "source", is: "in", values: ["a", "b"] },
      { field: "category", is: "in", values: ["sport"] },
    ]);
    expect(chunkConditions({})).toEqual([]);
  });

  test("refuse what they do not know", () => {
    expect(complaints(ChunkFilters, { title: "a" })).toEqual([["", "must not have the field title"]]);
    const wrong = [
      { lang: {} },
      { lang: [] },
      { lang: 1 },
      { published_at_bucket: 202413 },
      { article_id: "x" },
      { domain: "a b" },
    ];
    for (const filters of wrong) expect(ChunkFilters.safeParse(filters).success).toBe(false);
    expect(ChunkFilters.safeParse({ source: Array(100).fill("a") }).success).toBe(true);
    expect(ChunkFilters.safeParse({ source: Array(101).fill("a") }).success).toBe(false);
  });
});

describe("relations of a package", () => {
  const relation = { type: "attack", args: { agent: "A" }, confidence: 1, offsets: { start: 0, end: 1 } };
  const packageOf = (over: object) => ({ doc_id: "1", enrichment_status: "ok", relations: [{ ...relation, ...over }] });

  test("keep further fields, and need none where the status is not ok", () => {
    expect(RelationsPackage.parse(packageOf({ extra: [1] })).relations?.[0]).toMatchObject({ extra: [1] });
    expect(complaints(RelationsPackage, { doc_id: "1", enrichment_status: "timeout" })).toEqual([]);
    expect(complaints(RelationsPackage, { doc_id: "1", enrichment_status: "ok" })).toEqual([
      ["relations", "is required with enrichment_status ok"],
    ]);
  });

  test.each([
    [{ type: "" }, "relations.0.type", "must have 1 to 255 characters"],
    [{ confidence: 1.1 }, "relations.0.confidence", "must be at most 1"],
    [{ offsets: { start: 2, end: 1 } }, "relations.0.offsets", "end must not be before start"],
    [{ offsets: { start: -1, end: 1 } }, "relations.0.offsets.start", "must be at least 0"],
    [{ args: { agent: 1 } }, "relations.0.args.agent", "must be a string"],
  ])("with %j are refused at %s: %s", (over, field, rule) => {
    expect(complaints(RelationsPackage, packageOf(over))).toEqual([[field, rule]]);
  });

  test("fill a bounded number of roles", () => {
    const args = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`r${i}`, "x"]));
    expect(complaints(RelationsPackage, packageOf({ args: args(LIMITS.relationArguments) }))).toEqual([]);
    expect(complaints(RelationsPackage, packageOf({ args: args(LIMITS.relationArguments + 1) }))).toEqual([
      ["relations.0.args", `must have at most ${LIMITS.relationArguments} entries`],
    ]);
  });
});

test("uses of keys are told with their time, in a bounded number", () => {
  const use = { key_id: "k", at: "2026-01-01T00:00:00.000Z" };
  expect(KeysRequest.safeParse({ used: Array(10_000).fill(use) }).success).toBe(true);
  expect(KeysRequest.safeParse({ used: Array(10_001).fill(use) }).success).toBe(false);
  expect(KeysRequest.safeParse({ used: [{ ...use, at: "yesterday" }] }).success).toBe(false);
});
