import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@isnad/lib/store";
import { type TestStore, testStore } from "@isnad/lib/store/testing";
import { endLeases } from "../testing/scraper.ts";
import { createCrawler } from "./create-crawler.ts";
import { feedOf, optionsFor, profileOf, putStories, startSite, storyPage, type TestSite } from "./testing.ts";
import type { CrawlProfile } from "./types.ts";

const API_MAIN = join(import.meta.dir, "../../api/main.ts");
const CHILD = join(import.meta.dir, "testing-child.ts");

let database: TestStore;
let store: Store;
let dataDir: string;
let api: { url: string; kill(signal: number): void };

beforeAll(async () => {
  database = await testStore();
  store = database.store;
  dataDir = await mkdtemp(join(tmpdir(), "isnad-kill-"));
  api = await startApi();
}, 300_000);
afterAll(async () => {
  api.kill(9);
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The real API as a process. */
async function startApi(): Promise<typeof api> {
  const child = Bun.spawn([process.execPath, API_MAIN], {
    stdout: "pipe",
    stderr: "inherit",
    stdin: "ignore",
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: database.url, API_PORT: "0", INGEST_TOKEN: "t" },
  });
  const decoder = new TextDecoder();
  const url = Promise.withResolvers<string>();
  const listen = async () => {
    let said = "";
    // To its end: a process whose output nobody takes cannot go on.
    for await (const chunk of child.stdout) {
      said = said.slice(-1000) + decoder.decode(chunk);
      const found = /"url":"(http:[^"]+)"/.exec(said)?.[1];
      if (found !== undefined) url.resolve(found);
    }
    url.reject(new Error("the API ended"));
  };
  void listen();
  return { url: await url.promise, kill: (signal) => child.kill(signal) };
}

type Moment = "before" | "after" | undefined;

/**
 * Stands before the API; `at` says whether the sender is to die before a request reaches it, or before its answer comes
 * back.
 */
async function startGate(at: () => Moment, kill: () => void): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const moment = at();
    if (moment === "before") return kill();
    const answer = await fetch(`${api.url}${request.url}`, {
      method: "POST",
      headers: { authorization: String(request.headers.authorization), "content-type": "application/json" },
      body: Buffer.concat(chunks),
    });
    if (moment === "after") return kill();
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return { url: `http://127.0.0.1:${address.port}`, server };
}

function startChild(apiUrl: string, profile: CrawlProfile) {
  return Bun.spawn([process.execPath, CHILD, database.url, apiUrl, JSON.stringify(profile)], {
    stdout: "inherit",
    stderr: "inherit",
    stdin: "ignore",
    env: { PATH: process.env.PATH },
  });
}

/** Articles of a source, in the order in which they came. */
const stored = (sourceId: string) => database.sql<{ id: number; title: string }[]>`
  select article_id::int as id, title from articles where source_id = ${sourceId} order by article_id`;

async function articlesOf(sourceId: string): Promise<string[]> {
  return (await stored(sourceId)).map(({ title }) => title);
}

function putPaced(site: TestSite, names: readonly string[], onPage: (name: string) => void): void {
  putStories(site, names);
  for (const name of names) {
    site.set(`/${name}-1`, () => {
      onPage(name);
      return { body: storyPage(`Report ${name}`) };
    });
  }
}

