import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres, type PostgresLease } from "./embedded/ensure.ts";
import { isUnavailable } from "./client.ts";
import { migrate } from "./migrate.ts";
import { openStore, type Store } from "./store.ts";
import { admitItems, indexedArticles, testItem } from "./testing.ts";
import { until } from "../std/testing-until.ts";

setDefaultTimeout(300_000);

let dataDir: string;
let lease: PostgresLease;
let store: Store;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "isnad-restart-"));
  lease = await ensurePostgres({ dataDir });
  await migrate(lease.url);
  store = openStore(lease.url, { max: 4 });
});

afterAll(async () => {
  await store.close();
  await lease.release();
  await rm(dataDir, { recursive: true, force: true });
});

/** Kills the server; resolves once another runs in its place. */
async function killServer(): Promise<void> {
  let killed: number | undefined;
  await until(async () => {
    killed = await runningServer();
    return killed !== undefined;
  });
  if (killed === undefined) throw new Error("no server runs");
  process.kill(killed, "SIGKILL");
  // Processes of the killed server may answer a ping for a moment.
  await until(async () => ((await runningServer()) ?? killed) !== killed);
  await until(answers);
}

/** The server's process, when it takes connections: `postmaster.pid` says so in its eighth line. */
async function runningServer(): Promise<number | undefined> {
  const lines = (await readFile(join(dataDir, "postgres", "cluster", "postmaster.pid"), "utf8").catch(() => "")).split(
    "\n",
  );
  return lines[7]?.trim() === "ready" ? Number(lines[0]) : undefined;
}

const answers = () =>
  store.ping().then(
    () => true,
    () => false,
  );

describe("the store, when its server is killed and comes back", () => {
  test("has kept every article that it accepted, and goes on", async () => {
    const accepted: number[] = [];
    const errors: unknown[] = [];
    let on = true;
    const posting = Promise.all(
      [0, 1, 2].map(async () => {
        while (on) {
          try {
            accepted.push(...(await admitItems(store, [testItem(), testItem()])));
          } catch (error) {
            errors.push(error);
            await sleep(20);
          }
        }
      }),
    );
    for (let round = 0; round < 3; round++) {
      const before = accepted.length;
      await until(() => accepted.length >= before + 8);
      await killServer();
    }
    on = false;
    await posting;
    expect(errors.filter((error) => !isUnavailable(error))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(20);
    const kept = await store.articles.byIds(accepted, ["articleId"]);
    expect(kept).toHaveLength(accepted.length);
  });

  test("tells its listeners that something may have been missed, and of changes from then on", async () => {
    let calls = 0;
    const stop = await store.log.listen(() => calls++);
    calls = 0;
    await killServer();
    await until(() => calls > 0);
    const before = calls;
    await indexedArticles(store, 1);
    await until(() => calls > before);
    await stop();
  });
});
