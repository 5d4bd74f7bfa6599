import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { discovery, newItem, testStore } from "../testing.ts";
import type { FrontierRow } from "./frontier.ts";

setDefaultTimeout(300_000);

const { store, another, sql, close } = await testStore();
const [a, b] = [store.scraper, another().scraper];
afterAll(close);

let names = 0;

const newProfile = () => `profile-${names++}`;
const take = (profileId: string, limit = 10, owner = "o") => a.frontier.take(profileId, { limit, owner, leaseS: 600 });
const idsOf = (rows: readonly FrontierRow[]) => rows.map((row) => row.url.split("/").at(-1));

/** Makes every change of a table fail until the function that it gives is called. */
async function sabotage(table: string): Promise<() => Promise<void>> {
  await sql
    .unsafe(`create or replace function refuse() returns trigger language plpgsql as
    $f$ begin raise exception 'sabotaged'; end $f$;
    create trigger refuse before insert or update on ${table} execute function refuse()`)
    .simple();
  return async () => void (await sql.unsafe(`drop trigger refuse on ${table}`));
}

describe("discovering", () => {
  test("tells new articles from known and changed ones", async () => {
    const profile = newProfile();
    const run = Bun.randomUUIDv7();
    const entries = [discovery("1"), discovery("2", { entry: { title: "عنوان\u0000" }, category: "politics" })];
    expect(await a.frontier.discover(run, profile, entries)).toEqual({ fresh: 2, changed: 0, known: 0 });
    expect(await a.frontier.discover(null, profile, entries)).toEqual({ fresh: 0, changed: 0, known: 2 });
    expect(await take(profile)).toEqual([
      {
        url: "https://desk.example/1",
        runId: run,
        entry: { title: "1" },
        category: null,
        attempts: 0,
        discoveredAt: expect.stringMatching(/Z$/),
        reason: null,
      },
      expect.objectContaining({ entry: { title: "عنوان" }, category: "politics" }),
    ]);
    await a.frontier.settle(profile, "https://desk.example/1", { state: "done" });
    await a.frontier.settle(profile, "https://desk.example/2", { state: "done" });
    const later = [discovery("1"), discovery("2", { stamp: "2" }), discovery("3")];
    expect(await a.frontier.discover(null, profile, later)).toEqual({ fresh: 1, changed: 1, known: 1 });
    expect(idsOf(await take(profile))).toEqual(["2", "3"]);
  });

  test("an empty stamp changes nothing, and is filled in by the first one that follows", async () => {
    const profile = newProfile();
    await a.frontier.discover(null, profile, [discovery("1", { stamp: "", entry: {} })]);
    const [row] = await take(profile);
    await a.frontier.settle(profile, row?.url ?? "", { state: "done" });
    const known = { fresh: 0, changed: 0, known: 1 };
    expect(await a.frontier.discover(null, profile, [discovery("1", { stamp: "v1" })])).toEqual(known);
    expect(await a.frontier.discover(null, profile, [discovery("1", { stamp: "" })])).toEqual(known);
    expect(await a.frontier.discover(null, profile, [discovery("1", { stamp: "v1" })])).toEqual(known);
    expect(await take(profile)).toEqual([]);
    expect(await a.frontier.discover(null, profile, [discovery("1", { stamp: "v2" })])).toMatchObject({ changed: 1 });
  });

  test("of entries with one address the first counts; addresses may be long; profiles are apart", async () => {
    const [profile, other] = [newProfile(), newProfile()];
    const url = `https://desk.example/${"ش".repeat(5000)}`;
    const twice = [discovery("1", { url, entry: { n: 1 } }), discovery("1", { url, entry: { n: 2 } })];
    expect(await a.frontier.discover(null, profile, twice)).toEqual({ fresh: 1, changed: 0, known: 0 });
    expect(await a.frontier.discover(null, other, twice)).toMatchObject({ fresh: 1 });
    expect(await take(profile)).toMatchObject([{ url, entry: { n: 1 } }]);
    await a.frontier.settle(profile, url, { state: "failed", reason: "status 404" });
    expect(await a.frontier.discover(null, profile, [])).toEqual({ fresh: 0, changed: 0, known: 0 });
    expect(await a.frontier.take(other, { limit: 1, owner: "o", leaseS: 1 })).toHaveLength(1);
  });

  test("the same feed read twice at once is kept once", async () => {
    const profile = newProfile();
    const entries = Array.from({ length: 50 }, (_, i) => discovery(String(i)));
    const answers = await Promise.all([
      a.frontier.discover(null, profile, entries),
      b.frontier.discover(null, profile, entries.toReversed()),
    ]);
    expect(answers.map(({ fresh }) => fresh).reduce((sum, n) => sum + n)).toBe(50);
    expect(await take(profile, 100)).toHaveLength(50);
  });

  test("keeps the entries and the feed's validators together or not at all", async () => {
    const profile = newProfile();
    const feed = "https://desk.example/feed";
    const seen = { url: feed, etag: '"7"', lastModified: "yesterday", contentHash: "abc" };
    const mend = await sabotage("scraper_validators");
    const error = await a.frontier.discover(null, profile, [discovery("1")], seen).catch((e: unknown) => e);
    await mend();
    expect(String(error)).toContain("sabotaged");
    expect(await take(profile)).toEqual([]);
    expect(await a.validators.get(profile, feed)).toBeUndefined();
    await a.frontier.discover(null, profile, [discovery("1")], seen);
    expect(await take(profile)).toHaveLength(1);
    const { url: _, ...validators } = seen;
    expect(await b.validators.get(profile, feed)).toEqual(validators);
    const later = { etag: null, lastModified: null, contentHash: "def" };
    await b.validators.put(profile, feed, later);
    expect(await a.validators.get(profile, feed)).toEqual(later);
    expect(await a.validators.get(newProfile(), feed)).toBeUndefined();
  });
});

