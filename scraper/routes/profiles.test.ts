import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { ProfileDraft } from "@isnad/lib/contract";
import { loadConfig } from "@isnad/lib/service/config";
import { NO_COUNTS } from "@isnad/lib/store";
import { testStore } from "@isnad/lib/store/testing";
import { createCrawler } from "../crawl/create-crawler.ts";
import { feedOf, startSite, storyPage, type TestSite } from "../crawl/testing.ts";
import type { Crawler } from "../crawl/types.ts";
import { testProfile } from "../testing/profiles.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await testScraper({}, { now: () => Date.parse("2026-03-01T10:05:00.000Z") });
}, 300_000);
afterAll(() => scraper.close());

async function run(profileId: string, end: { status: "succeeded" | "failed"; error?: string }): Promise<string> {
  const { runs } = scraper.store.scraper;
  const owner = randomUUID();
  await runs.create({ profileId, provider: profileId, trigger: "schedule" });
  const claimed = await runs.claim(owner, { leaseS: 3_600, profileIds: [profileId] });
  await runs.finish(claimed?.runId ?? "", owner, { ...end, counts: NO_COUNTS });
  return claimed?.runId ?? "";
}

describe("GET /profiles", () => {
  test("shows configuration and status of every profile", async () => {
    const alpha = testProfile({ name: "alpha", timezone: "Asia/Amman", schedule: "0 6 * * *" });
    const beta = testProfile({ name: "beta", enabled: false });
    scraper.profiles.put(alpha, beta);
    const { status, list } = await scraper.get("/profiles");
    expect(status).toBe(200);
    const never = { last_run: null, last_error: null, warnings: [] };
    expect(list).toEqual([
      JSON.parse(JSON.stringify({ ...alpha, status: { ...never, next_run: "2026-03-02T03:00:00.000Z" } })),
      JSON.parse(JSON.stringify({ ...beta, status: { ...never, next_run: null } })),
    ]);
  });

  test("shows no next run of a profile whose source is off", async () => {
    const profile = testProfile({ name: "resting", schedule: "0 6 * * *" });
    scraper.profiles.put(profile);
    const nextRun = async () => Object((await scraper.get("/profiles")).list[0]?.status).next_run;
    await scraper.store.sources.upsert([{ key: profile.source.id }]);
    expect(await nextRun()).toBeString();
    await scraper.store.sourceStates.switch(profile.source.id, false);
    expect(await nextRun()).toBeNull();
    await scraper.store.sourceStates.switch(profile.source.id, true);
    expect(await nextRun()).toBeString();
  });

  test("tells of the last run and the last error, even when runs have succeeded since", async () => {
    scraper.profiles.put(testProfile({ name: "gamma" }));
    const failed = await run("gamma", { status: "failed", error: "the feed is gone" });
    const succeeded = await run("gamma", { status: "succeeded" });
    const [gamma] = (await scraper.get("/profiles")).list;
    expect(gamma?.status).toMatchObject({
      last_run: { run_id: succeeded, status: "succeeded", trigger: "schedule" },
      last_error: { run_id: failed, message: "the feed is gone", at: expect.stringMatching(/Z$/) },
    });
  });

  test("warns of selectors that match nothing any more, and of files that claim the same source", async () => {
    const { runs } = scraper.store.scraper;
    const delta = testProfile({ name: "delta" });
    const problem = { file: "copy.json", line: 7, field: "source.id", reason: "taken", sourceOf: "delta" };
    scraper.profiles.put(delta, testProfile({ name: "other" }));
    scraper.profiles.problems = () => [problem];
    await runs.create({ profileId: "delta", provider: "delta", trigger: "schedule" });
    const claimed = await runs.claim("o", { leaseS: 3_600, profileIds: ["delta"] });
    const selectors = { title: { matched: 3, unmatched: 4 }, content: { matched: 0, unmatched: 7 } };
    await runs.finish(claimed?.runId ?? "", "o", {
      status: "partial",
      counts: NO_COUNTS,
      details: { errors: [], feeds: [], selectors, tooOld: {} },
    });
    // A run that had nothing to read does not hide it.
    await run("delta", { status: "succeeded" });
    const { list } = await scraper.get("/profiles");
    scraper.profiles.problems = () => [];
    expect(list.map(({ status }) => Object(status).warnings)).toEqual([
      [
        "article.content matches nothing on the last 7 pages",
        'copy.json is passed over: it names the same source.id, "delta"',
      ],
      [],
    ]);
  });

  test("a scraper that follows no schedules has no next runs", async () => {
    const idle = await testScraper({ SCRAPER_SCHEDULE: "false" });
    idle.profiles.put(testProfile());
    expect((await idle.get("/profiles")).list[0]?.status).toMatchObject({ next_run: null });
    await idle.close();
  });
});

