import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newsdataResult, startNewsdataSite } from "../testing/sites.ts";
import { openPullBench } from "../testing/pulls.ts";
import { until } from "@isnad/lib/std/testing-until";

const bench = await openPullBench();
const site = startNewsdataSite();
const dir = mkdtempSync(join(tmpdir(), "isnad-pull-kill-"));

afterAll(async () => {
  await site.stop();
  await bench.close();
  rmSync(dir, { recursive: true, force: true });
});

function startWorkers() {
  return Bun.spawn([process.execPath, join(import.meta.dirname, "../main.ts")], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dir,
      DATABASE_URL: bench.databaseUrl,
      LOG_LEVEL: "fatal",
      PULL_INTERVAL_S: "0",
      NEWSDATA_BASE_URL: site.url,
      NEWSDATA_API_KEY: site.key,
    },
    stdout: "inherit",
    stderr: "inherit",
  });
}

test("a worker that is killed in the middle of a pull: another takes it up, and every article is there once", async () => {
  site.results = Array.from({ length: 150 }, (_, n) => newsdataResult(n));
  site.pageSize = 50;
  const of = await bench.source({ provider: "newsdata" });
  const { run } = await bench.store.pulls.request({ sourceKey: of.key, provider: "newsdata", trigger: "cli" });
  const held = Promise.withResolvers<void>();
  site.before = (page) => (page === 2 ? held.promise : Promise.resolve());

  const first = startWorkers();
  const admitted = async () => (await bench.query("select count(*)::int as n from articles"))[0]?.n;
  await until("two pages are admitted", async () => (await admitted()) === 100);
  first.kill("SIGKILL");
  await first.exited;
  expect(await bench.store.pulls.get(run.runId)).toMatchObject({ status: "running", attempts: 1 });
  // The lease runs by the clock of the database: as if it had run out meanwhile.
  await bench.query("update pull_runs set lease_until = lease_until - interval '1 hour'");

  site.before = async () => {};
  held.resolve();
  const second = startWorkers();
  const record = async () => await bench.store.pulls.get(run.runId);
  await until("the pull is complete", async () => (await record())?.status === "succeeded");
  expect(await record()).toMatchObject({ attempts: 2, counts: { discovered: 150, accepted: 50, duplicate: 100 } });
  const rows = await bench.query("select external_id, count(*)::int as n from articles group by 1 order by 1");
  expect(rows).toEqual(site.results.map(({ article_id }) => ({ external_id: article_id, n: 1 })));
  second.kill("SIGTERM");
  await second.exited;
}, 300_000);
