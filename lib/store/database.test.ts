import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "./client.ts";
import { watchWrites } from "./database.ts";
import { admitItems, testDatabase, testItem, testStore } from "./testing.ts";

describe("writes", async () => {
  setDefaultTimeout(300_000);

  const database = await testDatabase();
  const sql = connect(database.url, { max: 2 });
  afterAll(async () => {
    await sql.end({ timeout: 1 });
    await database.drop();
  });

  const full = Object.assign(new Error("no room"), { code: "53100" });
  const locked = Object.assign(new Error("a row is held"), { code: "55P03" });
  const fail = (error: Error) => () => Promise.reject(error);

  test("the database is asked once a second, and one answer serves all who ask meanwhile", async () => {
    let at = 0;
    const writes = watchWrites(sql, () => at);
    const stamp = async () => (await sql<{ at: string }[]>`select at::text from write_probe`)[0]?.at;
    await Promise.all([writes.check(), writes.check()]);
    const first = await stamp();
    await writes.check();
    expect(await stamp()).toBe(first);
    at = 1_001;
    await writes.check();
    expect(await stamp()).not.toBe(first);
  });

  test("a refused write counts for ten seconds, or until one goes through; a held row does not count", async () => {
    let at = 0;
    const writes = watchWrites(sql, () => at);
    await expect(writes.noting(fail(locked))).rejects.toBe(locked);
    await writes.check();
    await expect(writes.noting(fail(full))).rejects.toBe(full);
    await expect(writes.check()).rejects.toBe(full);
    expect(await writes.noting(async () => 7)).toBe(7);
    await writes.check();
    await expect(writes.noting(fail(full))).rejects.toBe(full);
    at = 10_000;
    await writes.check();
  });
});

describe("futures", async () => {
  setDefaultTimeout(300_000);

  const { store, url, close } = await testStore();
  const sql = new Bun.SQL(url, { max: 1 });
  afterAll(async () => {
    await sql.end();
    await close();
  });

  test("what waits for a time that only a wrong clock can have named is due now; what may wait that long is left", async () => {
    const [late = 0, soon = 0] = await admitItems(store, [testItem({}), testItem({})]);
    await sql`update articles set queued_at = now() + interval '1 day' where article_id = ${late}`;
    await sql`insert into work (article_id, stage, due_at, lease_owner, lease_until)
    values (${late}, 'relations', now() + interval '10 years', 'gone', now() + interval '1 day'),
      (${soon}, 'relations', now() + interval '10 minutes', 'here', now() + interval '1 minute')`;
    expect(await store.mendFutures()).toEqual({ "articles.queued_at": 1, "work.due_at": 1, "work.lease_until": 1 });
    expect(await store.mendFutures()).toEqual({});
    const rows = await sql`
    select article_id::int as id, due_at > now() as waits from work where stage = 'relations' order by 1`;
    expect(new Map([...rows].map(({ id, waits }) => [id, waits]))).toEqual(
      new Map([
        [late, false],
        [soon, true],
      ]),
    );
  });

  test("a pull that was asked for in the future keeps no other from being asked for", async () => {
    await store.sources.upsert([{ key: "p", provider: "news" }]);
    const due = { providers: ["news"], everyS: 900 };
    expect(await store.pulls.requestDue(due)).toBe(1);
    await sql`update pull_runs set status = 'succeeded', created_at = now() + interval '1 day'`;
    expect(await store.pulls.requestDue(due)).toBe(1);
    await sql`update pull_runs set status = 'succeeded'`;
    expect(await store.pulls.requestDue(due)).toBe(0);
  });
});
