import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import type { Run } from "@isnad/lib/store";
import { type TestStore, testStore } from "@isnad/lib/store/testing";
import { putStories, startSite, storyPage, type TestSite } from "../crawl/testing.ts";
import { endLeases } from "../testing/scraper.ts";

let opened: TestStore;
let site: TestSite;
let api: IngestStub;
beforeAll(async () => {
  opened = await testStore();
  site = await startSite();
  api = await startIngestStub();
}, 300_000);
afterAll(async () => {
  await site.stop();
  await api.stop();
  await opened.close();
}, 300_000);

async function queue(profileId: string, limit: number | null = null): Promise<string> {
  const made = await opened.store.scraper.runs.create({ profileId, provider: "test", trigger: "api", limit });
  if ("running" in made) throw new Error("there is a run already");
  return made.run.runId;
}

function startChild(profile: object): Bun.Subprocess {
  return Bun.spawn(
    [process.execPath, join(import.meta.dir, "testing-child.ts"), opened.url, api.url, JSON.stringify(profile)],
    { stdin: "ignore", stdout: "inherit", stderr: "inherit", env: { PATH: process.env.PATH } },
  );
}

async function ended(runId: string): Promise<Run> {
  for (;;) {
    const run = await opened.store.scraper.runs.get(runId);
    if (run?.finishedAt != null) return run;
    await Bun.sleep(10);
  }
}

test("a run that ends its process each time fails with the reason; the next one brings the rest without that article", async () => {
  const { runs } = opened.store.scraper;
  const profile = { name: "deadly", feeds: [{ url: `${site.url}/feed` }], politeness: { min_delay_ms: 0 } };
  putStories(site, ["poison", "a", "b"]);
  let child: Bun.Subprocess | undefined;
  let asked = 0;
  site.set("/poison-1", () => {
    asked++;
    child?.kill(9);
    return { body: storyPage("Report poison") };
  });
  const start = () => {
    child = startChild(profile);
    return child;
  };

  const runId = await queue(profile.name);
  for (let i = 0; i < 5; i++) {
    const victim = start();
    await victim.exited;
    expect(victim.signalCode).toBe("SIGKILL");
    expect(await runs.get(runId)).toMatchObject({ status: "running", attempts: i + 1 });
    await endLeases(opened.sql.unsafe);
  }
  const last = start();
  expect(await ended(runId)).toMatchObject({
    status: "failed",
    error: "given up: its process ended 5 times while it ran",
  });
  expect(await ended(await queue(profile.name))).toMatchObject({ status: "succeeded" });
  last.kill(9);
  await last.exited;
  expect(asked).toBe(5);
  expect([...api.stored.keys()].length).toBe(2);
}, 300_000);

test("a run whose process was killed counts every article once, and visits no more than its limit", async () => {
  const profile = { name: "counted", feeds: [{ url: `${site.url}/feed` }], politeness: { min_delay_ms: 0 } };
  const names = ["c1", "c2", "c3", "c4", "c5", "c6"];
  putStories(site, names);
  let child: Bun.Subprocess | undefined;
  let isFirst = true;
  site.set("/c4-1", () => {
    if (isFirst) child?.kill(9);
    isFirst = false;
    return { body: storyPage("Report c4") };
  });
  const runId = await queue(profile.name, 5);
  child = startChild(profile);
  await child.exited;
  await endLeases(opened.sql.unsafe);
  expect((await opened.store.scraper.runs.get(runId))?.counts).toMatchObject({
    ...{ discovered: 6, fetched: 3, extracted: 3, skipped: 0, failed: 0 },
  });
  child = startChild(profile);
  expect(await ended(runId)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 6, fetched: 5, extracted: 5, sent: 5, skipped: 0, failed: 0 },
  });
  child.kill(9);
  await child.exited;
}, 300_000);