describe("reopening", () => {
  const grow = (profile: string, minutes: number) => sql`
    update scraper_frontier set discovered_at = discovered_at - make_interval(mins => ${minutes}),
      settled_at = settled_at - make_interval(mins => ${minutes}) where profile_id = ${profile}`;
  const reopen = (profile: string, newest = 10) =>
    a.frontier.reopen(profile, { newest, agesS: [600, 3_600], reason: "again" });

  test("lets the newest that were done wait again, once an age, with the reason", async () => {
    const profile = newProfile();
    await a.frontier.discover(null, profile, [discovery("old")]);
    await grow(profile, 1);
    await a.frontier.discover(null, profile, [discovery("first"), discovery("second"), discovery("failed")]);
    for (const { url } of await take(profile)) {
      await a.frontier.settle(profile, url, { state: url.endsWith("failed") ? "failed" : "done" });
    }
    expect(await reopen(profile)).toBe(0);
    await grow(profile, 11);
    expect(await reopen(newProfile())).toBe(0);
    expect(await reopen(profile, 2)).toBe(2);
    const rows = await take(profile);
    expect(rows).toMatchObject([
      { url: "https://desk.example/first", reason: "again", attempts: 0 },
      { url: "https://desk.example/second", reason: "again", attempts: 0 },
    ]);
    for (const { url } of rows) await a.frontier.settle(profile, url, { state: "done" });
    expect(await reopen(profile, 2)).toBe(0);
    await grow(profile, 500);
    expect(await reopen(profile)).toBe(3);
  });
});

describe("taking", () => {
  test("never hands one article to two, oldest first", async () => {
    const profile = newProfile();
    await a.frontier.discover(null, profile, [discovery("first"), discovery("second")]);
    await a.frontier.discover(
      null,
      profile,
      Array.from({ length: 58 }, (_, i) => discovery(String(i))),
    );
    expect(idsOf(await take(profile, 2))).toEqual(["first", "second"]);
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? a : b).frontier.take(profile, { limit: 5, owner: `o${i}`, leaseS: 600 }),
      ),
    );
    const rest = await take(profile, 100);
    const urls = [...taken.flat(), ...rest].map((row) => row.url);
    expect(urls).toHaveLength(58);
    expect(new Set(urls).size).toBe(58);
  });

  test("takes what the latest run discovered before what is left of earlier ones, each in its order", async () => {
    const profile = newProfile();
    const [earlier, later] = [Bun.randomUUIDv7("hex", 1_700_000_000_000), Bun.randomUUIDv7("hex", 1_800_000_000_000)];
    await a.frontier.discover(null, profile, [discovery("outside")]);
    await a.frontier.discover(earlier, profile, [discovery("archive-1"), discovery("archive-2"), discovery("changed")]);
    await a.frontier.discover(later, profile, [discovery("news-1"), discovery("news-2")]);
    await a.frontier.discover(later, profile, [discovery("changed", { stamp: "2" })]);
    expect(idsOf(await take(profile, 2))).toEqual(["changed", "news-1"]);
    expect(idsOf(await take(profile))).toEqual(["news-2", "archive-1", "archive-2", "outside"]);
  });

  test("hands an article out again when nobody settled it in time, counting", async () => {
    const profile = newProfile();
    await a.frontier.discover(null, profile, [discovery("1")]);
    expect(await take(profile)).toMatchObject([{ attempts: 0 }]);
    expect(await take(profile)).toEqual([]);
    await sql`update scraper_frontier set lease_until = lease_until - interval '10 minutes' where profile_id = ${profile}`;
    expect(await take(profile)).toMatchObject([{ attempts: 1 }]);
  });

  test("a retry waits its time; what is settled stays so, whoever comes late", async () => {
    const profile = newProfile();
    await a.frontier.discover(null, profile, [discovery("1"), discovery("2")]);
    const [one, two] = await take(profile);
    await a.frontier.settle(profile, one?.url ?? "", { state: "retry", reason: "timed-out", delayS: 3600 });
    await a.frontier.settle(profile, two?.url ?? "", { state: "retry" });
    expect(idsOf(await take(profile))).toEqual(["2"]);
    await a.frontier.settle(profile, two?.url ?? "", { state: "skipped", reason: "no article" });
    await b.frontier.settle(profile, two?.url ?? "", { state: "retry" });
    await b.frontier.settle(profile, two?.url ?? "", { state: "failed" });
    expect(await take(profile)).toEqual([]);
    expect((await a.frontier.counts()).filter((row) => row.profileId === profile)).toEqual([
      { profileId: profile, state: "skipped", count: 1 },
      { profileId: profile, state: "waiting", count: 1 },
    ]);
  });
});

test("an article is kept together with the end of its frontier row, or not at all", async () => {
  const profile = newProfile();
  await a.frontier.discover(null, profile, [discovery("1")]);
  const [row] = await take(profile);
  const item = newItem(profile, "1", { url: row?.url ?? "" });
  const mend = await sabotage("scraper_frontier");
  const error = await a.items.keep(item).catch((e: unknown) => e);
  await mend();
  expect(String(error)).toContain("sabotaged");
  expect(await a.items.find({ profileId: profile, limit: 1 })).toEqual([]);
  expect(await a.items.keep(item)).toBe("new");
  expect((await a.frontier.counts()).filter((count) => count.profileId === profile)).toEqual([
    { profileId: profile, state: "done", count: 1 },
  ]);
});
