import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../../store/testing.ts";
import { openQueues } from "./open.ts";
import { hasRedis, sayThatRedisIsMissing, type TestRedis, testRedis } from "./testing.ts";
import type { NewJob, QueueName, Queues } from "./types.ts";

setDefaultTimeout(60_000);
sayThatRedisIsMissing();

const job = (id: string, ...articleIds: number[]): NewJob => ({ id, data: { articleIds } });

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error(`not within 30 s: ${what}`);
}

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
      await queues.add(
        "ingestion",
        Array.from({ length: 40 }, (_, i) => job(`once-${i}`, i, i + 1)),
      );
      expect(await queues.counts("ingestion")).toMatchObject({ waiting: 40, active: 0, delayed: 0 });
      const seen: NewJob[] = [];
      await queues.work("ingestion", async (each) => void seen.push(each));
      await until(() => seen.length === 40, "40 jobs");
      expect(new Set(seen.map((each) => each.id)).size).toBe(40);
      expect(seen[0]).toEqual({ id: "once-0", data: { articleIds: [0, 1] } });
      await until(() => isEmpty(queues, "ingestion"), "an empty queue");
    });

    test("does not add a job again that is waiting, and does once it is done", async () => {
      const queues = await open();
      await queues.add("analysis", [job("twice", 1), job("other", 2)]);
      await queues.add("analysis", [job("twice", 1)]);
      expect((await queues.counts("analysis")).waiting).toBe(2);
      const seen: string[] = [];
      await queues.work("analysis", async (each) => void seen.push(each.id));
      await until(() => seen.length === 2, "2 jobs");
      await until(() => isEmpty(queues, "analysis"), "an empty queue");
      await queues.add("analysis", [job("twice", 1)]);
      await until(() => seen.length === 3, "the job again");
    });

    test("wakes a worker that waits, at once", async () => {
      const queues = await open();
      let at = 0;
      await queues.work("ingestion", async () => {
        at = performance.now();
      });
      await sleep(500);
      const added = performance.now();
      await queues.add("ingestion", [job("wake", 1)]);
      await until(() => at > 0, "the job");
      expect(at - added).toBeLessThan(2_000);
    });

    test("answers a ping, and nothing once it is closed", async () => {
      const queues = await open();
      await queues.ping();
      await queues.close();
      await expect(queues.add("ingestion", [job("late")])).rejects.toThrow("closed");
    });
  });
}

describe("openQueues", () => {
  test("rejects when its Postgres cannot be reached", async () => {
    const options = { databaseUrl: "postgres://nobody@127.0.0.1:1/none", logger: { warn: () => {} } };
    await expect(openQueues(options)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