test("killed in the middle of a run and of a push, again and again: in the end every article is in the platform once", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const site = await startSite();
  const deaths: ("b" | "e" | Moment)[] = ["b", "e", "before", "after", undefined];
  let child: ReturnType<typeof startChild>;
  let due: (typeof deaths)[number];
  const kill = () => child.kill(9);
  putPaced(site, names, (name) => {
    if (name === due) kill();
  });
  const gate = await startGate(() => (due === "before" || due === "after" ? due : undefined), kill);
  const profile = profileOf(site, {
    name: "killed",
    source: { id: "killed" },
    politeness: { min_delay_ms: 0, concurrency: 1 },
  });
  const ends: (number | string | null)[] = [];
  for (due of deaths) {
    child = startChild(gate.url, profile);
    await child.exited;
    ends.push(child.signalCode ?? child.exitCode);
    await endLeases(database.sql.unsafe);
  }
  expect(ends).toEqual(["SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL", 0]);
  expect((await articlesOf("killed")).sort()).toEqual(names.map((name) => `Report ${name}`));
  const { runs } = await store.scraper.runs.list({ profileId: "killed", limit: 10 });
  expect(runs.length).toBeGreaterThanOrEqual(1);
  expect(runs.every(({ finishedAt }) => finishedAt !== null)).toBe(true);
  const states = (await store.scraper.items.counts()).filter(({ profileId }) => profileId === "killed");
  expect(states.every(({ state }) => state === "sent" || state === "duplicate")).toBe(true);
  gate.server.closeAllConnections();
  gate.server.close();
  await site.stop();
}, 300_000);

test("two processes that crawl one site at once never ask it for more than its limit allows, and fetch no article twice", async () => {
  const names = Array.from({ length: 8 }, (_, i) => `n${i}`);
  const site = await startSite();
  putStories(site, names);
  for (const name of names) {
    site.set(`/${name}-1`, () => ({
      body: storyPage(`Report ${name}`),
      after: new Promise((resolve) => setTimeout(resolve, 15)),
    }));
  }
  const politeness = { min_delay_ms: 0, concurrency: 1 };
  const profiles = ["one", "two"].map((name) => profileOf(site, { name, source: { id: name }, politeness }));
  const children = profiles.map((profile) => startChild(api.url, profile));
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0]);
  expect(site.mostAtOnce).toBe(1);
  expect((await articlesOf("one")).length + (await articlesOf("two")).length).toBe(names.length);
  await site.stop();
}, 300_000);

test("the real API takes what it knows for duplicates, and a changed article for a conflict that changes nothing, but is kept as a revision", async () => {
  const site = await startSite();
  putStories(site, ["x", "y"]);
  const crawler = createCrawler({ ...optionsFor(api.url), store: store.scraper });
  const run = async (name: string) => {
    const profile = profileOf(site, { name, source: { id: "changing" } });
    const made = await store.scraper.runs.create({ profileId: name, provider: "test", trigger: "api" });
    if (!("run" in made)) throw new Error("a run is under way");
    const owner = crypto.randomUUID();
    await store.scraper.runs.claim(owner, { leaseS: 3_600, profileIds: [name] });
    const { signal } = new AbortController();
    const outcome = await crawler.crawl(profile, { ...made.run, owner }, { signal });
    await store.scraper.runs.finish(made.run.runId, owner, outcome);
    return outcome;
  };
  expect(await run("first")).toMatchObject({ status: "succeeded", counts: { sent: 2, duplicate: 0, conflict: 0 } });
  // A profile that knows nothing of the first one's work: the same articles come again.
  expect(await run("second")).toMatchObject({ status: "succeeded", counts: { sent: 2, duplicate: 2, conflict: 0 } });
  putStories(site, ["x", "y", "z"], "2");
  site.set("/x-1", { body: storyPage("Report x, corrected") });
  const entries = ["x", "y", "z"].map((name) => ({ url: `${site.url}/${name}-1`, title: `Report ${name}, again` }));
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  expect(await run("first")).toMatchObject({
    status: "succeeded",
    counts: { sent: 2, duplicate: 0, conflict: 1, skipped: 1 },
  });
  expect((await articlesOf("changing")).sort()).toEqual(["Report x", "Report y", "Report z"]);
  const x = (await stored("changing")).find(({ title }) => title === "Report x");
  const revisions = await fetch(`${api.url}/v1/articles/${x?.id}/revisions`);
  expect(await revisions.json()).toMatchObject({
    gone_at: null,
    revisions: [{ revision: 2, kind: "changed", reported_by: { source_id: "changing" } }, { revision: 1 }],
  });
  await crawler.close();
  await site.stop();
}, 300_000);
