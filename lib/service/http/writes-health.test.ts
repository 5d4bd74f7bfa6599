import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openStore, type Store } from "../../store/mod.ts";
import { testDatabase, testItem } from "../../store/testing.ts";
import { createMetrics } from "../process/metrics.ts";
import { until } from "../../std/testing-until.ts";
import { testService } from "./testing.ts";
import { writesHealth } from "./writes-health.ts";

setDefaultTimeout(300_000);

let database: Awaited<ReturnType<typeof testDatabase>>;
let admin: Bun.SQL;
const stores: Store[] = [];
beforeAll(async () => {
  database = await testDatabase();
  admin = new Bun.SQL(database.url, { max: 1 });
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

/** A service over a store of its own: what was found a moment ago is not asked again. */
function service(dataDir = "/tmp") {
  const store = openStore(database.url, { max: 2, timeoutMs: 3_000 });
  stores.push(store);
  const metrics = createMetrics();
  const made = testService({ metrics });
  const deps = writesHealth({ store, dataDir, logger: made.logger, metrics });
  const { app } = testService({ deps, logger: made.logger });
  const body = async (path: string) => {
    const response = await app.request(path);
    return { status: response.status, body: Object(await response.json()) };
  };
  return { store, body, metrics, lines: made.lines };
}

const gauge = async (metrics: { metrics(): Promise<string> }, reason: string) =>
  (await metrics.metrics()).includes(`database_refuses_writes{reason="${reason}"} 1`);

describe("a service that writes", () => {
  test("is ready while the database takes writes, and counts nothing as refused", async () => {
    const { body, metrics } = service();
    await until(async () => (await body("/readyz")).status === 200);
    expect(await body("/readyz")).toEqual({ status: 200, body: { status: "ready" } });
    expect(await body("/health")).toMatchObject({ status: 200, body: { deps: { writes: "ok", disk: "ok" } } });
    for (const reason of ["read-only", "locked", "full", "away"]) expect(await gauge(metrics, reason)).toBe(false);
    expect(await metrics.metrics()).toMatch(/disk_free_bytes \d{7,}/);
  });

  test("is not ready while the database is read-only; health, metric and log say why, until it is over", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await admin.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
    const { body, metrics, lines } = service();
    const failing = { deps: { database: "ok", writes: "fail" }, reasons: { writes: "read-only" } };
    expect(await body("/readyz")).toMatchObject({ status: 503, body: { status: "failing", ...failing } });
    expect(await body("/health")).toMatchObject({ status: 200, body: { status: "degraded", ...failing } });
    expect(await gauge(metrics, "read-only")).toBe(true);
    const told = lines.filter(({ level, reason }) => level === "error" && reason === "read-only");
    expect(told).toHaveLength(1);
    await admin.unsafe(
      `set default_transaction_read_only = off; alter database "${name}" reset default_transaction_read_only`,
    );
    expect((await service().body("/readyz")).status).toBe(200);
  });

  test("is not ready while somebody holds the table of articles", async () => {
    await admin.begin(async (tx) => {
      await tx`lock table articles in share mode`;
      const { body } = service();
      await until(async () => Object((await body("/readyz")).body.reasons).writes === "locked");
      expect((await body("/readyz")).status).toBe(503);
    });
    expect((await service().body("/readyz")).status).toBe(200);
  });

  test("is not ready once a write was refused for want of room, though a small one went through since", async () => {
    const { store, body } = service();
    await admin.unsafe(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
      create trigger refuse before insert on articles for each row execute function refuse()`);
    await expect(store.admission.admit([testItem({})], { requireKnownSource: false })).rejects.toThrow("extend");
    expect(await body("/readyz")).toMatchObject({ status: 503, body: { reasons: { writes: "full" } } });
    await admin.unsafe("drop trigger refuse on articles");
    await store.admission.admit([testItem({})], { requireKnownSource: false });
    expect((await body("/readyz")).status).toBe(200);
  });

  test("is not ready without room for its own files", async () => {
    // A file system that has no blocks at all.
    const { body, metrics, lines } = service("/proc/self");
    expect(await body("/readyz")).toMatchObject({
      status: 503,
      body: { deps: { disk: "fail" }, reasons: { disk: "full" } },
    });
    expect(lines.some(({ level, free_bytes: free }) => level === "error" && free === 0)).toBe(true);
    expect(await metrics.metrics()).toContain("disk_free_bytes 0");
  });
});

test("a database that is away is named as that", async () => {
  const store = openStore("postgres://nobody@127.0.0.1:1/nothing");
  stores.push(store);
  const metrics = createMetrics();
  const { logger } = testService();
  const { app } = testService({ deps: writesHealth({ store, dataDir: "/tmp", logger, metrics }) });
  expect(await (await app.request("/health")).json()).toMatchObject({ reasons: { writes: "away" } });
  expect(await gauge(metrics, "away")).toBe(true);
});
