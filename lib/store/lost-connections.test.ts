import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, isUnavailable, type Sql, type Tx } from "./client.ts";
import { openStore, type Store } from "./store.ts";
import { admitItems, indexedArticles, type TestDatabase, testDatabase, testItem } from "./testing.ts";
import { transaction } from "./transaction.ts";

setDefaultTimeout(300_000);

let db: TestDatabase;
let sql: Sql;
let killer: Sql;
let store: Store;

beforeAll(async () => {
  db = await testDatabase();
  sql = connect(db.url, { max: 3, name: "victim" });
  killer = connect(db.url, { max: 2, name: "killer" });
  store = openStore(db.url, { max: 4, name: "victim" });
  await sql`create table marks (n int)`;
});

afterAll(async () => {
  await store.close();
  await sql.end();
  await killer.end();
  await db.drop();
});

async function kill(pid: number): Promise<void> {
  await killer`select pg_terminate_backend(${pid})`;
}

/** Resolves once that connection sleeps in a statement. */
async function asleep(pid: number): Promise<void> {
  for (let found = 0; found === 0; await sleep(2)) {
    found = (await killer`select from pg_stat_activity where pid = ${pid} and wait_event = 'PgSleep'`).length;
  }
}

/**
 * Kills one connection of the store after the other, until stopped: `everyMs` apart, and never faster than the server
 * lets a new connection in, so that a busy machine has as many chances as an idle one.
 */
function rampage(everyMs: number): () => Promise<void> {
  let on = true;
  const running = (async () => {
    while (on) {
      // Each is waited for until it is gone.
      await killer`select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where application_name = 'victim' and datname = current_database() order by random() limit 1`;
      const another = connect(db.url, { max: 1, name: "another" });
      await another`select 1`;
      await another.end();
      await sleep(everyMs * (0.5 + Math.random()));
    }
  })();
  return async () => {
    on = false;
    await running;
    // The last loss is still on its way through this process.
    await sleep(50);
  };
}

describe("a connection killed in a transaction", () => {
  const moments: [string, (pid: number) => Promise<unknown>][] = [
    ["between two statements", (pid) => kill(pid).then(() => sleep(5))],
    ["while a statement is on its way", async (pid) => void kill(pid)],
  ];
  for (const [when, at] of moments) {
    test(`${when} leaves nothing of it behind, and nothing of it runs on another connection`, async () => {
      for (let n = 0; n < 30; n++) {
        const work = sql.begin(async (tx) => {
          const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
          await tx`insert into marks values (${n})`;
          await at(row?.pid ?? 0);
          await tx`insert into marks values (${1000 + n})`;
          await sleep(2);
          await tx`insert into marks values (${2000 + n})`;
          // The kill may come this late.
          await tx`select pg_sleep(60)`;
        });
        const error = await work.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(isUnavailable(error)).toBe(true);
      }
      expect(await killer`select 1 from marks`).toHaveLength(0);
    });
  }

  test("while megabytes are being sent to it fails the statement alone", async () => {
    for (let n = 0; n < 5; n++) {
      const work = sql.begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        const big = tx`select length(${"x".repeat(4e6)}::text), pg_sleep(60)`;
        void kill(row?.pid ?? 0);
        await big;
      });
      const error = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isUnavailable(error)).toBe(true);
    }
    expect(await sql`select 1 as one`).toMatchObject([{ one: 1 }]);
  });

  test("is run again from its start by the store", async () => {
    let runs = 0;
    const result = await transaction(sql, async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx`insert into marks values (1)`;
      if (++runs < 3) await kill(row?.pid ?? 0);
      await tx`insert into marks values (2)`;
      return runs;
    });
    expect(result).toBe(3);
    expect(await killer`select 1 from marks`).toHaveLength(2);
    await sql`delete from marks`;
  });

  test("at the commit is run again only if it may be repeated", async () => {
    // A trigger that is due at the commit, and sleeps in the first one until it is killed.
    await sql`create table slow (n int)`;
    await sql.unsafe(`
      create function dawdle() returns trigger language plpgsql as
        'begin perform pg_sleep(case when new.n = 1 then 60 else 0 end); return null; end';
      create constraint trigger late after insert on slow deferrable initially deferred
        for each row execute function dawdle()`);
    for (const repeatable of [false, true]) {
      let runs = 0;
      let killed: Promise<void> | undefined;
      const work = async (tx: Tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await tx`insert into slow values (${++runs})`;
        if (runs === 1) killed = asleep(row?.pid ?? 0).then(() => kill(row?.pid ?? 0));
      };
      const error = await transaction(sql, work, { repeatable }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(isUnavailable(error)).toBe(!repeatable);
      expect(runs).toBe(repeatable ? 2 : 1);
      await killed;
    }
    expect(await sql`select 1 from slow`).toHaveLength(1);
  });
});

describe("the store, while its connections are killed all the time", () => {
  test("admits every article once, loses none, and fails with nothing but a classified error", async () => {
    const stop = rampage(10);
    const items = Array.from({ length: 60 }, () => testItem());
    const errors: unknown[] = [];
    await Promise.all(
      items.map(async (item) => {
        for (;;) {
          try {
            return await store.admission.admit([item, testItem()], { requireKnownSource: false });
          } catch (error) {
            errors.push(error);
          }
        }
      }),
    );
    await stop();
    expect(errors.filter((error) => !isUnavailable(error))).toEqual([]);
    const [row] = await killer<{ found: number; different: number }[]>`
      select count(*)::int as found, count(distinct content_hash)::int as different from articles
      where external_id = any(${items.map((item) => item.externalId)})`;
    expect(row).toEqual({ found: 60, different: 60 });
  });

  test("indexes every article once, with one event each", async () => {
    const ids = await admitItems(
      store,
      Array.from({ length: 40 }, () => testItem()),
    );
    await store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en" })));
    const stop = rampage(10);
    await Promise.all(
      ids.map(async (articleId) => {
        const chunks = [{ no: 0, start: 0, end: 5, vector: Float32Array.of(1, 0) }];
        for (let done = false; !done; ) {
          done = await store.indexing.commit([{ articleId, chunks }], { modelId: "m@1" }).then(
            () => true,
            () => false,
          );
        }
      }),
    );
    await stop();
    const [row] = await killer<{ indexed: number; chunks: number; events: number }[]>`
      select (select count(*)::int from articles where article_id = any(${ids}) and state = 'indexed') as indexed,
        (select count(*)::int from chunks where article_id = any(${ids})) as chunks,
        (select count(*)::int from outbox where article_id = any(${ids})) as events`;
    expect(row).toEqual({ indexed: 40, chunks: 40, events: 40 });
  });

  test("answers what only reads", async () => {
    const [id = 0] = await indexedArticles(store, 1);
    const stop = rampage(30);
    for (let n = 0; n < 60; n++) {
      expect(await store.articles.byIds([id], ["articleId"])).toHaveLength(1);
      await sleep(5);
    }
    await stop();
  });

  test("works on as if nothing had happened once it is left alone", async () => {
    expect(await admitItems(store, [testItem(), testItem()])).toHaveLength(2);
    await Promise.all(Array.from({ length: 12 }, () => store.ping()));
  });
});
