import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { codePointSlice } from "@isnad/lib/text";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { admitItems, testItem, testStage, testStore } from "@isnad/lib/store/testing";
import { enlistArchive, keepClaims } from "../upkeep.ts";
import { noNames, testClassifier, wordEmbedder } from "../testing/claim-models.ts";
import { openPlatform } from "../testing/platform.ts";
import { runStage } from "../testing/run-stage.ts";
import { until } from "@isnad/lib/std/testing-until";
import { claimDeps, type ClaimParts, claims } from "./claims.ts";

setDefaultTimeout(300_000);

const { store, sql, another, close } = await testStore();
afterAll(close);
afterEach(async () => {
  await sql`truncate articles, article_pairs, claims, reviews, work cascade`;
});

const parts = (over: Partial<ClaimParts> = {}): ClaimParts => ({
  classifier: testClassifier,
  encoder: undefined,
  ...over,
});
const depsOf = (of: Store, over: Partial<ClaimParts> = {}) =>
  claimDeps({ store: of, embedder: wordEmbedder, ...parts(over) });
const stageOf = (of: Store, over?: Partial<ClaimParts>) => claims({ store: of, ...depsOf(of, over) });

async function articles(...contents: string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [i, content] of contents.entries()) {
    const lang = /[\u0600-\u06ff]/.test(content) ? "ar" : "en";
    ids.push(...(await admitItems(store, [testItem({ content, lang, sourceId: `source-${i}` })])));
  }
  await sql`update articles set state = 'indexed'`;
  return ids;
}

/** Runs a stage over articles that it holds. */
async function run(stage: Stage, ids: readonly number[]) {
  await sql`
    insert into work (article_id, stage, lease_owner, lease_until)
    select id, 'claims', 'test', now() + interval '1 hour' from unnest(${[...ids]}::bigint[]) as id
    on conflict do nothing`;
  return await runStage(stage, ids);
}

const list = () => store.claims.list({ sort: "repeats", limit: 50 });

test("sentences that are worth a check are kept, with their places in code points", async () => {
  const content = "😀 Nothing was said about it here. 😀 The bridge cost 40 million dollars to build. It was fine.";
  const [id = 0] = await articles(content);
  expect((await run(stageOf(store), [id])).counts).toEqual({ claims: 1, new_claims: 1 });
  const [claim] = await list();
  expect(codePointSlice(content, claim?.start ?? 0, claim?.end ?? 0)).toContain("The bridge cost 40 million dollars");
  expect(claim?.text).toBe(codePointSlice(content, claim?.start ?? 0, claim?.end ?? 0));
  expect(await sql`select from claim_finds`).toHaveLength(1);
});

test("from a score of the operator's on, fewer are kept", async () => {
  const ids = await articles("Some 40 people came to the harbour. About 4000 people came to the market.");
  await run(stageOf(store, { minScore: 1 }), ids);
  expect((await list()).map(({ score }) => score)).toEqual([1, 1]);
  await run(stageOf(store, { minScore: 0.2 }), ids);
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
  await run(stageOf(store), ids.slice(0, 1));
  await run(stageOf(store), ids.slice(1));
  expect((await list()).map(({ articles: count }) => count)).toEqual([2, 1, 1, 1]);
  expect(await list()).toMatchObject([{ sources: 2 }, {}, {}, {}]);
});

test("an article that is read again keeps its claims, and one without any is done as well", async () => {
  const ids = await articles("The bridge cost 40 million dollars to build.", "Nothing was said about it here.");
  const stage = stageOf(store);
  await run(stage, ids);
  const [before] = await list();
  await run(stage, ids);
  expect(await list()).toMatchObject([{ claimId: before?.claimId, articles: 1 }]);
  expect(await sql`select from claim_finds`).toHaveLength(2);
});

test("two workers side by side store each claim once", async () => {
  const said = (i: number) => `Report ${i * 11 + 100} says that the bridge number ${i * 7 + 300} was closed.`;
  const ids = await articles(...Array.from({ length: 12 }, (_, i) => said(i % 6)));
  const [one, two] = [stageOf(another()), stageOf(another())];
  const odd = ids.filter((_, i) => i % 2 === 1);
  const even = ids.filter((_, i) => i % 2 === 0);
  await Promise.all([...odd.map((id) => run(one, [id])), run(two, even)]);
  expect((await list()).map(({ articles: count }) => count)).toEqual([2, 2, 2, 2, 2, 2]);
});

test("a review finds the claims that say what it is of, and a new claim its reviews", async () => {
  const ids = await articles(
    "Unemployment in Jordan rose to 22 percent.",
    "Unemployment in Jordan rose to 23 percent.",
  );
  const deps = depsOf(store);
  await run(claims({ store, ...deps }), ids.slice(0, 1));
  const review = (claimText: string) => ({
    ...{ claimId: null, claimText, lang: "en", rating: 1, ratingText: null, url: null, publisher: "Desk" },
    ...{ publishedAt: null, item: null },
  });
  const texts = [22, 23, 24].map((n) => review(`In Jordan unemployment rose to ${n} percent.`));
  await store.reviews.create(texts, "desk");
  const { models, claims: followed } = deps;
  if (models === undefined || followed === undefined) throw new Error("there are no models");
  const upkeep = { store, tagger: undefined, claims: followed, instance: "me", ...models };
  const never = new AbortController().signal;
  expect(await keepClaims({ ...upkeep, instance: "other" }, never)).toBe(3);
  expect(await keepClaims(upkeep, never)).toBe(0);
  await run(claims({ store, ...deps }), ids.slice(1));
  const reviews = new Map((await list()).map(({ text, reviews }) => [text, reviews.length]));
  expect(reviews).toEqual(
    new Map([
      ["Unemployment in Jordan rose to 22 percent.", 1],
      ["Unemployment in Jordan rose to 23 percent.", 1],
    ]),
  );
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
  await run(stageOf(store), [id]);
  await run(stageOf(store), [id]);
  expect(await store.reviews.list({ limit: 10 })).toMatchObject([
    { claimText: "The bridge cost 40 million.", rating: 2, publisher: "check.example", origin: "crawl" },
  ]);
});

test("articles wait while there is no model, and those of an archive are queued for it", async () => {
  expect(stageOf(store, { classifier: undefined }).run).toBeUndefined();
  const ids = await articles("The bridge cost 40 million dollars to build.", "The road cost 50 million.");
  await sql`truncate work`;
  const never = new AbortController().signal;
  expect(await enlistArchive({ store, stretch: 1 }, never)).toBe(ids.length);
  expect(await testStage(store, "claims").backlog()).toEqual({ waiting: 2, setAside: 0 });
});

test("a worker finds the claims of what was posted, and of an archive", async () => {
  const platform = await openPlatform();
  try {
    const content = `The bridge cost 40 million dollars to build. ${"It was quiet again by nightfall. ".repeat(8)}`;
    const [id = 0] = await admitItems(platform.store, [testItem({ content })]);
    await platform.worker({ claimsMs: 50 }, { embedder: wordEmbedder, tagger: noNames, claims: parts() });
    await platform.queues.add("ingestion", [{ id: "claims-1", data: { articleIds: [id] } }]);
    const found = async () => (await platform.store.claims.list({ sort: "score", limit: 5 })).length === 1;
    await until("its claim is kept", found);
  } finally {
    await platform.stopWorkers();
    await platform.close();
  }
});
