import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "@isnad/lib/store";
import { admitItems, type FreezablePostgres, freezablePostgres, testItem } from "@isnad/lib/store/testing";
import { startWorkers, type WorkersProcess } from "./testing/process.ts";
import { until } from "@isnad/lib/std/testing-until";

setDefaultTimeout(300_000);

let postgres: FreezablePostgres;
let dataDir: string;
let store: Store;
let workers: WorkersProcess;

beforeAll(async () => {
  postgres = await freezablePostgres();
  dataDir = await mkdtemp(join(tmpdir(), "isnad-workers-frozen-"));
  store = openStore(postgres.url, { max: 2 });
  workers = await startWorkers({ DATABASE_URL: postgres.url, DATA_DIR: dataDir });
});
afterEach(() => postgres.thaw());
afterAll(async () => {
  await workers.end();
  await store.close();
  await postgres.close();
  await rm(dataDir, { recursive: true, force: true });
});

test("workers outlive a database that is frozen amid their work, and finish it afterwards", async () => {
  const items = Array.from({ length: 40 }, () => testItem());
  const ids = await admitItems(store, items);
  await workers.wake(ids);
  await until("the work has begun", async () => (await store.articles.countByState()).accepted < 40);
  postgres.freeze();
  expect(await workers.health()).toMatchObject({ status: "degraded", deps: { database: "fail", queue: "fail" } });
  postgres.thaw();
  await until("all are indexed", async () => (await store.articles.countByState()).indexed === 40);
  await until("the workers are well", async () => Object(await workers.health()).status === "ok");
  expect(await workers.end()).toBe(0);
  expect(workers.lines.filter(({ level }) => level === "fatal")).toEqual([]);
});
