import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { admitItems, testItem, testStore } from "./testing.ts";

setDefaultTimeout(60_000);

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
