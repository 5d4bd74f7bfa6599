import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openStore, type Store } from "../store.ts";
import { discovery, newItem, type TestDatabase, testDatabase } from "../testing.ts";
import { type LosingProxy, losingProxy } from "../testing-faults.ts";
import { NO_COUNTS } from "./runs.ts";

setDefaultTimeout(300_000);

let db: TestDatabase;
let proxy: LosingProxy;
let store: Store;

beforeAll(async () => {
  db = await testDatabase();
  proxy = await losingProxy(db.url);
  store = openStore(proxy.url, { max: 2, name: "loser" });
});

afterAll(async () => {
  await store.close();
  await proxy.close();
  await db.drop();
});

/** A run of a profile of its own that has discovered three articles and taken them. */
async function begunRun(profileId: string) {
  const { runs, frontier } = store.scraper;
  await runs.create({ profileId, provider: "rss", trigger: "cli" });
  const run = await runs.claim("o", { leaseS: 60, profileIds: [profileId] });
  if (run === undefined) throw new Error("there is no run");
  return { runId: run.runId, take: () => frontier.take(profileId, { limit: 3, owner: "o", leaseS: 60 }) };
}

for (const when of ["answered", "unsent"] as const) {
  test(`a scrape counts once when the answer to its commit is lost (${when})`, async () => {
    const profileId = `lost-${when}`;
    const { frontier, items, runs } = store.scraper;
    const { runId, take } = await begunRun(profileId);
    const before = proxy.lost();

    proxy.loseNext(when);
    const entries = ["a", "b", "c"].map((name) => discovery(name));
    expect(await frontier.discover(runId, profileId, entries)).toEqual({ fresh: 3, changed: 0, known: 0 });
    const [first, second, third] = await take();
    if (first === undefined || second === undefined || third === undefined) throw new Error("three were discovered");

    proxy.loseNext(when);
    const counts = { fetched: 1, extracted: 1 };
    expect(await items.keep(newItem(profileId, "a", { runId, url: first.url, counts }))).toBe("new");
    proxy.loseNext(when);
    await frontier.settle(profileId, second.url, {
      state: "failed",
      counted: { runId, counts: { fetched: 1, failed: 1 } },
    });
    proxy.loseNext(when);
    await frontier.settle(profileId, third.url, {
      state: "retry",
      delayS: 60,
      counted: { runId, counts: { fetched: 1 } },
    });

    expect(proxy.lost()).toBe(before + 4);
    expect((await runs.get(runId))?.counts).toEqual({
      ...NO_COUNTS,
      discovered: 3,
      fetched: 3,
      extracted: 1,
      failed: 1,
    });
    expect(await items.countsOfRun(runId)).toMatchObject({ pending: 1 });
  });
}