describe("POST /profiles/reload", () => {
  test("reads the files again and answers 204 without a body", async () => {
    let readings = 0;
    const off = scraper.profiles.onReload(() => readings++);
    const response = await scraper.post("/profiles/reload");
    expect(response.status).toBe(204);
    expect(readings).toBe(1);
    off();
  });
});

describe("GET /profiles/{name}/categories", () => {
  test("gives the canonical categories that the profile can yield", async () => {
    const feeds = [{ url: "https://a.test/", category: "health" }];
    scraper.profiles.put(testProfile({ category_map: { Ball: "sport", سياسة: "politics" }, feeds }));
    const { status, list } = await scraper.get("/profiles/alpha/categories");
    expect(status).toBe(200);
    expect([...list]).toEqual(Object(["politics", "sport", "health"]));
  });

  test("of an unknown profile is 404", async () => {
    const { status, body } = await scraper.get("/profiles/nobody/categories");
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: "/errors/not-found", instance: "/profiles/nobody/categories" });
  });
});

describe("drafts of profiles", () => {
  let site: TestSite;
  let opened: Awaited<ReturnType<typeof testStore>>;
  let crawler: Crawler;
  let scraper: TestScraper;
  beforeAll(async () => {
    site = await startSite();
    opened = await testStore();
    const config = loadConfig({ SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1", INGEST_TOKEN: "i" });
    crawler = createCrawler({ config, store: opened.store.scraper, retries: 0 });
    scraper = await testScraper({}, { crawler });
  }, 300_000);
  afterAll(async () => {
    await Promise.all([scraper.close(), crawler.close()]);
    await opened.close();
    await site.stop();
  });

  test("a site's feeds and articles are shown, and a profile of it that nothing keeps", async () => {
    const url = `${site.url}/news/1`;
    site.set("/news/1", { body: storyPage("A bridge is closed") });
    site.set("/feed", { body: feedOf([{ url, title: "A bridge is closed" }]), type: "application/rss+xml" });
    site.set("/", {
      body: `<html lang="en"><head><title>The Paper</title><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>`,
    });
    const { status, body } = await scraper.post("/profiles/draft", { url: `${site.url}/`, articles: 1 });
    expect(status).toBe(200);
    const draft = ProfileDraft.parse(body);
    expect(draft).toMatchObject({ language: "en", feeds: [{ url: `${site.url}/feed`, entries: 1 }] });
    expect(draft.articles).toMatchObject([{ url, read_well: true, why: null }]);
    expect(draft.profile).toMatchObject({ enabled: false, feeds: [{ url: `${site.url}/feed` }] });
    expect((await scraper.get("/profiles")).list).toEqual([]);
  });

  test("an address that shows nothing, a private one, none, and no token are told so", async () => {
    const draft = (body: unknown, headers?: Record<string, string>) => scraper.post("/profiles/draft", body, headers);
    const gone = await draft({ url: `${site.url}/gone` });
    expect(gone.status).toBe(422);
    expect(gone.body.errors).toEqual({ url: [expect.stringContaining("answers 404")] });
    const inner = await draft({ url: "http://10.0.0.1/" });
    expect(inner.body.errors).toEqual({ url: [expect.stringContaining("cannot be had")] });
    const wrong = await draft({ url: "ftp://paper.example/", articles: 9 });
    expect(Object.keys(Object(wrong.body.errors)).sort()).toEqual(["articles", "url"]);
    expect((await draft({ url: site.url }, { authorization: "Bearer no" })).status).toBe(401);
  });
});
