import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { putStories, startSite, storyPage, type TestSite } from "./crawl/testing.ts";
import { endLeases, type ScraperProcess, spawnScraper, startScraper } from "./testing/scraper.ts";
import { profileFile } from "./testing/profiles.ts";

let database: TestDatabase;
let folder: string;
let site: TestSite;
let api: IngestStub;
const started: ScraperProcess[] = [];
/** Lets the site answer what it holds back. */
let release = (): void => undefined;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "isnad-scraper-"));
  site = await startSite();
  api = await startIngestStub();
}, 300_000);
afterEach(async () => {
  release();
  for (const scraper of started.splice(0)) await scraper.end("SIGKILL");
});
afterAll(async () => {
  await site.stop();
  await api.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, 300_000);

/** Starts a scraper with a folder of profiles of its own, `name` being the only one: it reads the site's feed. */
async function start(name: string, env: Record<string, string>): Promise<ScraperProcess> {
  const dir = join(folder, name);
  await mkdir(dir, { recursive: true });
  const feeds = [{ url: `${site.url}/feed` }];
  const politeness = { min_delay_ms: 0, concurrency: 2 };
  await writeFile(join(dir, `${name}.json`), JSON.stringify(profileFile({ name, feeds, politeness })));
  const scraper = await startScraper({
    PROFILES_DIR: dir,
    API_URL: api.url,
    SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1",
    SCRAPER_RUN_LEASE_S: "3600",
    ...env,
  });
  started.push(scraper);
  return scraper;
}

/** Puts seven stories on the site; the fourth is not answered the first time. Resolves when it is asked for. */
function putStoriesThatStop(): { names: string[]; reached: Promise<void> } {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  release = () => held.resolve();
  putStories(site, names);
  let asked = false;
  site.set("/d-1", () => {
    if (asked) return { body: storyPage("Report d") };
    asked = true;
    reached.resolve();
    return { after: held.promise };
  });
  return { names, reached: reached.promise };
}

async function finished(scraper: ScraperProcess, runId: unknown): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await scraper.ask(`/runs/${runId}`);
    if (body.finished_at !== null) return body;
    await Bun.sleep(20);
  }
}

describe("the scraper as a process", () => {
  test("killed in the middle of a run and started again, it takes the run up and every article arrives once", async () => {
    const { names, reached } = putStoriesThatStop();
    const env = { DATA_DIR: join(folder, "data"), DATABASE_URL: database.url };
    const first = await start("killed", env);
    const { status, body } = await first.ask("/runs", { profile_id: "killed" });
    expect(status).toBe(202);
    await reached;
    expect((await first.ask(`/runs/${body.run_id}`)).body).toMatchObject({ status: "running", finished_at: null });
    expect(await first.end("SIGKILL")).toBeNull();
    const sql = new Bun.SQL(database.url, { max: 1 });
    await endLeases((statement) => sql.unsafe(statement));
    await sql.end();

    const second = await start("killed", env);
    expect(await finished(second, body.run_id)).toMatchObject({
      status: "succeeded",
      error: null,
      // What the first had sent and not noted yet is sent again, a duplicate.
      counts: { sent: names.length, conflict: 0, failed: 0 },
    });
    expect(api.stored.size).toBe(names.length);
    expect(await second.end("SIGTERM")).toBe(0);
  }, 300_000);

  test("at SIGTERM it gives its run back and exits 0; the next process goes on with it at once", async () => {
    api.stored.clear();
    const { names, reached } = putStoriesThatStop();
    const env = { DATA_DIR: join(folder, "data-2"), DATABASE_URL: database.url };
    const first = await start("stopped", env);
    const { body } = await first.ask("/runs", { profile_id: "stopped" });
    await reached;
    expect(await first.end("SIGTERM")).toBe(0);
    expect(first.lines).toContainEqual(expect.objectContaining({ msg: "work is given back", run_id: body.run_id }));
    const second = await start("stopped", env);
    expect(await finished(second, body.run_id)).toMatchObject({ status: "succeeded", counts: { sent: names.length } });
    expect(await second.end("SIGTERM")).toBe(0);
  }, 300_000);

  test("scrapes on demand, and a changed folder of profiles is in force by itself", async () => {
    putStories(site, ["x", "y"]);
    const scraper = await start("demand", { DATA_DIR: join(folder, "data-3"), DATABASE_URL: database.url });
    const { status, body } = await scraper.ask("/scrape", { send_to_api: false });
    expect(status).toBe(200);
    expect(body).toMatchObject({ metadata: { total_articles: 2, sources_processed: ["demand"] } });
    const file = join(folder, "demand", "later.json");
    await writeFile(file, JSON.stringify(profileFile({ name: "later", category_map: { Ball: "sport" } })));
    for (;;) {
      const found = await scraper.ask("/profiles/later/categories");
      if (found.status === 200) break;
      await Bun.sleep(20);
    }
    expect(await scraper.end("SIGTERM")).toBe(0);
  }, 300_000);
});

describe("the scraper cannot start, and says why in one line:", () => {
  test.each([
    ["a network is none", { SCRAPER_ALLOWED_CIDRS: "10.0.0.0/99" }, "SCRAPER_ALLOWED_CIDRS must hold"],
    ["tokens are missing", { APP_ENV: "production", SCRAPER_TOKEN: "" }, "SCRAPER_TOKEN must be set"],
  ])(
    "%s",
    async (_, env, words) => {
      const { ended } = spawnScraper({ DATA_DIR: join(folder, "data-4"), DATABASE_URL: database.url, ...env });
      const { code, errors: said } = await ended;
      expect(code).toBe(1);
      expect(said).toContain(words);
      expect(said.trim().split("\n")).toHaveLength(1);
    },
    300_000,
  );
});
