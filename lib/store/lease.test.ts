import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { type ClaimOptions, claiming, heartbeat, type Lease, type LeaseTable, release } from "./lease.ts";
import { type TestStore, testStore } from "./testing.ts";

setDefaultTimeout(300_000);

/** A table like those of the platform, and work that is over once `done` is set. */
const JOBS: LeaseTable = { name: "jobs", key: ["kind", "no"], open: "not w.done" };

let opened: TestStore;
beforeAll(async () => {
  opened = await testStore();
  await opened.sql`create table jobs (kind text, no integer, done boolean not null default false, note text,
    lease_owner text, lease_until timestamptz, attempts integer not null default 0, primary key (kind, no))`;
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.sql`truncate jobs`;
  await opened.sql`insert into jobs (kind, no) select 'a', n from generate_series(1, 20) n`;
});

type Claimed = { no: number; attempts: number; lastOwner: string | null };

async function claim(lease: Lease, options: Partial<ClaimOptions> = {}): Promise<Claimed[]> {
  return await opened.sql<Claimed[]>`
    with ${claiming(opened.sql, JOBS, lease, { orderBy: "w.no", limit: 3, ...options })}
    select no, attempts, last_owner as "lastOwner" from claimed join free using (kind, no) order by no`;
}

const nosOf = (rows: readonly Claimed[]) => rows.map(({ no }) => no);

/** Lets the leases of this owner end. */
const silence = (owner: string) =>
  opened.sql`update jobs set lease_until = now() - interval '1 second' where lease_owner = ${owner}`;

test("rows go to one owner at a time, in their order", async () => {
  expect(await claim({ owner: "x", leaseS: 60 })).toEqual([
    { no: 1, attempts: 1, lastOwner: null },
    { no: 2, attempts: 1, lastOwner: null },
    { no: 3, attempts: 1, lastOwner: null },
  ]);
  expect(nosOf(await claim({ owner: "y", leaseS: 60 }))).toEqual([4, 5, 6]);
});

test("of many who claim at once nobody waits, and no row goes to two", async () => {
  const claims = await Promise.all(Array.from({ length: 8 }, (_, n) => claim({ owner: `o-${n}`, leaseS: 60 })));
  const nos = claims.flatMap(nosOf);
  expect(new Set(nos).size).toBe(nos.length);
  expect(nos).toHaveLength(20);
});

test("a row whose owner is silent goes to the next one, who learns whose it was", async () => {
  await claim({ owner: "dead", leaseS: 60 }, { limit: 1 });
  await silence("dead");
  expect(await claim({ owner: "heir", leaseS: 60 }, { limit: 1 })).toEqual([{ no: 1, attempts: 2, lastOwner: "dead" }]);
  expect(await heartbeat(opened.sql, JOBS, { owner: "dead", leaseS: 60 })).toBe(0);
});

test("a heartbeat keeps the rows, and may say how far they are", async () => {
  await claim({ owner: "x", leaseS: 60 }, { limit: 2 });
  await silence("x");
  const set = opened.sql`, note = 'half of it'`;
  expect(await heartbeat(opened.sql, JOBS, { owner: "x", leaseS: 60 }, { set })).toBe(2);
  expect(nosOf(await claim({ owner: "y", leaseS: 60 }, { limit: 1 }))).toEqual([3]);
  expect(await opened.sql`select 1 from jobs where note = 'half of it'`).toHaveLength(2);
});

test("what is given back counts as never taken; what is done is left alone", async () => {
  await claim({ owner: "x", leaseS: 60 }, { limit: 2 });
  await opened.sql`update jobs set done = true where no = 1`;
  expect(await release(opened.sql, JOBS, "x")).toBe(1);
  expect(await release(opened.sql, JOBS, "x")).toBe(0);
  expect(await claim({ owner: "y", leaseS: 60 }, { limit: 1 })).toEqual([{ no: 2, attempts: 1, lastOwner: null }]);
});

test("a row that was taken as often as allowed, and never ended, is taken no more", async () => {
  const options = { limit: 1, maxAttempts: 2, where: opened.sql`and w.no = 1` };
  for (const owner of ["x", "y"]) {
    expect(nosOf(await claim({ owner, leaseS: 60 }, options))).toEqual([1]);
    await silence(owner);
  }
  expect(await claim({ owner: "z", leaseS: 60 }, options)).toEqual([]);
});
