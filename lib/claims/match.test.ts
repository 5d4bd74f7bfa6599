import { describe, expect, test } from "bun:test";
import type { ComparedClaim, ComparedReview } from "../store/mod.ts";
import { cachedReader, signedBytesOf, type TextEncoder } from "./follow.ts";
import { type MatchDeps, matchTexts } from "./match.ts";
import { wordEmbedder } from "./testing.ts";

const { signal } = new AbortController();
const vectorOf = async (text: string): Promise<Int8Array> =>
  signedBytesOf((await wordEmbedder.embed([text], "passage"))[0] ?? new Float32Array());

/** Returns an index that has all of these ids near any vector; `dropped` lists the rows that were given up. */
function nearTo(ids: readonly number[]) {
  const dropped: number[] = [];
  return {
    dropped,
    followed: {
      sync: async () => 0,
      near: () => ids.map((id) => ({ id, row: id * 10 })),
      drop: (rows: readonly number[]) => void dropped.push(...rows),
      size: () => ids.length,
    },
  };
}

type Given = {
  claims?: readonly { id: number; text: string; lang?: string }[];
  reviews?: readonly { id: number; text: string; lang?: string }[];
  gone?: readonly number[];
  hits?: readonly { reviewId: number; score: number }[];
  encoder?: TextEncoder;
};

/** Holds claims and reviews in memory, all of them near to any text, and those that are `gone` besides. */
async function depsOf({ claims = [], reviews = [], gone = [], hits = [], encoder }: Given) {
  const storedClaims: ComparedClaim[] = [];
  for (const { id, text, lang = "en" } of claims)
    storedClaims.push({ claimId: id, text, lang, names: [], vector: await vectorOf(text) });
  const storedReviews: ComparedReview[] = [];
  for (const { id, text, lang = "en" } of reviews)
    storedReviews.push({
      ...{ reviewId: id, claimText: text, lang, rating: 1, ratingText: "False", publisher: "Desk", url: null },
      ...{ names: [], vector: hits.length > 0 ? undefined : await vectorOf(text), read: undefined },
    });
  const nearClaims = nearTo([...claims.map(({ id }) => id), ...gone]);
  const nearReviews = nearTo(hits.length > 0 ? [] : [...reviews.map(({ id }) => id), ...gone]);
  const deps: MatchDeps = {
    store: {
      claims: {
        byIds: async (ids) => storedClaims.filter(({ claimId }) => ids.includes(claimId)),
        position: async () => ({ epoch: "1", claims: 0, reviews: 0 }),
      },
      reviews: { byIds: async (ids) => storedReviews.filter(({ reviewId }) => ids.includes(reviewId)) },
    },
    claims: nearClaims.followed,
    reviews: nearReviews.followed,
    readings: undefined,
    words: async () => ({ sync: async () => undefined, search: async () => [...hits] }),
    reader: cachedReader(encoder),
    embedder: wordEmbedder.modelId,
    embed: (texts) => wordEmbedder.embed(texts, "query"),
    namesIn: async (texts) => texts.map(() => []),
  };
  return { deps, dropped: { claims: nearClaims.dropped, reviews: nearReviews.dropped } };
}

const BREAD = "Bread now costs 12 pounds in Cairo.";
const OTHERS = [
  { id: 1, text: "The bridge was closed for repairs." },
  { id: 2, text: "Bread now costs 15 pounds in Cairo." },
  { id: 3, text: BREAD },
];

