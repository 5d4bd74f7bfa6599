import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { claimDeps, type ClaimParts } from "@isnad/lib/claims";
import { noNames, testClassifier, wordEmbedder } from "@isnad/lib/claims/testing";
import type { Store } from "@isnad/lib/store";
import type { Stage } from "@isnad/lib/work";
import { admitItems, testItem, testStage, testStore } from "@isnad/lib/store/testing";
import { enlistArchive, keepClaims } from "../upkeep.ts";

import { openPlatform } from "../testing/platform.ts";
import { runStage } from "../testing/run-stage.ts";
import { until } from "@isnad/lib/std/testing-until";
import { claims } from "../stages.ts";

setDefaultTimeout(300_000);

const { store, sql, close } = await testStore();
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
const stageOf = (of: Store, over?: Partial<ClaimParts>) => claims(depsOf(of, over));

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

test("a review finds the claims that say what it is of, and a new claim its reviews", async () => {
  const ids = await articles(
    "Unemployment in Jordan rose to 22 percent.",
    "Unemployment in Jordan rose to 23 percent.",
  );
  const deps = depsOf(store);
  if (deps === undefined) throw new Error("there are no models");
  await run(claims(deps), ids.slice(0, 1));
  const review = (claimText: string) => ({
    ...{ claimId: null, claimText, lang: "en", rating: 1, ratingText: null, url: null, publisher: "Desk" },
    ...{ publishedAt: null, item: null },
  });
  const texts = [22, 23, 24].map((n) => review(`In Jordan unemployment rose to ${n} percent.`));
  await store.reviews.create(texts, "desk");
  const { models, claims: followed } = deps;
  const upkeep = { store, tagger: undefined, claims: followed, instance: "me", ...models };
  const never = new AbortController().signal;
  expect(await keepClaims({ ...upkeep, instance: "other" }, never)).toBe(3);
  expect(await keepClaims(upkeep, never)).toBe(0);
  await run(claims(deps), ids.slice(1));
  const reviews = new Map((await list()).map(({ text, reviews }) => [text, reviews.length]));
  expect(reviews).toEqual(
    new Map([
      ["Unemployment in Jordan rose to 22 percent.", 1],
      ["Unemployment in Jordan rose to 23 percent.", 1],
    ]),
  );
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
    await platform.queues.add("ingestion", { id: "claims-1", data: { articleIds: [id] } });
    const found = async () => (await platform.store.claims.list({ sort: "score", limit: 5 })).length === 1;
    await until("its claim is kept", found);
  } finally {
    await platform.stopWorkers();
    await platform.close();
  }
});
