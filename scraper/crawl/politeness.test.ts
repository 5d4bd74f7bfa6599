import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { HostLimits } from "@isnad/lib/web/egress";
import { type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { openStore, type Store } from "@isnad/lib/store";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { createCrawler } from "./create-crawler.ts";
import { optionsFor, profileOf, putStories, startSite, storyPage, type TestSite } from "./testing.ts";
import type { Crawler, CrawlProfile } from "./types.ts";

let database: TestDatabase;
let store: Store;
let site: TestSite;
let api: IngestStub;
let crawler: Crawler;
let asked: HostLimits[];
let deferred: number[];

beforeAll(async () => {
  database = await testDatabase();
  store = openStore(database.url);
  api = await startIngestStub();
  const { hostLeases } = store.scraper;
  const watched: typeof hostLeases = {
    ...hostLeases,
    acquire: (host, limits, holdMs) => {
      asked.push(limits);
      // The site's own wish is noted; waiting for it would make the test slow.
      return hostLeases.acquire(host, { ...limits, minDelayMs: 0 }, holdMs);
    },
    defer: async (_host, forMs) => void deferred.push(forMs),
  };
  crawler = createCrawler({ ...optionsFor(api.url), store: { ...store.scraper, hostLeases: watched } });
}, 300_000);
beforeEach(async () => {
  asked = [];
  deferred = [];
  site = await startSite();
});
afterEach(() => site.stop());
afterAll(async () => {
  await crawler.close();
  await api.stop();
  await store.close();
  await database.drop();
});

async function run(profile: CrawlProfile) {
  const made = await store.scraper.runs.create({ profileId: profile.name, provider: "test", trigger: "api" });
  if (!("run" in made)) throw new Error("a run is under way");
  const { signal } = new AbortController();
  return crawler.crawl(profile, { runId: made.run.runId, limit: null, owner: "test" }, { signal });
}

async function stateOf(name: string): Promise<Record<string, number>> {
  const counts = await store.scraper.frontier.counts();
  return Object.fromEntries(
    counts.filter(({ profileId }) => profileId === name).map(({ state, count }) => [state, count]),
  );
}

test("what robots.txt forbids is not asked for and is passed over for good", async () => {
  site.set("/robots.txt", {
    type: "text/plain",
    body: "User-agent: IsnadBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /",
  });
  putStories(site, ["a", "b"]);
  const outcome = await run(profileOf(site, { name: "robots" }));
  expect(outcome).toMatchObject({ status: "succeeded", counts: { sent: 1, skipped: 1 } });
  expect(site.paths()).toEqual(["/feed", "/a-1"]);
  expect(await stateOf("robots")).toEqual({ done: 1, skipped: 1 });
});

test("a profile with the publisher's consent may go without robots.txt", async () => {
  site.set("/robots.txt", { type: "text/plain", body: "User-agent: *\nDisallow: /" });
  putStories(site, ["a"]);
  const politeness = { min_delay_ms: 0, respect_robots: false };
  expect((await run(profileOf(site, { name: "consent", politeness }))).counts.sent).toBe(1);
  expect(site.seen.map(({ path }) => path)).not.toContain("/robots.txt");
});

test("a site whose robots.txt cannot be had is left alone, and its articles are not given up", async () => {
  putStories(site, ["a"]);
  const profile = profileOf(site, { name: "closed" });
  site.set("/robots.txt", { status: 503 });
  const first = await run(profile);
  expect(first).toMatchObject({ status: "failed", counts: { discovered: 0 } });
  expect(site.paths()).toEqual([]);
  expect(first.error).toContain("robots");
});

test("Crawl-delay is kept where it is longer than the profile's own delay", async () => {
  site.set("/robots.txt", { type: "text/plain", body: "User-agent: *\nCrawl-delay: 7" });
  putStories(site, ["a"]);
  await run(profileOf(site, { name: "delay", politeness: { min_delay_ms: 3000, concurrency: 3 } }));
  const pages = asked.filter(({ minDelayMs }) => minDelayMs > 0);
  expect(pages.length).toBe(2);
  for (const limits of pages) expect(limits).toEqual({ minDelayMs: 7000, concurrency: 3 });
});

test("a 429 makes all processes leave the host alone for its Retry-After, and the article comes after that", async () => {
  putStories(site, ["a"]);
  site.set("/a-1", (nth) =>
    nth === 1 ? { status: 429, headers: { "retry-after": "1" } } : { body: storyPage("Report a") },
  );
  expect((await run(profileOf(site, { name: "busy" }))).counts.sent).toBe(1);
  expect(deferred).toEqual([1000]);
});

test("a Retry-After that is too long to wait for leaves the article to a later run", async () => {
  putStories(site, ["a"]);
  site.set("/a-1", { status: 429, headers: { "retry-after": "3600" } });
  const outcome = await run(profileOf(site, { name: "later" }));
  expect(outcome.error).toBe("1 articles are to be tried again");
  expect(deferred).toEqual([3_600_000]);
  expect(await stateOf("later")).toEqual({ waiting: 1 });
});

test("headers and user agent of the profile go with every request, and robots.txt is read for that robot", async () => {
  site.set("/robots.txt", { type: "text/plain", body: "User-agent: OtherBot\nDisallow: /b" });
  putStories(site, ["a", "b"]);
  const politeness = { min_delay_ms: 0, user_agent: "OtherBot/2.0 (+https://example.org)" };
  const { counts } = await run(profileOf(site, { name: "agent", politeness, headers: { "x-partner": "isnad" } }));
  expect(counts).toMatchObject({ sent: 1, skipped: 1 });
  const pages = site.seen.filter(({ path }) => path !== "/robots.txt");
  expect(pages.length).toBe(2);
  for (const { headers } of pages) {
    expect(headers).toMatchObject({ "user-agent": politeness.user_agent, "x-partner": "isnad" });
  }
});

test("a site that does not answer ends the run after a few articles, and the rest waits", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `n${i}`);
  putStories(site, names);
  for (const name of names) site.set(`/${name}-1`, { status: 429, headers: { "retry-after": "3600" } });
  const politeness = { min_delay_ms: 0, concurrency: 1 };
  const outcome = await run(profileOf(site, { name: "down", politeness }));
  expect(outcome.error).toContain("is out of reach (http-429)");
  expect(site.paths().length).toBe(1 + 5);
  expect(await stateOf("down")).toEqual({ waiting: 9 });
});

