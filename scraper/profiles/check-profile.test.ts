import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { loadConfig } from "@isnad/lib/service/config";
import { createMemoryLeaseStore } from "@isnad/lib/web/egress";
import { ReaderPool } from "../../lib/extraction/reader/pool.ts";
import { feedOf, startSite, storyPage, storyText, type TestSite } from "../crawl/testing.ts";
import { profileFile } from "../testing/profiles.ts";
import { checkProfile } from "./check-profile.ts";
import { createProfileSchema, type Profile } from "./schema.ts";
import { createClients } from "../crawl/create-crawler.ts";

const reader = new ReaderPool();
let site: TestSite;
beforeAll(async () => {
  await reader.inspect({ html: "", url: "" });
});
beforeEach(async () => {
  await site?.stop();
  site = await startSite();
});
afterAll(async () => {
  await Promise.all([site.stop(), reader.close()]);
});

const config = loadConfig({ SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
const parts = { clientFor: createClients({ config, leases: createMemoryLeaseStore() }), credentials: {}, reader };
const { signal } = new AbortController();

function profile(over: Record<string, unknown>): Profile {
  const politeness = { min_delay_ms: 0 };
  return createProfileSchema(["politics"]).parse(profileFile({ politeness, feeds: [], ...over }));
}

function check(over: Record<string, unknown>, pages: Record<string, string> = {}) {
  const articles = Object.entries(pages).map(([from, html]) => ({ from, html, url: "" }));
  return checkProfile(parts, profile(over), { articles, lists: [], liveArticles: 2, signal });
}

test("each selector is counted on each page, and a required one that matches nowhere is a problem", async () => {
  const pages = {
    "1.html": storyPage("One").replace("<h1>", '<p class="by">by A. Writer</p><h1>'),
    "2.html": storyPage("Two"),
  };
  const article = { title: "h1", content: ".story", author: ".by", remove: [".ad"] };
  const { selectors, problems, pages: read } = await check({ article, feeds: [{ url: "https://a.test/feed" }] }, pages);
  expect(selectors.map(({ field, required, counts, first }) => [field, required, counts, first])).toEqual([
    ["article.title", true, [1, 1], "One"],
    ["article.content", true, [0, 0], ""],
    ["article.author", false, [1, 0], "by A. Writer"],
    ["article.remove.0", false, [0, 0], ""],
  ]);
  expect(problems).toEqual(['article.content: ".story" matches nothing on any page']);
  expect(read).toMatchObject([
    { from: "1.html", kind: "article", title: "One", authors: ["A. Writer"] },
    { title: "Two" },
  ]);
});

test("selectors of former designs need not match, nor those that match on one page of two", async () => {
  const over = {
    feeds: [{ url: "https://a.test/feed" }],
    article: { content: "article" },
    article_versions: [{ until: "2020-01-01", content: ".old" }],
  };
  const { problems } = await check(over, {
    "1.html": storyPage("One"),
    "2.html": storyPage("Two").replaceAll("article>", "div>"),
  });
  expect(problems).toEqual([]);
});

test("without pages the listings are read, and articles of each are fetched", async () => {
  for (const name of ["a", "b", "c"]) site.set(`/${name}-1`, { body: storyPage(`Report ${name}`, storyText(name)) });
  const entries = ["a", "b"].map((name) => ({
    url: `${site.url}/${name}-1`,
    title: name,
    published: "Mon, 15 Jan 2024 10:00:00 GMT",
  }));
  site.set("/feed", { type: "text/xml", body: feedOf([...entries, { url: `${site.url}/video/1`, title: "v" }]) });
  site.set("/list", { body: '<h2><a href="/c-1">c</a></h2>' });
  const over = {
    feeds: [{ url: `${site.url}/feed` }],
    list_pages: [{ url: `${site.url}/list`, link_selector: "h2 a" }],
    block: ["/video/"],
  };
  const { listings, pages, selectors, problems } = await check(over);
  expect(listings).toEqual([
    { kind: "feed", url: `${site.url}/feed`, entries: 3, kept: 2, latest: "2024-01-15T10:00:00Z" },
    { kind: "list", url: `${site.url}/list`, entries: 1, kept: 1, latest: null },
  ]);
  expect(pages.map(({ from }) => from.replace(site.url, ""))).toEqual(["/a-1", "/c-1"]);
  expect(selectors).toMatchObject([{ field: "list_pages.0.link_selector", counts: [1], first: "c" }]);
  expect(problems).toEqual([]);
});

test("what cannot be had, or is none, is a problem that names it", async () => {
  site.set("/page", { body: "<html><body>none</body></html>" });
  site.set("/feed", { type: "text/xml", body: feedOf([{ url: `${site.url}/gone`, title: "gone" }]) });
  const feeds = ["/page", "/feed", "/nowhere"].map((path) => ({ url: site.url + path }));
  const { problems } = await check({ feeds });
  expect(problems).toEqual([
    `${site.url}/page: the root element is <html>`,
    `${site.url}/nowhere answered 404`,
    `${site.url}/gone: answered 404`,
    "no article could be fetched",
  ]);
  const { problems: blocked } = await check(
    { feeds: [{ url: `${site.url}/feed` }] },
    {
      "blocked.html": "<title>Just a moment...</title><p>Verify you are human.</p>",
    },
  );
  expect(blocked).toEqual(["blocked.html: read as block-page, not as an article"]);
});
