import { describe, expect, test } from "bun:test";
import type { z } from "@hono/zod-openapi";
import { ClaimParams, MatchRequest, NewReview, NewReviews, ReviewParams, ReviewPatch } from "./claims-v1.ts";

/** Returns what is wrong with a value, as `field: rule`, in order. */
const faults = (schema: z.ZodType, value: unknown): string[] => {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
};
const review = { claim_text: "The bridge was closed in March.", publisher: "Fact Desk", rating: null };

describe("a review", () => {
  test("needs a publisher, and the text of a claim or the number of one", () => {
    expect(NewReview.parse(review)).toEqual(review);
    const byNumber = { claim_id: 7, publisher: "Fact Desk", rating: 3 };
    expect(NewReview.parse(byNumber)).toEqual(byNumber);
    expect(NewReview.parse({ ...review, claim_id: 7 })).toEqual({ ...review, claim_id: 7 });
    expect(faults(NewReview, { rating: 1, publisher: "a" })).toEqual(["claim_text: is required without claim_id"]);
    expect(faults(NewReview, { rating: 1, publisher: "a", claim_id: null })).toEqual([
      "claim_text: is required without claim_id",
    ]);
    expect(faults(NewReview, { claim_text: "a", rating: 1 })).toHaveLength(1);
    expect(faults(NewReview, { claim_text: "a", publisher: "a" }).map((fault) => fault.slice(0, 6))).toEqual([
      "rating",
    ]);
  });

  test.each([
    ["claim_text", "x".repeat(2_000), "x".repeat(2_001)],
    ["claim_text", " a ", " \n\t"],
    ["rating", 1, 0],
    ["rating", 5, 6],
    ["rating", null, 2.5],
    ["rating_text", "م".repeat(255), "م".repeat(256)],
    ["claim_text", "\u0661", "\u200f\0"],
    ["claim_text", "x", ""],
    ["rating_text", null, ""],
    ["rating_text", "!", " "],
    ["publisher", " a ", " \u00a0"],
    ["publisher", "a\ud83d\ude00", "a\ud83d"],
    ["claimant", "x", "  "],
    ["publisher", "p".repeat(255), "p".repeat(256)],
    ["claimant", "c".repeat(255), "c".repeat(256)],
    ["url", "https://desk.example/1", "desk.example/1"],
    ["url", null, "ftp://desk.example/1"],
    ["claim_id", 1, 0],
    ["lang", "ar", "fr"],
    ["published_at", "2026-01-12", "12/01/2026"],
    ["published_at", "2026-01-12T05:40:00Z", "2026-13-12"],
    ["claimed_at", null, "yesterday"],
    ["appearances", Array(25).fill("https://a.example/"), Array(26).fill("https://a.example/")],
    ["appearances", [], ["a.example"]],
  ])("has a rule for %s: %j is taken, %j is not", (field, good, bad) => {
    expect(faults(NewReview, { ...review, [field]: good })).toEqual([]);
    const [fault = "", ...others] = faults(NewReview, { ...review, [field]: bad });
    expect([fault.split(/[.:]/)[0], others]).toEqual([field, []]);
  });

  test("may be changed in part, and in nothing", () => {
    expect(ReviewPatch.parse({})).toEqual({});
    expect(ReviewPatch.parse({ rating: null, url: null })).toEqual({ rating: null, url: null });
    expect(faults(ReviewPatch, { publisher: "" })).toHaveLength(1);
  });

  test("comes with at most 99 others, and never with none", () => {
    expect(faults(NewReviews, { reviews: Array(100).fill(review) })).toEqual([]);
    expect(faults(NewReviews, { reviews: Array(101).fill(review) })).toHaveLength(1);
    expect(faults(NewReviews, { reviews: [] })).toHaveLength(1);
    expect(faults(NewReviews, { reviews: [review, { publisher: "a", rating: 1 }] })).toEqual([
      "reviews.1.claim_text: is required without claim_id",
    ]);
  });
});

describe("the parameters of a list", () => {
  test("of reviews have defaults, and bounds", () => {
    expect(ReviewParams.parse({})).toEqual({ rating: 0, limit: 50 });
    expect(ReviewParams.parse({ rating: "5", limit: "200", cursor: "9", publisher: "p" })).toEqual({
      ...{ rating: 5, limit: 200, cursor: 9, publisher: "p" },
    });
    for (const wrong of [{ rating: "6" }, { limit: "201" }, { limit: "0" }, { cursor: "0" }, { cursor: "a" }])
      expect(faults(ReviewParams, wrong)).toHaveLength(1);
  });

  test("of claims have defaults, and are read from text", () => {
    expect(ClaimParams.parse({})).toEqual({ reviewed: undefined, sort: "score", limit: 20 });
    expect(
      ClaimParams.parse({ from: "2026-01-01", to: "2026-01-01", reviewed: "false", story: "3", sort: "repeats" }),
    ).toEqual({
      ...{ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) - 1, reviewed: false },
      ...{ story: 3, sort: "repeats", limit: 20 },
    });
    expect(ClaimParams.parse({ reviewed: "true", q: "a" })).toMatchObject({ reviewed: true, q: "a" });
  });

  test.each([
    [{ from: "2026-01-02", to: "2026-01-01" }, ""],
    [{ reviewed: "yes" }, "reviewed"],
    [{ story: "0" }, "story"],
    [{ sort: "best" }, "sort"],
    [{ limit: "201" }, "limit"],
    [{ lang: "fr" }, "lang"],
    [{ q: "" }, "q"],
    [{ q: "x".repeat(513) }, "q"],
    [{ cursor: "c".repeat(201) }, "cursor"],
    [{ entity: "a\0" }, "entity"],
    [{ source: "s".repeat(129) }, "source"],
  ])("of claims refuse %j", (wrong, field) => {
    const { error } = ClaimParams.safeParse(wrong);
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
  });
});

describe("texts to match", () => {
  test("are one or several, each with five hits where nothing else is said", () => {
    expect(MatchRequest.parse({ text: "a" })).toEqual({ text: "a", k: 5 });
    expect(MatchRequest.parse({ texts: Array(64).fill("a"), k: 20, lang: "ar" }).texts).toHaveLength(64);
  });

  test.each([
    [{}],
    [{ text: "a", texts: ["a"] }],
    [{ texts: [] }],
    [{ texts: Array(65).fill("a") }],
    [{ texts: ["a", " "] }],
    [{ text: "x".repeat(2_001) }],
    [{ text: "a", k: 0 }],
    [{ text: "a", k: 21 }],
    [{ text: "a", k: 1.5 }],
  ])("are refused: %#", (wrong) => {
    expect(faults(MatchRequest, wrong).length).toBeGreaterThan(0);
  });
});
