import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptLanguage } from "../models/mod.ts";
import type { ReviewInput } from "../store/mod.ts";
import { admitItems, testItem, testStore } from "../store/testing.ts";
import { claimDeps, storeClaims } from "./find.ts";
import { cachedReader, followClaims } from "./follow.ts";
import { createClaimMatcher } from "./match.ts";
import { readReviews } from "./group.ts";
import { testClassifier, wordEmbedder } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
const dir = await mkdtemp(join(tmpdir(), "isnad-matcher-"));
const matcher = createClaimMatcher({ store, dir, embedder: wordEmbedder });
afterAll(async () => {
  await matcher.close();
  await rm(dir, { recursive: true, force: true });
  await close();
});
afterEach(async () => {
  await sql`truncate articles, article_pairs, claims, reviews, work cascade`;
});

const { signal } = new AbortController();
const embed = (texts: readonly string[]) => wordEmbedder.embed(texts, "passage");

const review = (claimText: string, over: Partial<ReviewInput> = {}): ReviewInput => ({
  ...{ claimId: null, claimText, lang: scriptLanguage(claimText) ?? "en", rating: 1, ratingText: null, url: null },
  ...{ publisher: "Desk", publishedAt: null, item: null },
  ...over,
});

/** Stores reviews; read as the upkeep reads them, unless they are new to it. */
async function reviews(texts: readonly string[], { read = true } = {}): Promise<void> {
  await store.reviews.create(
    texts.map((text) => review(text)),
    "desk",
  );
  if (!read) return;
  const reader = cachedReader(undefined);
  const models = { embedder: wordEmbedder.modelId, reader: reader.modelId };
  const unread = await store.reviews.unread(models, 100);
  const claims = followClaims(store, wordEmbedder);
  const namesIn = async (all: readonly string[]) => all.map(() => []);
  await store.reviews.putRead(models, await readReviews({ store, claims, reader, embed, namesIn }, unread, signal));
}

async function claims(...contents: string[]): Promise<void> {
  const items = contents.map((content) => testItem({ content, lang: scriptLanguage(content) ?? "en" }));
  const ids = await admitItems(store, items);
  await sql`update articles set state = 'indexed'`;
  const deps = claimDeps({ store, embedder: wordEmbedder, classifier: testClassifier, encoder: undefined });
  if (deps === undefined) throw new Error("there are no models");
  await storeClaims(deps, ids, { signal });
}

const match = async (text: string, over: { k?: number; lang?: string } = {}) =>
  (await matcher.match({ texts: [text], k: 5, ...over }, signal))[0];

describe("a match", () => {
  test("finds what says the same first, and tells what differs in a number from it", async () => {
    await reviews([
      "Bread now costs 12 pounds in Cairo.",
      "Bread now costs 15 pounds in Cairo.",
      "The bridge was closed for repairs.",
    ]);
    const found = await match("In Cairo bread now costs 15 pounds.");
    expect(found?.reviews.slice(0, 2).map(({ claim_text, same }) => [claim_text, same])).toEqual([
      ["Bread now costs 15 pounds in Cairo.", true],
      ["Bread now costs 12 pounds in Cairo.", false],
    ]);
    const similarities = found?.reviews.map(({ similarity }) => similarity) ?? [];
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
  });

  test("finds by word a review that nobody has read yet, and no more once it is removed", async () => {
    await reviews(["The harbour of Latakia was sold to a fund."], { read: false });
    const [hit] = (await match("Was the harbour of Latakia sold?"))?.reviews ?? [];
    expect(hit?.claim_text).toBe("The harbour of Latakia was sold to a fund.");
    await store.reviews.remove(hit?.review_id ?? 0);
    expect((await match("Was the harbour of Latakia sold?"))?.reviews).toEqual([]);
  });

  test("gives as many hits of each kind as are asked for, in a language where one is named", async () => {
    await reviews(Array.from({ length: 30 }, (_, i) => `Bread costs ${i + 10} pounds in Cairo.`));
    await claims("Bread costs 10 pounds in Cairo. Bread costs 11 pounds in Cairo.", "سعر الخبز 12 جنيها في القاهرة.");
    const few = await match("Bread costs 11 pounds in Cairo.", { k: 2 });
    expect([few?.reviews.length, few?.claims.length]).toEqual([2, 2]);
    expect(few?.reviews[0]?.claim_text).toBe("Bread costs 11 pounds in Cairo.");
    expect(few?.claims[0]).toMatchObject({ text: "Bread costs 11 pounds in Cairo.", same: true, lang: "en" });
    const arabic = await match("سعر الخبز 12 جنيها في القاهرة.", { lang: "ar" });
    expect([arabic?.reviews.length, arabic?.claims.map(({ lang }) => lang)]).toEqual([0, ["ar"]]);
  });

  test("answers texts in their order, one without words and one that is met nowhere among them", async () => {
    await reviews(["The bridge was closed for 3 days."]);
    const texts = ["😀", "The bridge was closed for 3 days.", "zzz qqq"];
    const results = await matcher.match({ texts, k: 5 }, signal);
    expect(results.map(({ text, reviews }) => [text, reviews.some(({ same }) => same)])).toEqual([
      ["😀", false],
      ["The bridge was closed for 3 days.", true],
      ["zzz qqq", false],
    ]);
  });

  test("does not go on for somebody who has left", async () => {
    const aborted = AbortSignal.abort(new Error("gone"));
    expect(await matcher.match({ texts: ["a b"], k: 5 }, aborted).catch(String)).toContain("gone");
  });
});

test("a review that is read says which claims it is of, and only of those that agree with it", async () => {
  await claims("Bread costs 10 pounds in Cairo. Bread costs 11 pounds in Cairo.");
  await reviews(["In Cairo bread costs 11 pounds."]);
  const listed = await store.claims.list({ sort: "score", limit: 10 });
  expect(Object.fromEntries(listed.map(({ text, reviews }) => [text, reviews.length]))).toEqual({
    "Bread costs 10 pounds in Cairo.": 0,
    "Bread costs 11 pounds in Cairo.": 1,
  });
});
