import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, isUnavailable, type Sql } from "../client.ts";
import { openStore, type Store } from "../store.ts";
import { discovery, newItem, type TestDatabase, testDatabase } from "../testing.ts";

setDefaultTimeout(300_000);

/** Entries are discovered until as many connections have been killed. */
const KILLS = 2;
let db: TestDatabase;
let killer: Sql;
let store: Store;

beforeAll(async () => {
  db = await testDatabase();
  killer = connect(db.url, { max: 1, name: "killer" });
  store = openStore(db.url, { max: 4, name: "victim" });
});

afterAll(async () => {
  await store.close();
  await killer.end();
  await db.drop();
});

/** Does something until the database takes it, as a crawler does. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await sleep(20);
    }
  }
}

test("what is discovered while connections are killed all the time is kept once and sent", async () => {
  const { runs, frontier, items } = store.scraper;
  let killed = 0;
  let on = true;
  const killing = (async () => {
    while (on) {
      const rows = await killer`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'victim' and datname = current_database()`;
      killed += rows.length;
      await sleep(60 + Math.random() * 120);
    }
  })();

  await insist(() => runs.create({ profileId: "p", provider: "rss", trigger: "cli" }));
  const run = await insist(() => runs.claim("o", { leaseS: 0 }));
  let articles = 0;
  while (articles < 20 || killed < KILLS) {
    const entries = Array.from({ length: 20 }, (_, i) => discovery(String(articles + i)));
    await insist(() => frontier.discover(run?.runId ?? null, "p", entries));
    articles += 10;
    await sleep(5);
  }
  articles += 10;
  const sent = new Set<string>();
  while (sent.size < articles) {
    const rows = await insist(() => frontier.take("p", { limit: 15, owner: "o", leaseS: 0.05 }));
    const fetched = rows.map(({ url }) => insist(() => items.keep(newItem("p", url.split("/").at(-1) ?? ""))));
    await Promise.all(fetched);
    const pending = await insist(() => items.pending({ limit: 9, owner: "o", leaseS: 0.05 }));
    for (const { item } of pending) sent.add(item.id);
    await insist(() => items.settle(pending.map(({ id, revision }) => ({ id, revision, state: "sent" }))));
  }
  on = false;
  await killing;

  expect(await insist(() => items.counts())).toMatchObject([{ state: "sent", count: articles }]);
  expect(await insist(() => frontier.counts())).toMatchObject([{ state: "done", count: articles }]);
});
