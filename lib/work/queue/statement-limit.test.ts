import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type FreezablePostgres, freezablePostgres } from "../../store/testing.ts";
import pg from "pg";
import { testProxy } from "../../std/testing-proxy.ts";
import { openQueues } from "./open.ts";
import type { NewJob, Queues } from "./types.ts";
import { until } from "../../std/testing-until.ts";

setDefaultTimeout(300_000);

let postgres: FreezablePostgres;
let watcher: pg.Client;

beforeAll(async () => {
  postgres = await freezablePostgres();
  watcher = new pg.Client({ connectionString: postgres.url });
  await watcher.connect();
});
afterEach(() => postgres.thaw());
afterAll(async () => {
  await watcher.end();
  await postgres.close();
});

const job = (id: string): NewJob => ({ id, data: { articleIds: [1] } });
const openWith = (databaseUrl: string) =>
  openQueues({ databaseUrl, logger: { warn: () => {} }, stallMs: 2_000, timeoutMs: 500 });

/** What was rejected, of several pieces of work, as text. */
const reasons = async (work: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(work)).flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));

/** The queue's statements that wait for a lock. */
async function waiting(): Promise<number> {
  const { rowCount } = await watcher.query(`select 1 from pg_stat_activity
    where application_name like 'isnad-queue-%' and wait_event_type = 'Lock'`);
  return rowCount ?? 0;
}

/** Does something until it is done within the limit, which on a busy machine is not at the first go. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await sleep(20);
    }
  }
}

/** Handles jobs until `id` has come. */
async function hears(queues: Queues, id: string): Promise<void> {
  const seen = new Set<string>();
  const worker = await insist(() => queues.work("ingestion", async (job) => void seen.add(job.id)));
  await insist(() => queues.add("ingestion", job(id)));
  await until(`job ${id} is done`, () => seen.has(id));
  await worker.close();
}

test("what waits for a table that somebody holds is given up, and nothing of it stays with the server", async () => {
  const queues = await openWith(postgres.url);
  const holder = new pg.Client({ connectionString: postgres.url });
  await holder.connect();
  await holder.query("begin; lock table queue_ingestion.job in access exclusive mode");
  const failures = await reasons(Array.from({ length: 6 }, (_, n) => queues.add("ingestion", job(`held-${n}`))));
  expect(failures).toHaveLength(6);
  expect(failures[0]).toContain("statement timeout");
  await until("the server has cancelled all", async () => (await waiting()) === 0);
  await holder.query("commit");
  await holder.end();
  expect((await insist(() => queues.counts("ingestion"))).waiting).toBe(0);
  await hears(queues, "held-after");
  await queues.close();
});

test("a server that says nothing is given up, and used again when it answers", async () => {
  const queues = await openWith(postgres.url);
  await insist(() => queues.ping());
  postgres.freeze();
  const failures = await reasons([queues.counts("ingestion"), queues.counts("analysis"), queues.ping()]);
  expect(failures).toHaveLength(3);
  // The limit of the statement and that of the count are equally long: either is first.
  const given = expect.stringMatching(/Query read timeout|took longer than/);
  expect(failures.slice(0, 2)).toEqual([given, given]);
  postgres.thaw();
  await hears(queues, "thawed");
  await queues.close();
});

test("a worker hears of new jobs when its connections have gone silent for good", async () => {
  const proxy = await testProxy(postgres.url);
  const queues = await openWith(proxy.url);
  const seen = new Set<string>();
  const worker = await insist(() => queues.work("ingestion", async (job) => void seen.add(job.id)));
  await insist(() => queues.add("ingestion", job("heard")));
  await until("the first job is done", () => seen.has("heard"));
  // Nothing passes any more on the connections that there are; later ones work.
  for (const socket of proxy.sockets) socket.unpipe().pause();
  await insist(() => queues.add("ingestion", job("silenced")));
  await until("the next job is done", () => seen.has("silenced"));
  // What it still waits for on the silent connections never comes.
  await worker.close();
  await queues.close();
  await proxy.close();
});

test("a worker hears of new jobs when the connection that was to hear of them never answered", async () => {
  let silences = false;
  const proxy = await testProxy(postgres.url, (client, upstream) => {
    let isSilent = false;
    client.on("data", (bytes: Buffer) => {
      if (silences && bytes.includes("LISTEN bullmq_jobs")) {
        isSilent = true;
        silences = false;
      }
      if (!isSilent) upstream.write(bytes);
    });
    upstream.pipe(client);
  });
  const queues = await openWith(proxy.url);
  silences = true;
  const seen = new Set<string>();
  const worker = await insist(() => queues.work("ingestion", async (job) => void seen.add(job.id)));
  await until("a connection is silent", () => !silences);
  await insist(() => queues.add("ingestion", job("unheard")));
  await until("the job is done", () => seen.has("unheard"));
  await worker.close();
  await queues.close();
  await proxy.close();
});