test("an address in a private network is refused unless it is allowed", async () => {
  const { config } = optionsFor(api.url);
  const scraper = { ...config.scraper, allowPrivateHosts: "" };
  const closed = createCrawler({ config: { ...config, scraper }, store: store.scraper });
  const signal = new AbortController().signal;
  const answer = await closed.scrape([profileOf(site)], { sendToApi: false, writeToDisk: false }, { signal });
  await closed.close();
  expect(answer.metadata.errors?.test).toContain("private-address");
  expect(site.seen).toEqual([]);
});

test("an article that waits for its host's turn in vain is not given up, however often", async () => {
  putStories(site, ["a"]);
  const profile = profileOf(site, { name: "turn" });
  const { frontier } = store.scraper;
  await frontier.discover(null, "turn", [{ url: `${site.url}/a-1`, entry: {}, category: null, stamp: "1" }]);
  for (let i = 0; i < 3; i++) {
    const [row] = await frontier.take("turn", { limit: 1, owner: "earlier", leaseS: 3_600 });
    expect(row?.attempts).toBe(i);
    await frontier.settle("turn", `${site.url}/a-1`, { state: "retry" });
  }
  site.set("/robots.txt", { status: 503 });
  expect((await run(profile)).error).toContain("1 articles are to be tried again");
  expect(await stateOf("turn")).toEqual({ waiting: 1 });
});
