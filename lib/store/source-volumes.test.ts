import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Sql } from "./client.ts";
import { earliestUuid } from "./sources.ts";
import type { SourceDays, VolumeVerdict } from "./source-volumes.ts";
import { openStore, type Store } from "./store.ts";
import { admitItems, testDatabase, type TestDatabase, testItem } from "./testing.ts";

setDefaultTimeout(300_000);

const HARBOUR = { key: "harbour", name: "harbour", usual: 3 };
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Saturday, ten minutes past an hour. */
const START = Date.UTC(2026, 10, 28, 12, 10);

let database: TestDatabase;
let store: Store;
let sql: Sql;
beforeAll(async () => {
  database = await testDatabase();
  store = openStore(database.url);
  sql = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await store.close();
  await database.drop();
});

/** Admits articles as if they had come at these times. */
async function came(sourceId: string, ...times: number[]): Promise<void> {
  const ids = await admitItems(
    store,
    times.map(() => testItem({ sourceId })),
  );
  const rows = ids.map((id, i) => ({
    id,
    doc: earliestUuid(times[i] ?? 0).replace(/.{12}$/, String(id).padStart(12, "0")),
  }));
  await sql`
    update articles set doc_id = r.doc from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (id bigint, doc uuid)
    where article_id = r.id`;
}

const times = (count: number, at: number) => Array.from({ length: count }, () => at);
const seen = new Map<string, SourceDays>();
/** Quiet is a day without any, where weeks had some. */
const judge = (days: SourceDays): VolumeVerdict => {
  seen.set(days.key, days);
  const usual = days.before.length === 0 ? null : Math.max(...days.before);
  return { usual, state: days.lastDay === 0 && usual !== null && usual > 0 ? "quiet" : "usual" };
};
const watch = (now: number) => store.sourceStates.watchVolumes(judge, now);
const events = async () => {
  const rows = await sql<{ type: string; subject: string; data: object }[]>`
  select type, subject, data from outbox where type like 'source.%' order by event_id`;
  return [...rows];
};
const volume = async (key: string) => (await store.sourceStates.overviews({ key, limit: 1 }))[0]?.volume;

test("a source that has gone quiet is told of once, however many processes watch, and once when it is back", async () => {
  await store.sources.upsert([{ key: "harbour" }, { key: "off" }, { key: "new" }]);
  // When all hours of a day have been watched: those before the first watch were counted late.
  const judged = START + 22 * HOUR;
  for (let week = 1; week <= 3; week++) await came("harbour", ...times(week, judged - week * 7 * DAY - 3 * HOUR));
  await came("harbour", judged - 25 * HOUR, judged - 8 * DAY - HOUR, judged - 22 * DAY - HOUR);
  await came("off", ...times(3, judged - 7 * DAY - HOUR), judged - 15 * DAY);
  await came("new", START - HOUR);
  await store.sourceStates.switch("off", false);

  for (let hour = 0; hour < 22; hour++) expect(await watch(START + hour * HOUR)).toEqual([]);
  expect(seen.size).toBe(0);
  expect(await volume("harbour")).toMatchObject({ state: "usual", since: null, usual: null });

  const told = await Promise.all([watch(judged), watch(judged), watch(judged)]);
  expect(told.flat()).toEqual([{ key: "harbour", state: "quiet" }]);
  expect([...seen.values()]).toEqual([
    { key: "harbour", name: "harbour", state: "usual", lastDay: 0, before: [1, 2, 3] },
    { key: "new", name: "new", state: "usual", lastDay: 1, before: [] },
  ]);
  expect(await volume("harbour")).toEqual({
    ...{ state: "quiet", since: "2026-11-29T10:00:00.000Z", lastDay: 0, usual: 3 },
  });
  expect(await volume("off")).toMatchObject({ state: "usual" });
  expect(await store.sourceStates.unusual(9)).toEqual([{ key: "harbour", state: "quiet", lastDay: 0, usual: 3 }]);
  expect(await store.sourceStates.countUnusual()).toEqual({ quiet: 1, doubled: 0 });

  expect(await watch(judged + HOUR)).toEqual([]);
  await came("harbour", judged + HOUR);
  expect(await watch(judged + 2 * HOUR)).toEqual([{ key: "harbour", state: "usual" }]);
  expect(await events()).toEqual([
    { type: "source.quiet", subject: "source:harbour", data: { source: { ...HARBOUR, last_day: 0 } } },
    { type: "source.usual", subject: "source:harbour", data: { source: { ...HARBOUR, last_day: 1 } } },
  ]);
});

test("a day of which hours went by unwatched is judged once a whole day was watched again", async () => {
  const resumed = START + 60 * HOUR;
  seen.clear();
  expect(await watch(resumed)).toEqual([]);
  expect(seen.size).toBe(0);
  expect(await watch(START)).toEqual([]);
});
