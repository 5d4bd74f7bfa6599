import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, connect, type Sql } from "./client.ts";
import { type TestDatabase, testDatabase } from "./testing.ts";
import { onceConnected, RunAgain, repeating, transaction } from "./transaction.ts";

setDefaultTimeout(300_000);

let db: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  db = await testDatabase({ empty: true });
  sql = connect(db.url, { max: 1 });
  // Deadlocks are looked for this soon, and not after a second.
  await sql.unsafe(`alter database ${new URL(db.url).pathname.slice(1)} set deadlock_timeout = '50ms'`);
  await sql.end();
  sql = connect(db.url, { max: 4 });
  await sql`create table t (k int primary key, v int)`;
  await sql`insert into t values (1, 0), (2, 0)`;
});

afterAll(async () => {
  await sql.end();
  await db.drop();
});

describe("transaction", () => {
  test("runs again the victim of a deadlock, until both sides are done", async () => {
    const meet = Promise.withResolvers<void>();
    let first = 0;
    const cross = (a: number, b: number) =>
      transaction(sql, async (tx) => {
        await tx`update t set v = v + 1 where k = ${a}`;
        if (++first === 2) meet.resolve();
        await meet.promise;
        await tx`update t set v = v + 1 where k = ${b}`;
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    const rows = await sql<{ v: number }[]>`select v from t order by k`;
    expect(rows.map((row) => row.v)).toEqual([2, 2]);
  });

  test("runs again what asks for it, and gives up after ten times", async () => {
    let runs = 0;
    const twice = transaction(sql, async () => {
      if (++runs < 3) throw new RunAgain();
      return runs;
    });
    expect(await twice).toBe(3);
    runs = 0;
    const never = transaction(sql, async () => {
      runs++;
      throw new RunAgain();
    });
    await expect(never).rejects.toBeInstanceOf(RunAgain);
    expect(runs).toBe(10);
  });

  test("runs again what the server has ended for its silence", async () => {
    let runs = 0;
    const done = transaction(sql, async (tx) => {
      const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx`set local idle_in_transaction_session_timeout = ${sql.unsafe(++runs === 1 ? "1" : "0")}`;
      const isThere = async () => (await sql`select from pg_stat_activity where pid = ${row?.pid ?? 0}`).length > 0;
      while (runs === 1 && (await isThere())) await sleep(5);
      await tx`select 1`;
      return runs;
    });
    expect(await done).toBe(2);
  });

  test("undoes everything when the work fails, and does not run it again", async () => {
    let runs = 0;
    const failing = transaction(sql, async (tx) => {
      runs++;
      await tx`insert into t values (9, 9)`;
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(runs).toBe(1);
    expect(await sql`select 1 from t where k = 9`).toHaveLength(0);
  });
});

describe("a statement outside of a transaction", () => {
  for (const [name, run] of Object.entries({ repeating, onceConnected })) {
    test(`is run again by ${name} when it was the victim of a deadlock`, async () => {
      let statement: Promise<unknown> | undefined;
      const gate = await sql.reserve();
      await gate`select pg_advisory_lock(1)`;
      await sql.begin(async (tx) => {
        // The other is undone: it waits last, once it has passed the gate, and looks for a deadlock first.
        await tx`set local deadlock_timeout = '10min'`;
        await tx`update t set v = 0 where k = 2`;
        statement = run(
          async () =>
            await sql`
          with first as (update t set v = v + 1 where k = 1 returning k),
            gate as (select pg_advisory_xact_lock(1) from first)
          update t set v = v + 1 from gate where t.k = 2`,
        );
        await waiting(1);
        const update = tx`update t set v = 0 where k = 1`.execute();
        await waiting(2);
        await gate`select pg_advisory_unlock(1)`;
        await update;
      });
      gate.release();
      await statement;
      const rows = await sql<{ v: number }[]>`select v from t where k in (1, 2)`;
      expect(rows.map((row) => row.v)).toEqual([1, 1]);
    });
  }

  /** Resolves once so many statements wait for a lock. */
  async function waiting(count: number): Promise<void> {
    for (let found = 0; found < count; await sleep(2)) {
      found = (
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      ).length;
    }
  }

  test("is not tried again once its pool was closed, and one whose connection was refused is", async () => {
    const attempts = async (pool: Sql): Promise<[number, unknown]> => {
      let made = 0;
      const work = async () => {
        made++;
        await pool`select 1`;
      };
      const error = await repeating(work).catch((reason: unknown) => reason);
      return [made, codeOf(error)];
    };
    const closed = connect(db.url, { max: 1 });
    await closed.end();
    expect(await attempts(closed)).toEqual([1, "CONNECTION_ENDED"]);
    const away = connect("postgres://nobody@127.0.0.1:1/none", { max: 1 });
    expect(await attempts(away)).toEqual([5, "ECONNREFUSED"]);
    await away.end();
  });
});