describe("matching texts", () => {
  test("claims and reviews come by likeness, the very words first, no more of each than are asked for", async () => {
    const { deps } = await depsOf({ claims: OTHERS, reviews: OTHERS });
    const [all] = await matchTexts(deps, { texts: [BREAD], k: 3 }, signal);
    expect(all?.claims.map(({ claim_id, same }) => [claim_id, same])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    expect(all?.reviews.map(({ review_id, same }) => [review_id, same])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    const [few] = await matchTexts(deps, { texts: [BREAD], k: 1 }, signal);
    expect([few?.claims.length, few?.reviews.length]).toEqual([1, 1]);
    expect([few?.claims[0]?.claim_id, few?.reviews[0]?.review_id]).toEqual([3, 3]);
  });

  test("of two that are as like the text the older comes first", async () => {
    const twice = [9, 4].map((id) => ({ id, text: BREAD }));
    const { deps } = await depsOf({ claims: twice, reviews: twice });
    const [found] = await matchTexts(deps, { texts: [BREAD], k: 2 }, signal);
    expect(found?.claims.map(({ claim_id }) => claim_id)).toEqual([4, 9]);
    expect(found?.reviews.map(({ review_id }) => review_id)).toEqual([4, 9]);
  });

  test("only what is in the language that is asked for is found", async () => {
    const both = [
      { id: 1, text: BREAD, lang: "ar" },
      { id: 2, text: BREAD, lang: "en" },
    ];
    const { deps } = await depsOf({ claims: both, reviews: both });
    const [found] = await matchTexts(deps, { texts: [BREAD], k: 5, lang: "ar" }, signal);
    expect(found?.claims.map(({ claim_id }) => claim_id)).toEqual([1]);
    expect(found?.reviews.map(({ review_id }) => review_id)).toEqual([1]);
  });

  test("rows of what is gone are dropped, and nothing else", async () => {
    const { deps, dropped } = await depsOf({ claims: OTHERS, reviews: OTHERS, gone: [7] });
    await matchTexts(deps, { texts: [BREAD], k: 5 }, signal);
    expect(dropped).toEqual({ claims: [70], reviews: [70] });
  });

  test("a review that no model has read is found by its words", async () => {
    const hits = [
      { reviewId: 3, score: 8 },
      { reviewId: 2, score: 4 },
    ];
    const { deps } = await depsOf({ reviews: OTHERS, hits });
    const [found] = await matchTexts(deps, { texts: [BREAD], k: 5 }, signal);
    expect(found?.reviews.map(({ review_id }) => review_id)).toEqual([3, 2]);
  });

  test("each text has its own results, in the order of the texts", async () => {
    const { deps } = await depsOf({ claims: OTHERS });
    const texts = ["The bridge was closed for repairs.", BREAD];
    const found = await matchTexts(deps, { texts, k: 1 }, signal);
    expect(found.map(({ text }) => text)).toEqual(texts);
    expect(found.map(({ claims }) => claims[0]?.claim_id)).toEqual([1, 3]);
  });

  test("the second model reads the text and the nearest four claims, as what they are", async () => {
    const asked: string[] = [];
    const encoder: TextEncoder = {
      modelId: "reads@1",
      read: async (texts) => {
        asked.push(...texts.map(({ kind, text }) => `${kind} ${text}`));
        return wordEmbedder.embed(
          texts.map(({ text }) => text),
          "passage",
        );
      },
    };
    const claims = [12, 13, 14, 15, 16, 17].map((price) => ({ id: price, text: `Bread costs ${price} pounds.` }));
    const { deps } = await depsOf({ claims, encoder });
    const [found] = await matchTexts(deps, { texts: ["Bread costs 12 pounds."], k: 6 }, signal);
    expect(asked.filter((text) => text.startsWith("query"))).toEqual(["query Bread costs 12 pounds."]);
    expect(asked.filter((text) => text.startsWith("passage")).length).toBe(4);
    expect(asked).toContain("passage Bread costs 12 pounds.");
    expect([found?.claims[0]?.claim_id, found?.claims.length]).toEqual([12, 6]);
  });

  test("a call that is given up ends with why", async () => {
    const { deps } = await depsOf({ claims: OTHERS });
    const given = AbortSignal.abort(new Error("given up"));
    await expect(matchTexts(deps, { texts: [BREAD], k: 1 }, given)).rejects.toThrow("given up");
  });
});
