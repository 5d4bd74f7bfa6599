import { afterAll, beforeAll, expect, test } from "bun:test";
import { ProfileDraft } from "@isnad/lib/contract";
import { loadConfig } from "@isnad/lib/service/config";
import { testStore } from "@isnad/lib/store/testing";
import { createCrawler } from "../crawl/create-crawler.ts";
import { feedOf, startSite, storyPage, type TestSite } from "../crawl/testing.ts";
import type { Crawler } from "../crawl/types.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

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
