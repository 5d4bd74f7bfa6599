import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStore } from "../store/testing.ts";
import type { Store } from "../store/mod.ts";
import { codePointSlice } from "../text/mod.ts";
import { claimDeps, type ClaimParts, storeClaims } from "./find.ts";
import { testClassifier, wordEmbedder } from "./testing.ts";

setDefaultTimeout(300_000);

const { store, sql, another, close } = await testStore();
afterAll(close);
afterEach(async () => {
  await sql`truncate articles, article_pairs, claims, reviews, work cascade`;
});

const { signal } = new AbortController();

/** Finds and stores the claims of articles, as a process of its own that keeps its vectors. */
function finder(of: Store = store, over: Partial<ClaimParts> = {}) {
  const deps = claimDeps({
    store: of,
    embedder: wordEmbedder,
    classifier: testClassifier,
    encoder: undefined,
    ...over,
  });
  if (deps === undefined) throw new Error("there are no models");
  return (ids: readonly number[]) => storeClaims(deps, ids, { signal });
}

async function articles(...contents: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [i, content] of contents.entries()) {
    const lang = /[\u0600-\u06ff]/.test(content) ? "ar" : "en";
    ids.push(...(await admitItems(store, [testItem({ content, lang, sourceId: `source-${i}` })])));
  }
  await sql`update articles set state = 'indexed'`;
  return ids;
}

const list = () => store.claims.list({ sort: "repeats", limit: 50 });

test("sentences that are worth a check are kept, with their places in code points", async () => {
  const content = "😀 Nothing was said about it here. 😀 The bridge cost 40 million dollars to build. It was fine.";
  const [id = 0] = await articles(content);
  expect(await finder()([id])).toEqual({ claims: 1, new_claims: 1 });
  const [claim] = await list();
  expect(codePointSlice(content, claim?.start ?? 0, claim?.end ?? 0)).toContain("The bridge cost 40 million dollars");
  expect(claim?.text).toBe(codePointSlice(content, claim?.start ?? 0, claim?.end ?? 0));
  expect(await sql`select from claim_finds`).toHaveLength(1);
});

test("from a score of the operator's on, fewer are kept", async () => {
  const ids = await articles("Some 40 people came to the harbour. About 4000 people came to the market.");
  await finder(store, { minScore: 1 })(ids);
  expect((await list()).map(({ score }) => score)).toEqual([1, 1]);
  await finder(store, { minScore: 0.2 })(ids);
  expect(await list()).toHaveLength(2);
});

test("the same claim of other articles is one claim; with another number, name or direction it is another", async () => {
  const ids = await articles(
    "Unemployment in Jordan rose to 22 percent last year.",
    "Last year unemployment in Jordan rose to 22 percent.",
    "Unemployment in Jordan rose to 23 percent last year.",
    "Unemployment in Jordan fell to 22 percent last year.",
    "Unemployment in Jordan has not risen to 22 percent last year.",
  );
  await finder()(ids.slice(0, 1));
  await finder()(ids.slice(1));
  expect((await list()).map(({ articles: count }) => count)).toEqual([2, 1, 1, 1]);
  expect(await list()).toMatchObject([{ sources: 2 }, {}, {}, {}]);
});

test("an article that is read again keeps its claims, and one without any is done as well", async () => {
  const ids = await articles("The bridge cost 40 million dollars to build.", "Nothing was said about it here.");
  const find = finder();
  await find(ids);
  const [before] = await list();
  await find(ids);
  expect(await list()).toMatchObject([{ claimId: before?.claimId, articles: 1 }]);
  expect(await sql`select from claim_finds`).toHaveLength(2);
});

test("two workers side by side store each claim once", async () => {
  const said = (i: number) => `Report ${i * 11 + 100} says that the bridge number ${i * 7 + 300} was closed.`;
  const ids = await articles(...Array.from({ length: 12 }, (_, i) => said(i % 6)));
  const [one, two] = [finder(another()), finder(another())];
  const odd = ids.filter((_, i) => i % 2 === 1);
  const even = ids.filter((_, i) => i % 2 === 0);
  await Promise.all([...odd.map((id) => one([id])), two(even)]);
  expect((await list()).map(({ articles: count }) => count)).toEqual([2, 2, 2, 2, 2, 2]);
});

test("ClaimReviews of crawled pages become reviews, each once, and wrong ones do not", async () => {
  const [id = 0] = await articles("The bridge cost 40 million dollars to build.");
  const review = {
    "@type": "ClaimReview",
    claimReviewed: "The bridge cost 40 million.",
    reviewRating: { ratingValue: 2 },
  };
  const texts = [
    JSON.stringify(review),
    "{",
    "[[[",
    JSON.stringify({ ...review, claimReviewed: 5 }),
    JSON.stringify("x"),
  ];
  await sql`update articles set url = 'https://www.check.example/1', raw = ${sql.json({ claim_reviews: [...texts, 7] })}`;
  await finder()([id]);
  await finder()([id]);
  expect(await store.reviews.list({ limit: 10 })).toMatchObject([
    { claimText: "The bridge cost 40 million.", rating: 2, publisher: "check.example", origin: "crawl" },
  ]);
});
