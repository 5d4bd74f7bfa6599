import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../../store/testing.ts";
import { openQueues } from "./open.ts";
import { hasRedis, sayThatRedisIsMissing, type TestRedis, testRedis } from "./testing.ts";
import type { NewJob, QueueName, Queues } from "./types.ts";
import { until } from "../../std/testing-until.ts";

setDefaultTimeout(300_000);
sayThatRedisIsMissing();

const job = (id: string, ...articleIds: number[]): NewJob => ({ id, data: { articleIds } });

for (const kind of ["Postgres", "Redis"] as const) {
  describe.skipIf(kind === "Redis" && !hasRedis)(`queues over ${kind}`, () => {
    let db: TestDatabase;
    let redis: TestRedis | undefined;
    const opened: Queues[] = [];
    const warnings: string[] = [];
    const logger = { warn: (fields: object) => void warnings.push(JSON.stringify(fields)) };

    const open = async (): Promise<Queues> => {
      const queues = await openQueues({
        databaseUrl: db.url,
        redisUrl: redis?.url,
        logger,
        stallMs: 2_000,
      });
      opened.push(queues);
      return queues;
    };

    beforeAll(async () => {
      db = await testDatabase({ empty: true });
      if (kind === "Redis") redis = await testRedis();
    });

    afterEach(async () => {
      for (const queues of opened.splice(0)) await queues.close();
    });

    afterAll(async () => {
      await db.drop();
      await redis?.stop();
    });

    const isEmpty = async (queues: Queues, name: QueueName) => {
      const { waiting, active, delayed } = await queues.counts(name);
      return waiting + active + delayed === 0;
    };

    test("runs every job once and keeps nothing of it", async () => {
      const queues = await open();
      for (let i = 0; i < 40; i++) await queues.add("ingestion", job(`once-${i}`, i, i + 1));
      expect(await queues.counts("ingestion")).toMatchObject({ waiting: 40, active: 0, delayed: 0 });
      const seen: NewJob[] = [];
      await queues.work("ingestion", async (each) => void seen.push(each));
      await until("40 jobs", () => seen.length === 40);
      expect(new Set(seen.map((each) => each.id)).size).toBe(40);
      expect(seen[0]).toEqual({ id: "once-0", data: { articleIds: [0, 1] } });
      await until("an empty queue", () => isEmpty(queues, "ingestion"));
    });

    test("does not add a job again that is waiting, and does once it is done", async () => {
      const queues = await open();
      for (const each of [job("twice", 1), job("other", 2)]) await queues.add("analysis", each);
      await queues.add("analysis", job("twice", 1));
      expect((await queues.counts("analysis")).waiting).toBe(2);
      const seen: string[] = [];
      await queues.work("analysis", async (each) => void seen.push(each.id));
      await until("2 jobs", () => seen.length === 2);
      await until("an empty queue", () => isEmpty(queues, "analysis"));
      await queues.add("analysis", job("twice", 1));
      await until("the job again", () => seen.length === 3);
    });

    test("wakes a worker that waits, at once", async () => {
      const queues = await open();
      let at = 0;
      await queues.work("ingestion", async () => {
        at = performance.now();
      });
      // One that was not woken looks 4.5 s later, each time; one that is woken may be late on a busy machine.
      let wokenMs = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3 && wokenMs > 4_000; round++) {
        at = 0;
        await sleep(500);
        const added = performance.now();
        await queues.add("ingestion", job(`wake-${round}`, 1));
        await until("the job", () => at > 0);
        wokenMs = at - added;
      }
      expect(wokenMs).toBeLessThan(4_000);
    });

    test("answers a ping, and nothing once it is closed", async () => {
      const queues = await open();
      await queues.ping();
      await queues.close();
      await expect(queues.add("ingestion", job("late"))).rejects.toThrow("closed");
    });
  });
}

describe("openQueues", () => {
  test("rejects when its Postgres cannot be reached", async () => {
    const options = { databaseUrl: "postgres://nobody@127.0.0.1:1/none", logger: { warn: () => {} } };
    await expect(openQueues(options)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
