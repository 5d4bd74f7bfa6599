import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { currentUrl, ensurePostgres, type PostgresLease } from "../../store/mod.ts";
import { takePort } from "../../store/testing.ts";
import pg from "pg";
import { testProxy } from "../../std/testing-proxy.ts";
import { until } from "../../std/testing-until.ts";
import { openQueues } from "./open.ts";
import { hasRedis, testRedis } from "./testing.ts";
import type { NewJob, Queues } from "./types.ts";

setDefaultTimeout(300_000);

const job = (id: string): NewJob => ({ id, data: { articleIds: [1] } });
const jobs = (prefix: string, count: number): NewJob[] =>
  Array.from({ length: count }, (_, i) => job(`${prefix}-${i}`));

const logger = { warn: () => {} };

/** Why queues in a Redis that is not there are not opened: known after ten seconds, in which the other tests run. */
const unreachable = openQueues({ databaseUrl: "", redisUrl: "redis://127.0.0.1:1", logger }).then(() => "", String);

/** Adds the jobs, going on with each until the backend has taken it. */
async function addAll(queues: Queues, all: readonly NewJob[]): Promise<void> {
  for (const each of all) {
    for (;;) {
      try {
        await queues.add("ingestion", each);
        break;
      } catch {
        await sleep(50);
      }
    }
    await sleep(2);
  }
}

/** A handler that notes the jobs whose id begins so: one that was lost with its worker may come again later. */
const note = (seen: Set<string>, prefix: string) => async (job: NewJob) => {
  if (job.id.startsWith(prefix)) seen.add(job.id);
};

async function untilAll(seen: Set<string>, count: number): Promise<void> {
  await until(`${count} jobs came`, () => seen.size >= count);
  expect(seen.size).toBe(count);
}

/** PostgreSQL's word that a connection is ready, and its word that an administrator has ended it. */
const READY = Buffer.from("Z\0\0\0\x05I", "latin1");
const FIELDS = Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0", "latin1");
const FATAL = Buffer.concat([Buffer.from("E"), Buffer.from(Uint32Array.of(FIELDS.length + 4).buffer).swap32(), FIELDS]);

/** A proxy before a Postgres that, while it is told to, ends each new connection in the packet that calls it ready. */
async function endingProxy(url: string) {
  let ending = false;
  let ended = 0;
  const proxy = await testProxy(url, (client, upstream) => {
    const ends = ending;
    client.pipe(upstream);
    upstream.on("data", (bytes: Buffer) => {
      if (!ends || !bytes.includes(READY)) return client.write(bytes);
      ended++;
      client.end(Buffer.concat([bytes, FATAL]));
      upstream.destroy();
    });
  });
  return {
    ...proxy,
    setEnding(on: boolean) {
      ending = on;
    },
    ended: () => ended,
  };
}

describe("queues over Postgres", () => {
  const dataDir = join(tmpdir(), `isnad-queue-faults-${process.pid}`);
  let lease: PostgresLease;

  beforeAll(async () => {
    lease = await ensurePostgres({ dataDir, settings: { fsync: "off" }, portWaitMs: 0 });
  });

  afterAll(async () => {
    await lease.release();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("lose no job while connections are killed", async () => {
    const queues = await openQueues({ databaseUrl: lease.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    const worker = await queues.work("ingestion", note(seen, "killed"));
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
    let connections = 0;
    const proxy = await testProxy(lease.url, (client, upstream) => {
      connections++;
      client.pipe(upstream).pipe(client);
    });
    const queues = await openQueues({
      databaseUrl: proxy.url,
      logger: { warn: (fields) => void lines.push(fields) },
      stallMs: 2_000,
    });
    await queues.work("ingestion", async () => {});
    const admin = new pg.Client({ connectionString: lease.url.replace(/[^/]+$/, "postgres") });
    await admin.connect();
    await admin.query("alter database isnad with allow_connections false");
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'isnad'");
    connections = 0;
    const begin = performance.now();
    await sleep(2_000);
    await until("it tries, and says so", () => connections > 0 && lines.length > 0);
    const made = connections;
    const seconds = (performance.now() - begin) / 1_000;
    await admin.query("alter database isnad with allow_connections true");
    await admin.end();
    await queues.close();
    await proxy.close();
    // One every 100 ms would be ten a second.
    expect(made / seconds).toBeLessThan(7.5);
    expect(lines.length).toBeLessThan(20);
  });

  test("add what is first added while the server is away, once it is back", async () => {
    const queues = await openQueues({ databaseUrl: lease.url, logger, stallMs: 2_000 });
    const admin = new pg.Client({ connectionString: lease.url.replace(/[^/]+$/, "postgres") });
    await admin.connect();
    await admin.query("alter database isnad with allow_connections false");
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'isnad'");
    await expect(queues.add("analysis", job("away"))).rejects.toBeDefined();
    await admin.query("alter database isnad with allow_connections true");
    await admin.end();
    await queues.add("analysis", job("away"));
    expect((await queues.counts("analysis")).waiting).toBe(1);
    await queues.close();
  });

  test("outlive connections that are ended in the moment in which they stand", async () => {
    const proxy = await endingProxy(lease.url);
    const queues = await openQueues({ databaseUrl: proxy.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    proxy.setEnding(true);
    const failed = queues.work("ingestion", note(seen, "proxied"));
    await expect(failed).rejects.toBeDefined();
    proxy.setEnding(false);
    const worker = await queues.work("ingestion", note(seen, "proxied"));
    // The connection that hears of new jobs has to be made anew, too.
    const before = proxy.ended();
    proxy.setEnding(true);
    proxy.cut();
    await until("its connections were ended", () => proxy.ended() >= before + 4);
    proxy.setEnding(false);
    await addAll(queues, jobs("proxied", 20));
    await untilAll(seen, 20);
    await worker.close();
    await queues.close();
    await proxy.close();
  });

  test("go on after the server was killed and came back on another port", async () => {
    const queues = await openQueues({ databaseUrl: lease.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    await queues.work("ingestion", note(seen, "crash"));
    const adding = addAll(queues, jobs("crash", 200));
    await sleep(150);
    const pidFile = await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
    const free = await takePort(Number(new URL(lease.url).port));
    await adding;
    await untilAll(seen, 200);
    await queues.ping();
    await queues.close();
    free();
    expect(currentUrl(lease.url)).not.toBe(lease.url);
  });
});

describe.skipIf(!hasRedis)("queues over Redis", () => {
  test("fail to add while the server is away, and go on by themselves once it is back", async () => {
    const redis = await testRedis();
    const queues = await openQueues({ databaseUrl: "", redisUrl: redis.url, logger, stallMs: 2_000 });
    const seen = new Set<string>();
    await queues.work("ingestion", async (job) => void seen.add(job.id));
    await addAll(queues, jobs("before", 10));
    await untilAll(seen, 10);
    await redis.kill();
    await expect(queues.add("ingestion", job("during"))).rejects.toBeDefined();
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
    const seen = new Set<string>();
    await queues.work("ingestion", async (job) => void seen.add(job.id));
    await queues.add("ingestion", job("x"));
    await untilAll(seen, 1);
    await redis.kill();
    await queues.close();
  });
});

test("a Redis that cannot be reached is named by its setting", async () => {
  expect(await unreachable).toContain("in Redis (REDIS_URL) took longer than");
});
