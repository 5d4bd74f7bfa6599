import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { testStore } from "../testing.ts";
import { newItem, scrapedItem } from "./testing.ts";
import type { PendingItem } from "./types.ts";

setDefaultTimeout(60_000);

const { store, another, sql, close } = await testStore();
const [a, b] = [store.scraper, another().scraper];
afterAll(close);

let names = 0;

/** A profile of its own with items 1 to `count` to be sent. */
async function profileWith(count: number, runId: string | null = null): Promise<string> {
  const profileId = `profile-${names++}`;
  for (let n = 1; n <= count; n++) await a.items.keep(newItem(profileId, String(n), { runId }));
  return profileId;
}

const pending = (profileId: string, limit = 100) => a.items.pending({ profileId, limit, owner: "o", leaseS: 600 });
const namesOf = (items: readonly PendingItem[]) => items.map(({ item }) => item.id);
const found = async (profileId: string) =>
  (await b.items.find({ profileId, limit: 100 })).map(({ item, state, articleId, reason }) => ({
    id: item.id,
    state,
    articleId,
    reason,
  }));

test("items are handed out oldest first, whole, of the profile or run that is asked for", async () => {
  const runId = Bun.randomUUIDv7();
  const profile = await profileWith(3, runId);
  await profileWith(1);
  const first = await pending(profile, 2);
  expect(namesOf(first)).toEqual(["1", "2"]);
  expect(first[0]).toMatchObject({ item: scrapedItem("1"), revision: 1, attempts: 0, runId, contentHash: "hash of 1" });
  expect(namesOf(await a.items.pending({ runId, limit: 9, owner: "o", leaseS: 600 }))).toEqual(["3"]);
});

test("an item is handed out to one sender at a time", async () => {
  const profile = await profileWith(40);
  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? a : b).items.pending({ profileId: profile, limit: 4, owner: `o${i}`, leaseS: 600 }),
    ),
  );
  const ids = [...taken.flat(), ...(await pending(profile))].map(({ id }) => id);
  expect(ids).toHaveLength(40);
  expect(new Set(ids).size).toBe(40);
  expect(await pending(profile)).toEqual([]);
});

test("what a sender took with it into death is handed out again", async () => {
  const profile = await profileWith(1);
  expect(await pending(profile)).toMatchObject([{ attempts: 0 }]);
  await sql`update scraper_items set lease_until = lease_until - interval '10 minutes' where profile_id = ${profile}`;
  expect(await pending(profile)).toMatchObject([{ attempts: 1 }]);
});

test("each item keeps what became of it; one given back is handed out again in its time", async () => {
  const profile = await profileWith(6);
  const items = await pending(profile);
  const ends = [
    { state: "sent", articleId: 11 },
    { state: "duplicate", articleId: 12 },
    { state: "conflict", articleId: 13 },
    { state: "failed", reason: "content-too-short\u0000" },
    { state: "pending", reason: "status 503", delayS: 3600 },
    { state: "pending" },
  ] as const;
  await a.items.settle(
    items.flatMap(({ id, revision }, i) => ends.slice(i, i + 1).map((end) => ({ id, revision, ...end }))),
  );
  await a.items.settle([]);
  expect((await found(profile)).toReversed()).toEqual([
    { id: "1", state: "sent", articleId: 11, reason: null },
    { id: "2", state: "duplicate", articleId: 12, reason: null },
    { id: "3", state: "conflict", articleId: 13, reason: null },
    { id: "4", state: "failed", articleId: null, reason: "content-too-short" },
    { id: "5", state: "pending", articleId: null, reason: "status 503" },
    { id: "6", state: "pending", articleId: null, reason: null },
  ]);
  expect(namesOf(await pending(profile))).toEqual(["6"]);
});

test("what is settled stays so, whoever comes late", async () => {
  const profile = await profileWith(1);
  const [item] = await pending(profile);
  const { id = 0, revision = 0 } = item ?? {};
  await a.items.settle([{ id, revision, state: "sent", articleId: 5 }]);
  await b.items.settle([{ id, revision, state: "pending" }]);
  await b.items.settle([{ id, revision, state: "failed", reason: "late" }]);
  expect(await found(profile)).toEqual([{ id: "1", state: "sent", articleId: 5, reason: null }]);
});

test("content that changes while the old is being sent waits for its end, and is then sent itself", async () => {
  const profile = await profileWith(1);
  const [old] = await pending(profile);
  await b.items.keep(newItem(profile, "1", { contentHash: "other", item: scrapedItem("1", { title: "changed" }) }));
  expect(await pending(profile)).toEqual([]);
  await a.items.settle([{ id: old?.id ?? 0, revision: old?.revision ?? 0, state: "sent", articleId: 9 }]);
  const [next] = await pending(profile);
  expect(next).toMatchObject({ item: { title: "changed" }, revision: 2, articleId: 9 });
  await a.items.settle([{ id: next?.id ?? 0, revision: next?.revision ?? 0, state: "conflict" }]);
  expect(await found(profile)).toEqual([{ id: "1", state: "conflict", articleId: 9, reason: null }]);
});
