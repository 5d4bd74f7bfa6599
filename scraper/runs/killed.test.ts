import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type IngestStub, startIngestStub } from "@isnad/lib/ingest-client/testing";
import { type TestStore, testStore } from "@isnad/lib/store/testing";
import { putStories, startSite, storyPage, type TestSite } from "../crawl/testing.ts";

let opened: TestStore;
let site: TestSite;
let api: IngestStub;
beforeAll(async () => {
  opened = await testStore();
  site = await startSite();
  api = await startIngestStub();
}, 60_000);
afterAll(async () => {
  await site.stop();
  await api.stop();
  await opened.close();
}, 60_000);

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
  const queue = async (): Promise<string> => {
    const made = await runs.create({ profileId: profile.name, provider: "test", trigger: "api" });
    if ("running" in made) throw new Error("there is a run already");
    return made.run.runId;
  };
  const start = () => {
    child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "testing-child.ts"), opened.url, api.url, JSON.stringify(profile)],
      { stdin: "ignore", stdout: "inherit", stderr: "inherit", env: { PATH: process.env.PATH } },
    );
    return child;
  };
  const ended = async (runId: string) => {
    for (;;) {
      const run = await runs.get(runId);
      if (run?.finishedAt != null) return run;
      await Bun.sleep(10);
    }
  };

  const runId = await queue();
  for (let i = 0; i < 5; i++) {
    const victim = start();
    await victim.exited;
    expect(victim.signalCode).toBe("SIGKILL");
    expect(await runs.get(runId)).toMatchObject({ status: "running", attempts: i + 1 });
  }
  const last = start();
  expect(await ended(runId)).toMatchObject({
    status: "failed",
    error: "given up: its process ended 5 times while it ran",
  });
  expect(await ended(await queue())).toMatchObject({ status: "succeeded" });
  last.kill(9);
  await last.exited;
  expect(asked).toBe(5);
  expect([...api.stored.keys()].length).toBe(2);
}, 60_000);
