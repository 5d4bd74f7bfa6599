import { describe, expect, test } from "bun:test";
import type { ComparedClaim, ComparedReview } from "../store/mod.ts";
import { cachedReader, followClaims, followReviews, signedBytesOf, type TextEncoder } from "./follow.ts";
import { type ClaimSentence, groupClaims, termsOf } from "./group.ts";
import { wordEmbedder } from "./testing.ts";

const { signal } = new AbortController();
const { dims, modelId } = wordEmbedder;

async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await wordEmbedder.embed([text], "passage");
  return signedBytesOf(vector ?? new Float32Array());
}

async function sentence(text: string, over: Partial<ClaimSentence> = {}): Promise<ClaimSentence> {
  const place = { articleId: 1, start: 0, end: text.length, lang: "en", score: 0.9, speaker: undefined };
  return { ...place, text, names: [], vector: await vectorOf(text), ...over };
}

/** Holds claims and reviews that are stored; those of `gone` are followed and no longer there. */
type Stored = { claims?: string[]; reviews?: string[]; gone?: string[] };

/** A second model for which all texts, or none, mean the same. */
const reading = (alike: boolean): TextEncoder => ({
  modelId: "reads@1",
  read: async (texts) =>
    texts.map(({ kind }) => (alike || kind === "query" ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
});

async function grouped(sentences: ClaimSentence[], stored: Stored = {}, encoder?: TextEncoder) {
  const claims: ComparedClaim[] = [];
  const reviews: ComparedReview[] = [];
  for (const [i, text] of (stored.claims ?? []).entries()) {
    claims.push({ claimId: i + 1, text, lang: "en", names: [], vector: await vectorOf(text) });
  }
  for (const [i, claimText] of (stored.reviews ?? []).entries()) {
    const said = { rating: 1, ratingText: null, publisher: "Desk", url: null };
    const read = Int8Array.of(1, 0);
    reviews.push({
      reviewId: i + 1,
      claimText,
      lang: "en",
      ...said,
      names: [],
      vector: await vectorOf(claimText),
      read,
    });
  }
  const asked: string[] = [];
  const reader = cachedReader(
    encoder && {
      modelId: encoder.modelId,
      read: (texts) => {
        asked.push(...texts.map(({ text }) => text));
        return encoder.read(texts);
      },
    },
  );
  const followed = (list: readonly { id: number; vector: Int8Array }[]) => list.map((row) => ({ ...row, seq: row.id }));
  const rows = followed(claims.map(({ claimId, vector }) => ({ id: claimId, vector })));
  const reviewRows = followed(
    reviews.map(({ reviewId, vector }) => ({ id: reviewId, vector: vector ?? new Int8Array() })),
  );
  const store = {
    claims: {
      position: async () => ({ epoch: "1", claims: rows.length, reviews: reviewRows.length }),
      vectors: async () => rows,
      byIds: async (ids: readonly number[]) =>
        claims.filter(({ claimId, text }) => ids.includes(claimId) && !stored.gone?.includes(text)),
    },
    reviews: {
      vectors: async () => reviewRows,
      byIds: async (ids: readonly number[]) => reviews.filter(({ reviewId }) => ids.includes(reviewId)),
    },
  };
  const deps = {
    ...{ store, reader, embedder: modelId },
    claims: followClaims(store, { modelId, dims }),
    reviews: followReviews(store, { modelId, dims }),
  };
  const result = await groupClaims(deps, sentences, signal);
  return { ...result, asked, mentioned: result.articles.flatMap(({ mentions }) => mentions.map(({ claim }) => claim)) };
}

const RISE = "Unemployment in Jordan rose to 22 percent last year.";

describe("a sentence makes", () => {
  test("the claim that is stored, where it says the same", async () => {
    const { mentioned, claims } = await grouped([await sentence(RISE)], { claims: ["Bread is dear.", RISE] });
    expect(mentioned).toEqual([{ id: 2 }]);
    expect(claims).toEqual([]);
  });

  test.each([
    ["another number", "Unemployment in Jordan rose to 23 percent last year."],
    ["another direction", "Unemployment in Jordan fell to 22 percent last year."],
    ["a denial", "Unemployment in Jordan didn't rise to 22 percent last year."],
    ["a share for a number", "Unemployment in Jordan rose to 22 last year."],
  ])("a new one with %s", async (_, text) => {
    const { mentioned, claims } = await grouped([await sentence(text)], { claims: [RISE] });
    expect(mentioned).toEqual([{ place: 0 }]);
    expect(claims).toMatchObject([{ text, reviews: [], terms: termsOf(text) }]);
  });

  test("a new one with another name", async () => {
    const [jordan, egypt] = [
      await sentence("Inflation rose in Jordan.", { names: ["Jordan"] }),
      "Inflation rose in Egypt.",
    ];
    const { claims } = await grouped([jordan, await sentence(egypt, { names: ["Egypt"] })]);
    expect(claims.map(({ text }) => text)).toEqual([jordan.text, egypt]);
  });

  test("a new one where the stored claim is gone", async () => {
    expect((await grouped([await sentence(RISE)], { claims: [RISE], gone: [RISE] })).mentioned).toEqual([{ place: 0 }]);
  });
});

test("sentences of a batch that say the same are one claim, each at its own article and place", async () => {
  const other = "Bread now costs 12 pounds in Cairo.";
  const sentences = [
    await sentence(RISE),
    await sentence(other, { start: 60, end: 95 }),
    await sentence("Last year unemployment in Jordan rose to 22 percent.", { articleId: 2 }),
    await sentence(RISE.toUpperCase(), { articleId: 3 }),
  ];
  const { articles, claims } = await grouped(sentences);
  expect(claims.map(({ text }) => text)).toEqual([RISE, other]);
  expect(articles.map(({ articleId, mentions }) => [articleId, mentions.map(({ claim }) => claim)])).toEqual([
    [1, [{ place: 0 }, { place: 1 }]],
    [2, [{ place: 0 }]],
    [3, [{ place: 0 }]],
  ]);
  expect(articles[0]?.mentions[1]).toMatchObject({ start: 60, end: 95, score: 0.9 });
});

describe("the second model", () => {
  const [text, near] = [
    "Unemployment in Jordan rose sharply last year.",
    "Graduates in Jordan fear unemployment most.",
  ];

  test("decides what the first leaves open", async () => {
    const read = async (alike: boolean) => await grouped([await sentence(text)], { claims: [near] }, reading(alike));
    expect((await read(true)).mentioned).toEqual([{ id: 1 }]);
    expect((await read(false)).mentioned).toEqual([{ place: 0 }]);
  });

  test("is not asked where the words are the same, nor where nothing is near", async () => {
    const stored = { claims: [text] };
    expect((await grouped([await sentence(text)], stored, reading(false))).asked).toEqual([]);
    expect((await grouped([await sentence("The harbour was sold to a fund.")], stored, reading(true))).asked).toEqual(
      [],
    );
  });
});

test("a new claim has the reviews that are of what it says, and not those of something else", async () => {
  const reviews = [RISE, "Unemployment in Jordan rose to 25 percent last year.", "The harbour was sold to a fund."];
  const { claims } = await grouped([await sentence(RISE)], { reviews }, reading(true));
  expect(claims.map(({ reviews: of }) => of.map(({ reviewId }) => reviewId))).toEqual([[1]]);
  const known = await grouped([await sentence(RISE)], { reviews, claims: [RISE] }, reading(true));
  expect(known.claims).toEqual([]);
});

test("no sentences make no claims, up to the change that was read", async () => {
  expect(await grouped([], { claims: [RISE] })).toMatchObject({ articles: [], claims: [], after: 1 });
});
