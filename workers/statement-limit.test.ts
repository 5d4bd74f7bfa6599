import { afterAll, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admitItems, testItem, testStore } from "@isnad/lib/store/testing";
import { startWorkers } from "./testing/process.ts";
import { until } from "@isnad/lib/std/testing-until";

setDefaultTimeout(300_000);

const { url, store, sql, close } = await testStore();
const dataDir = await mkdtemp(join(tmpdir(), "isnad-workers-limit-"));
const workers = await startWorkers({ DATABASE_URL: url, DATA_DIR: dataDir, WORKERS_DATABASE_TIMEOUT_MS: "1500" });

afterAll(async () => {
  await workers.end();
  await close();
  await rm(dataDir, { recursive: true, force: true });
});

test("a run whose statement waits too long for a table ends, and is repeated once the table is free", async () => {
  const ids = await admitItems(store, [testItem()]);
  await sql.begin(async (tx) => {
    await tx`lock table articles in access exclusive mode`;
    await workers.wake(ids);
    await until("the run has ended", () => workers.lines.some(({ outcome }) => outcome === "away"));
  });
  await until("it is indexed", async () => (await store.articles.countByState()).indexed === 1);
});
