import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyCommand, runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { openStore, type Store } from "@isnad/lib/store";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { putStories, startSite, type TestSite } from "../../scraper/crawl/testing.ts";
import { scraperExtract, scraperFeed } from "./extract.ts";
import { scraperRun } from "./run.ts";

let database: TestDatabase;
let store: Store;
let folder: string;
let site: TestSite;
let api: IngestStub;

beforeAll(async () => {
  database = await testDatabase();
  store = openStore(database.url);
  folder = await mkdtemp(join(tmpdir(), "isnad-run-"));
  api = await startIngestStub();
}, 300_000);
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => site.stop());
afterAll(async () => {
  await api.stop();
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function call(command: AnyCommand, ...argv: string[]) {
  const captured = captureIo({
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    PROFILES_DIR: folder,
    API_URL: api.url,
    INGEST_TOKEN: "t",
    SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1",
  });
  const code = await runCommand(command, argv, captured.io);
  return { code, out: captured.out(), err: captured.err() };
}

async function putProfile(name: string): Promise<void> {
  const profile = {
    name,
    provider: name,
    enabled: false,
    language: "en",
    schedule: "0 * * * *",
    source: { id: name, name: "A site", tier: 2, homepage: site.url },
    feeds: [{ url: `${site.url}/feed` }],
    politeness: { min_delay_ms: 0, concurrency: 2 },
  };
  await writeFile(join(folder, `${name}.json`), JSON.stringify(profile));
}

test("scraper:run goes through a profile, enabled or not, and prints what it came to", async () => {
  putStories(site, ["a", "b", "c"]);
  await putProfile("one");
  const first = await call(scraperRun, "one", "--limit=2", "--json");
  expect(first.code).toBe(0);
  expect(JSON.parse(first.out)).toMatchObject({
    profile_id: "one",
    status: "succeeded",
    counts: { discovered: 3, fetched: 2, sent: 2 },
    error: null,
  });
  const second = await call(scraperRun, "one");
  expect(second).toMatchObject({ code: 0, err: "" });
  expect(second.out).toContain("one: succeeded; 0 discovered, 1 fetched");
  expect(api.stored.size).toBe(3);
  const { runs } = await store.scraper.runs.list({ profileId: "one", limit: 10 });
  expect(runs.map(({ trigger, status }) => `${trigger} ${status}`)).toEqual(["cli succeeded", "cli succeeded"]);
});

test("scraper:run says what went wrong, and exits with 1", async () => {
  await putProfile("two");
  const { code, out } = await call(scraperRun, "two");
  expect(code).toBe(1);
  expect(out).toContain(`${site.url}/feed answered 404`);
});

test("scraper:run prints what each feed answered and why articles did not come", async () => {
  putStories(site, ["five-good", "five-bad", "five-gone"]);
  site.set("/five-bad-1", { status: 500 });
  site.set("/five-gone-1", { status: 404 });
  await putProfile("five");
  const { out } = await call(scraperRun, "five");
  expect(out).toContain(`  feed ${site.url}/feed: 200, 3 entries\n`);
  expect(out).toContain(`  article ${site.url}/five-bad-1: http-500, tried again later\n`);
  expect(out).toContain(`  article ${site.url}/five-gone-1: http-404\n`);
  const again = JSON.parse((await call(scraperRun, "five", "--json")).out);
  expect(again).toMatchObject({ feeds: [{ url: `${site.url}/feed`, status: 304, entries: null }], errors: [] });
});

test("scraper:run names the profiles that there are, or what is wrong with the one that is asked for", async () => {
  await putProfile("three");
  await writeFile(join(folder, "wrong.json"), '{\n  "name": "wrong",\n  "language": "fr"\n}');
  expect((await call(scraperRun, "nothing")).err).toContain("there is no profile nothing; there are ");
  expect((await call(scraperRun, "wrong")).err).toMatch(/wrong\.json:\d+: /);
});

test("scraper:run does not meddle with a run that is under way", async () => {
  await putProfile("four");
  await store.scraper.runs.create({ profileId: "four", provider: "four", trigger: "schedule" });
  const run = await store.scraper.runs.claim("somebody", { leaseS: 3_600, profileIds: ["four"] });
  const { code, err } = await call(scraperRun, "four");
  expect(code).toBe(1);
  expect(err).toContain(`a run of four is under way: ${run?.runId}`);
});

test("the commands that fetch an address obey robots.txt unless they are told otherwise", async () => {
  putStories(site, ["a"]);
  site.set("/robots.txt", { type: "text/plain", body: "User-agent: *\nDisallow: /" });
  const refused = await call(scraperFeed, `${site.url}/feed`);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("--ignore-robots");
  expect(site.paths()).toEqual([]);
  const feed = await call(scraperFeed, `${site.url}/feed`, "--ignore-robots");
  expect(JSON.parse(feed.out).entries.length).toBe(1);
  const page = await call(scraperExtract, `${site.url}/a-1`, "--ignore-robots");
  expect(JSON.parse(page.out)).toMatchObject({ title: "Report a", language: "en" });
});

test("scraper:run refuses a profile whose source is off unless --force is given", async () => {
  putStories(site, ["a"]);
  await putProfile("resting");
  await store.sources.upsert([{ key: "resting" }]);
  await store.sourceStates.switch("resting", false);
  const refused = await call(scraperRun, "resting");
  expect([refused.code, refused.err]).toEqual([
    1,
    "scraper:run: the source resting is switched off; --force fetches it all the same\n",
  ]);
  expect((await call(scraperRun, "resting", "--force")).code).toBe(0);
});
