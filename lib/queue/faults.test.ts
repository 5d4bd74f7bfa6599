import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres, type PostgresLease } from "@isnad/lib/store";
import pg from "pg";
import { openQueues } from "./open.ts";
import { hasRedis, testRedis } from "./testing.ts";
import type { NewJob, Queues } from "./types.ts";

setDefaultTimeout(120_000);

const jobs = (prefix: string, count: number): NewJob[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}-${i}`, data: { articleIds: [i] } }));

const logger = { warn: () => {} };

/** Adds the jobs in groups of ten, going on with a group until the backend has taken it. */
async function addAll(queues: Queues, all: readonly NewJob[]): Promise<void> {
  for (let at = 0; at < all.length; at += 10) {
    for (;;) {
      try {
        await queues.add("ingestion", all.slice(at, at + 10));
        break;
      } catch {
        await sleep(50);
      }
    }
    await sleep(20);
  }
}

/** A handler that notes the jobs whose id begins so: one that was lost with its worker may come again later. */
const note = (seen: Set<string>, prefix: string) => async (job: NewJob) => {
  if (job.id.startsWith(prefix)) seen.add(job.id);
};

async function untilAll(seen: Set<string>, count: number): Promise<void> {
  for (let i = 0; i < 1_200 && seen.size < count; i++) await sleep(50);
  expect(seen.size).toBe(count);
}

describe("queues over Postgres", () => {
  const dataDir = join(tmpdir(), `isnad-queue-faults-${process.pid}`);
  let lease: PostgresLease;

  beforeAll(async () => {
    lease = await ensurePostgres({ dataDir, settings: { fsync: "off" } });
  });

  afterAll(async () => {
    await lease.release();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("lose no job while connections are killed", async () => {
    const queues = await openQueues({ databaseUrl: lease.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    const worker = await queues.work("ingestion", note(seen, "killed"), { concurrency: 2 });
    const killer = new pg.Client({ connectionString: lease.url });
    await killer.connect();
    let killing = true;
    const rampage = (async () => {
      while (killing) {
        await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like '%ingestion%' and random() < 0.7`);
        await sleep(150);
      }
    })();
    await addAll(queues, jobs("killed", 200));
    killing = false;
    await rampage;
    await killer.end();
    await untilAll(seen, 200);
    await worker.close();
    await queues.close();
  });

  test("do not storm a server that refuses connections", async () => {
    const lines: object[] = [];
    const queues = await openQueues({
      databaseUrl: lease.url,
      logger: { warn: (fields) => void lines.push(fields) },
      stallMs: 2_000,
    });
    await queues.work("ingestion", async () => {}, { concurrency: 2 });
    const admin = new pg.Client({ connectionString: lease.url.replace(/[^/]+$/, "postgres") });
    await admin.connect();
    await admin.query("alter database isnad with allow_connections false");
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'isnad'");
    await sleep(4_000);
    await admin.query("alter database isnad with allow_connections true");
    await admin.end();
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(20);
    await queues.close();
  });

  test("go on after the server was killed and brought back", async () => {
    const queues = await openQueues({ databaseUrl: lease.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    await queues.work("ingestion", note(seen, "crash"), { concurrency: 2 });
    const adding = addAll(queues, jobs("crash", 200));
    await sleep(150);
    const pidFile = await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
    await adding;
    await untilAll(seen, 200);
    await queues.ping();
    await queues.close();
  });
});

describe.skipIf(!hasRedis)("queues over Redis", () => {
  test("fail to add while the server is away, and go on by themselves once it is back", async () => {
    const redis = await testRedis();
    const queues = await openQueues({ databaseUrl: "", redisUrl: redis.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    await queues.work("ingestion", async (job) => void seen.add(job.id), { concurrency: 2 });
    await queues.add("ingestion", jobs("before", 10));
    await untilAll(seen, 10);
    await redis.kill();
    await expect(queues.add("ingestion", jobs("during", 1))).rejects.toBeDefined();
    await redis.start();
    await addAll(queues, jobs("after", 30));
    await untilAll(seen, 40);
    await queues.ping();
    await queues.close();
    await redis.stop();
  });

  test("close while the server is away", async () => {
    const redis = await testRedis();
    const queues = await openQueues({ databaseUrl: "", redisUrl: redis.url, logger, stallMs: 2_000 });
    await queues.work("ingestion", async () => {});
    await queues.add("ingestion", jobs("x", 1));
    await redis.kill();
    await queues.close().catch(() => {});
  });
});
