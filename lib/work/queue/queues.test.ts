import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../../store/testing.ts";
import { openQueues } from "./open.ts";
import { hasRedis, sayThatRedisIsMissing, type TestRedis, testRedis } from "./testing.ts";
import type { NewJob, QueueJob, QueueName, Queues } from "./types.ts";

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
        retryMs: 100,
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
      const before = Date.now();
      await queues.add(
        "ingestion",
        Array.from({ length: 40 }, (_, i) => job(`once-${i}`, i, i + 1)),
      );
      expect(await queues.counts("ingestion")).toMatchObject({ waiting: 40, active: 0, delayed: 0 });
      const seen: QueueJob[] = [];
      await queues.work("ingestion", async (each) => void seen.push(each), { concurrency: 3 });
      await until(() => seen.length === 40, "40 jobs");
      expect(new Set(seen.map((each) => each.id)).size).toBe(40);
      expect(seen[0]).toMatchObject({ id: "once-0", data: { articleIds: [0, 1] }, attempt: 1, lastAttempt: false });
      expect(Math.abs((seen[0]?.queuedAtMs ?? 0) - before)).toBeLessThan(10_000);
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

    test("runs no more jobs at a time than it is told", async () => {
      const queues = await open();
      let now = 0;
      let most = 0;
      let done = 0;
      const two = Promise.withResolvers<void>();
      await queues.add(
        "ingestion",
        Array.from({ length: 12 }, (_, i) => job(`few-${i}`)),
      );
      await queues.work(
        "ingestion",
        async () => {
          most = Math.max(most, ++now);
          if (most === 2) two.resolve();
          await two.promise;
          await sleep(20);
          now--;
          done++;
        },
        { concurrency: 2 },
      );
      await until(() => done === 12, "12 jobs");
      expect(most).toBe(2);
    });

    test("tries a failing job again with growing waits, and says which try is the last", async () => {
      const queues = await open();
      const tries: { attempt: number; last: boolean; at: number }[] = [];
      await queues.add("analysis", [job("failing", 7)]);
      await queues.work("analysis", async (each) => {
        tries.push({ attempt: each.attempt, last: each.lastAttempt, at: Date.now() });
        throw new Error("not now");
      });
      await until(() => tries.length === 3, "three tries");
      expect(tries.map((each) => each.attempt)).toEqual([1, 2, 3]);
      const [first, second, third] = tries.map((each) => each.at);
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(50);
      expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(100);
      await until(() => tries.length === 5, "five tries");
      expect(tries.map((each) => each.last)).toEqual([false, false, false, false, true]);
      await until(() => isEmpty(queues, "analysis"), "the job given up");
    });

    test("on closing lets a job in work finish, and takes no other", async () => {
      const queues = await open();
      const done: string[] = [];
      await queues.add("ingestion", [job("slow-1"), job("slow-2")]);
      const started = Promise.withResolvers<void>();
      const worker = await queues.work("ingestion", async (each) => {
        started.resolve();
        await sleep(300);
        done.push(each.id);
      });
      await started.promise;
      await worker.close();
      expect(done).toEqual(["slow-1"]);
      expect((await queues.counts("ingestion")).waiting).toBe(1);
      await queues.work("ingestion", async (each) => void done.push(each.id));
      await until(() => done.length === 2, "the other job");
    });

    test("on closing gives a job back that does not end in time, without the loss of an attempt", async () => {
      const queues = await open();
      await queues.add("ingestion", [job("endless")]);
      const started = Promise.withResolvers<void>();
      const worker = await queues.work("ingestion", async (_, signal) => {
        started.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      });
      await started.promise;
      await worker.close(200);
      const attempts: number[] = [];
      await queues.work("ingestion", async (each) => void attempts.push(each.attempt));
      await until(() => attempts.length === 1, "the job again");
      expect(attempts).toEqual([1]);
    });

    test("gives the jobs of a worker that was killed to another", async () => {
      const script = `import { openQueues } from ${JSON.stringify(join(import.meta.dir, "open.ts"))};
        const queues = await openQueues({ databaseUrl: ${JSON.stringify(db.url)}, redisUrl: ${JSON.stringify(redis?.url ?? "")},
          logger: { warn() {} }, stallMs: 2000 });
        await queues.work("analysis", async () => { console.log("taken"); await new Promise(() => {}); });`;
      const queues = await open();
      await queues.add("analysis", [job("orphan", 5)]);
      const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const seen: string[] = [];
      await queues.work("analysis", async (each) => void seen.push(each.id));
      await until(() => seen.length === 1, "the orphaned job");
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
