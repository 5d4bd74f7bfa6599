import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { openStore, type Store } from "@isnad/lib/store";
import { startIngestStub, type Fault, type IngestStub } from "@isnad/lib/ingest-client/testing";
import { type TestDatabase, testDatabase } from "@isnad/lib/store/testing";
import { createCrawler } from "./create-crawler.ts";
import {
  feedOf,
  optionsFor,
  profileOf,
  putStories,
  startSite,
  storyPage,
  storyText,
  type TestSite,
} from "./testing.ts";
import type { Crawler, CrawlProfile, RunOutcome } from "./types.ts";

let database: TestDatabase;
let store: Store;
let site: TestSite;
let api: IngestStub;
let crawler: Crawler;
let fault: Fault;

beforeAll(async () => {
  database = await testDatabase();
  store = openStore(database.url);
  const { config } = optionsFor("http://127.0.0.1:1");
  const endpoint = async () => ({ url: api.url, token: "t" });
  crawler = createCrawler({ config, endpoint, patienceMs: 0, restS: 0.05, store: store.scraper });
}, 60_000);
beforeEach(async () => {
  fault = undefined;
  site = await startSite();
  api = await startIngestStub(() => fault);
});
afterEach(async () => {
  await site.stop();
  await api.stop();
});
afterAll(async () => {
  await crawler.close();
  await store.close();
  await database.drop();
});

let names = 0;
/** A profile of its own for each test: the database is shared. */
function newProfile(more: Partial<CrawlProfile> = {}): CrawlProfile {
  const name = `site-${++names}`;
  return profileOf(site, { name, source: { id: name }, ...more });
}

async function run(profile: CrawlProfile, { limit = null }: { limit?: number | null } = {}): Promise<RunOutcome> {
  const made = await store.scraper.runs.create({ profileId: profile.name, provider: "test", trigger: "api", limit });
  if (!("run" in made)) throw new Error("a run is under way");
  const owner = crypto.randomUUID();
  const claimed = await store.scraper.runs.claim(owner, { leaseS: 60, profileIds: [profile.name] });
  if (claimed === undefined) throw new Error("no run to claim");
  const outcome = await crawler.crawl(profile, { ...claimed, owner }, { signal: new AbortController().signal });
  await store.scraper.runs.finish(claimed.runId, owner, outcome);
  return outcome;
}

test("a first run brings every article to the API, once", async () => {
  putStories(site, ["a", "b", "c"]);
  const profile = newProfile();
  const outcome = await run(profile);
  expect(outcome).toEqual({
    status: "succeeded",
    error: null,
    counts: { discovered: 3, fetched: 3, extracted: 3, sent: 3, duplicate: 0, conflict: 0, failed: 0, skipped: 0 },
  });
  expect(api.stored.size).toBe(3);
  expect([...api.stored.values()].sort()).toEqual(["a", "b", "c"].map((name) => storyText(`Report ${name}`)));
});

test("a second run asks whether anything changed, hears 304 and loses nothing; a new article comes in the third", async () => {
  putStories(site, ["a", "b"]);
  const profile = newProfile();
  await run(profile);
  site.paths();
  const second = await run(profile);
  expect(site.paths()).toEqual(["/feed"]);
  expect(site.seen.at(-1)?.status).toBe(304);
  expect(second).toMatchObject({ status: "succeeded", counts: { discovered: 0, fetched: 0, sent: 0 } });
  putStories(site, ["a", "b", "c"]);
  const third = await run(profile);
  expect(site.paths()).toEqual(["/feed", "/c-1"]);
  expect(third.counts).toMatchObject({ discovered: 1, sent: 1 });
  expect(api.stored.size).toBe(3);
});

test("what a limit leaves over comes in the next runs, although the feed then says 304", async () => {
  putStories(site, ["a", "b", "c", "d", "e"]);
  const profile = newProfile({ limits: { max_articles: 2 } });
  expect((await run(profile)).counts).toMatchObject({ discovered: 5, sent: 2 });
  expect((await run(profile, { limit: 1 })).counts).toMatchObject({ discovered: 0, sent: 1 });
  expect((await run(profile)).counts).toMatchObject({ discovered: 0, sent: 2 });
  expect(api.stored.size).toBe(5);
  expect(site.paths().filter((path) => path === "/feed").length).toBe(3);
});

test("an article that two listings name under different spellings of its address is fetched once", async () => {
  putStories(site, ["a"]);
  const more = [{ url: `${site.url}/a-1?utm_source=rss#top`, title: "Report a" }];
  site.set("/more", { type: "text/xml", body: feedOf(more) });
  site.set("/list", { body: `<ul><li><a class="story" href="/a-1/">Report a</a></li></ul>` });
  const profile = newProfile({
    feeds: [{ url: `${site.url}/feed` }, { url: `${site.url}/more` }],
    list_pages: [{ url: `${site.url}/list`, link_selector: "a.story" }],
  });
  expect((await run(profile)).counts).toMatchObject({ discovered: 1, fetched: 1, sent: 1 });
  expect((await run(profile)).counts).toMatchObject({ discovered: 0, fetched: 0 });
  expect(site.paths().filter((path) => path.startsWith("/a-1"))).toEqual(["/a-1"]);
});

test("one article under two addresses goes by its canonical one: it is one item", async () => {
  const head = `<link rel="canonical" href="${site.url}/story-123456">`;
  for (const path of ["/story-123456", "/world/story-123456-amp"]) {
    site.set(path, { body: storyPage("One story", storyText("one"), head) });
  }
  const entries = ["/story-123456", "/world/story-123456-amp"].map((path) => ({
    url: site.url + path,
    title: "One story",
  }));
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const { counts } = await run(newProfile());
  expect(counts).toMatchObject({ discovered: 2, fetched: 2, sent: 1, skipped: 1 });
  expect(api.stored.size).toBe(1);
});

test("a changed article is looked at when the feed says so, and the conflict that the API answers is counted as such", async () => {
  putStories(site, ["a", "b"]);
  const profile = newProfile();
  await run(profile);
  site.set("/a-1", { etag: '"a-2"', body: storyPage("Report a: more dead", storyText("a, corrected")) });
  const entries = [
    { url: `${site.url}/a-1`, title: "Report a: more dead" },
    { url: `${site.url}/b-1`, title: "Report b, again" },
  ];
  site.set("/feed", { etag: '"feed-2"', type: "text/xml", body: feedOf(entries) });
  site.paths();
  const second = await run(profile);
  expect(second).toMatchObject({
    status: "succeeded",
    counts: { discovered: 2, fetched: 2, conflict: 1, failed: 0, skipped: 1 },
  });
  // b's page answered 304: it is not sent again.
  expect(site.seen.filter(({ path, status }) => path === "/b-1" && status === 304).length).toBe(1);
  expect(api.seen.at(-1)?.ids.length).toBe(1);
});

test("an article whose page changed only around its text is not sent again", async () => {
  putStories(site, ["a"]);
  const profile = newProfile();
  await run(profile);
  const sent = api.seen.length;
  site.set("/a-1", { etag: '"a-2"', body: storyPage("Report a").replace("All rights", "No rights") });
  const entries = [{ url: `${site.url}/a-1`, title: "Report a", published: new Date().toUTCString() }];
  site.set("/feed", { etag: '"feed-2"', type: "text/xml", body: feedOf(entries) });
  expect((await run(profile)).counts).toMatchObject({ discovered: 1, fetched: 1, extracted: 1, sent: 0, skipped: 1 });
  expect(api.seen.length).toBe(sent);
});

test("pages that are no articles are passed over, each with its reason, and the rest comes through", async () => {
  const hostile = `<html><body>${"<div>".repeat(20_000)}deep${"</div>".repeat(20_000)}</body></html>`;
  const pages: Record<string, [body: string, status: number, type: string]> = {
    "/gone-1": ["", 410, "text/html"],
    "/missing-1": ["", 404, "text/html"],
    "/consent-1": [
      `<title>Before you continue</title><p>We use cookies. Accept all or reject all.</p>`,
      200,
      "text/html",
    ],
    "/photo-1": ["jpeg", 200, "image/jpeg"],
    "/short-1": [storyPage("Short", "A few words only."), 200, "text/html"],
    "/hostile-1": [hostile, 200, "text/html"],
    "/french-1": [storyPage("Le pont", FRENCH), 200, "text/html"],
    "/good-1": [storyPage("Good story"), 200, "text/html"],
  };
  for (const [path, [body, status, type]] of Object.entries(pages)) site.set(path, { body, status, type });
  const entries = Object.keys(pages).map((path) => ({
    url: site.url + path,
    title: path === "/good-1" ? "Good story" : "",
  }));
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = newProfile();
  expect(await run(profile)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 8, extracted: 1, sent: 1, skipped: 7 },
  });
  expect([...api.stored.values()]).toEqual([storyText("Good story")]);
});

const FRENCH = Array.from(
  { length: 5 },
  (_, i) =>
    `Le conseil de la province a décidé que le pont sur la rivière sera fermé pour des travaux, et que ${i} autres le seront avec lui dans les mois qui viennent.`,
).join("\n\n");

test("the feed's own text stands in for a page that cannot be had, but not for one that was withdrawn", async () => {
  const text = (name: string) =>
    `<content:encoded><![CDATA[${storyText(name)
      .split("\n\n")
      .map((p) => `<p>${p}</p>`)
      .join("")}]]></content:encoded>`;
  const more = (name: string) => `${text(name)}<dc:creator>A. Writer</dc:creator><category>Sport</category>`;
  const names = ["paywall", "gone", "wall"];
  site.set("/paywall-1", { status: 403 });
  site.set("/gone-1", { status: 410 });
  site.set("/wall-1", {
    body: "<title>Just a moment...</title><p>Checking your browser. Enable JavaScript and cookies to continue.</p>",
  });
  const entries = names.map((name) => ({ url: `${site.url}/${name}-1`, title: `The ${name}`, more: more(name) }));
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = newProfile({ category_map: { Sport: "sport" } });
  const { counts } = await run(profile);
  expect(counts).toMatchObject({ discovered: 3, extracted: 2, sent: 2, skipped: 1 });
  expect([...api.stored.values()].sort()).toEqual([storyText("paywall"), storyText("wall")]);
  const item = await store.scraper.items.get(profile.name, `${site.url}/paywall-1`);
  expect(item?.item).toMatchObject({
    title: "The paywall",
    authors: ["A. Writer"],
    category: "sport",
    categoryLabel: "Sport",
    language: "en",
  });
});

test("a page of windows-1256 without a declaration of the server is read as Arabic", async () => {
  const text = ARABIC.split("\n\n")
    .map((p) => `<p>${p}</p>`)
    .join("");
  const page = `<html><head><meta charset="windows-1256"><title>جسر</title></head><body><article><h1>إغلاق الجسر القديم</h1>${text}</article></body></html>`;
  site.set("/arabic-1", { type: "text/html", body: windows1256(page) });
  site.set("/feed", { type: "text/xml", body: feedOf([{ url: `${site.url}/arabic-1`, title: "إغلاق الجسر القديم" }]) });
  const profile = newProfile({ language: "ar" });
  expect((await run(profile)).counts).toMatchObject({ sent: 1 });
  const kept = await store.scraper.items.get(profile.name, `${site.url}/arabic-1`);
  expect(kept?.item).toMatchObject({ language: "ar", title: "إغلاق الجسر القديم", content: ARABIC });
});

const ARABIC = Array.from(
  { length: 4 },
  () =>
    "قرر مجلس المحافظة الشمالية يوم الاثنين إغلاق الجسر القديم فوق النهر لإجراء إصلاحات عاجلة بعد تحذيرات المهندسين من خطر انهياره",
).join("\n\n");

/** Bytes of a text in windows-1256, by reading its table backwards. */
function windows1256(text: string): Uint8Array {
  const decoder = new TextDecoder("windows-1256");
  const table = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(text, (char) => table.get(char) ?? 0x3f);
}

test("a page that fails for a while is tried again later; the run says so", async () => {
  putStories(site, ["a", "b"]);
  site.set("/a-1", { status: 400 });
  site.set("/b-1", { status: 503, headers: { "retry-after": "90" } });
  const profile = newProfile();
  const outcome = await run(profile);
  expect(outcome).toMatchObject({ status: "failed", counts: { failed: 1, sent: 0 } });
  expect(outcome.error).toBe("1 articles failed; 1 articles are to be tried again");
  const counts = await store.scraper.frontier.counts();
  expect(counts.filter(({ profileId }) => profileId === profile.name)).toEqual([
    { profileId: profile.name, state: "failed", count: 1 },
    { profileId: profile.name, state: "waiting", count: 1 },
  ]);
});

test("one listing that fails makes the run partial, all of them make it fail, and the error names them", async () => {
  putStories(site, ["a"]);
  site.set("/broken", { type: "text/html", body: "<html><body>no feed</body></html>" });
  const feeds = [{ url: `${site.url}/feed` }, { url: `${site.url}/broken` }, { url: `${site.url}/nowhere` }];
  const partial = await run(newProfile({ feeds }));
  expect(partial).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(partial.error).toContain(`${site.url}/broken`);
  expect(partial.error).toContain(`${site.url}/nowhere answered 404`);
  expect(await run(newProfile({ feeds: feeds.slice(1) }))).toMatchObject({ status: "failed", counts: { sent: 0 } });
});

test("articles that are older than the profile wants are passed over, by the feed's date or the page's", async () => {
  const old = new Date(Date.now() - 30 * 86_400_000);
  const head = `<meta property="article:published_time" content="${old.toISOString()}">`;
  site.set("/dated-1", { body: storyPage("Dated", storyText("dated"), head) });
  site.set("/fresh-1", { body: storyPage("Fresh") });
  const entries = [
    { url: `${site.url}/old-1`, title: "Old", published: old.toUTCString() },
    { url: `${site.url}/dated-1`, title: "Dated" },
    { url: `${site.url}/fresh-1`, title: "Fresh", published: new Date().toUTCString() },
  ];
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const { counts } = await run(newProfile({ limits: { max_age_days: 7 } }));
  expect(counts).toMatchObject({ discovered: 2, sent: 1, skipped: 1 });
  expect(site.paths()).not.toContain("/old-1");
});

test("an index of news sitemaps and a list page are read too", async () => {
  putStories(site, ["a", "b"]);
  const now = new Date().toISOString();
  site.set("/sitemap.xml", {
    type: "application/xml",
    body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${site.url}/news.xml</loc></sitemap></sitemapindex>`,
  });
  site.set("/news.xml", {
    type: "application/xml",
    etag: '"news"',
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc>${site.url}/a-1</loc><news:news><news:publication_date>${now}</news:publication_date><news:title>Report a</news:title></news:news></url></urlset>`,
  });
  site.set("/list", { body: `<main><h2><a href="/b-1">Report b</a></h2><a href="/about">About</a></main>` });
  const profile = newProfile({
    feeds: [],
    sitemaps: [{ url: `${site.url}/sitemap.xml` }],
    list_pages: [{ url: `${site.url}/list`, link_selector: "h2 a", category: "politics" }],
  });
  expect(await run(profile)).toMatchObject({ status: "succeeded", counts: { discovered: 2, sent: 2 } });
  const second = await run(profile);
  expect(second).toMatchObject({ status: "succeeded", counts: { discovered: 0, sent: 0 } });
  expect(site.seen.filter(({ path, status }) => path === "/news.xml" && status === 304).length).toBe(1);
  const item = await store.scraper.items.get(profile.name, `${site.url}/b-1`);
  expect(item?.item.category).toBe("politics");
});

test("selectors of the profile decide what is the text", async () => {
  putStories(site, ["a"]);
  const page = `<html lang="en"><body><h1 class="t">Chosen title</h1><div class="ad">Buy now, ${storyText("ad")}</div><div class="body"><p>${storyText("x").replaceAll("\n\n", "</p><p>")}</p><aside>Read also</aside></div></body></html>`;
  site.set("/a-1", { body: page });
  const profile = newProfile({ article: { title: ".t", content: ".body", remove: ["aside"] } });
  await run(profile);
  const kept = await store.scraper.items.get(profile.name, `${site.url}/a-1`);
  expect(kept?.item).toMatchObject({ title: "Chosen title", content: storyText("x") });
});

test("an API that is away for a whole run costs nothing: everything is delivered when it is back", async () => {
  putStories(site, ["a", "b", "c"]);
  fault = { status: 503 };
  const profile = newProfile();
  const outcome = await run(profile);
  expect(outcome).toMatchObject({ status: "partial", counts: { extracted: 3, sent: 0 } });
  expect(outcome.error).toContain("3 articles wait for the API");
  expect(await crawler.deliverPending(new AbortController().signal)).toMatchObject({ accepted: 0 });
  fault = undefined;
  const signal = AbortSignal.timeout(20_000);
  let accepted = 0;
  while (accepted < 3) {
    accepted += (await crawler.deliverPending(signal)).accepted;
    await Bun.sleep(50);
  }
  expect(api.stored.size).toBe(3);
  expect((await run(profile)).counts).toMatchObject({ sent: 0, discovered: 0 });
});

test("an ingest token that is refused leaves everything pending, and the error says so", async () => {
  putStories(site, ["a"]);
  fault = { status: 401 };
  const outcome = await run(newProfile());
  expect(outcome.status).toBe("partial");
  expect(outcome.error).toContain("set INGEST_TOKEN");
});

test("what the API refuses counts as failed and keeps the reason", async () => {
  putStories(site, ["a"]);
  const content = "bad";
  site.set("/feed", { type: "text/xml", body: feedOf([{ url: `${site.url}/a-1`, title: "Report a" }]) });
  const profile = newProfile();
  const first = await run(profile);
  expect(first.counts.sent).toBe(1);
  const kept = await store.scraper.items.get(profile.name, `${site.url}/a-1`);
  if (kept === undefined) throw new Error("nothing was kept");
  const item = { ...kept.item, id: "other", content };
  await store.scraper.items.keep({
    profileId: profile.name,
    runId: null,
    url: `${site.url}/x`,
    item,
    contentHash: "x",
    deliver: true,
  });
  expect(await crawler.deliverPending(new AbortController().signal)).toMatchObject({ failed: 1 });
  const failed = await store.scraper.items.get(profile.name, `${site.url}/x`);
  expect(failed).toMatchObject({ state: "failed", reason: "/errors/content-too-short: content is too short" });
});

test("an aborted run rejects, and what it had found is done by the next", async () => {
  putStories(site, ["a", "b", "c"]);
  const profile = newProfile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const abort = new AbortController();
  site.set("/a-1", () => {
    abort.abort(new Error("stop"));
    return { body: storyPage("Report a") };
  });
  await store.scraper.runs.create({ profileId: profile.name, provider: "test", trigger: "api" });
  const claim = { leaseS: 0, profileIds: [profile.name] };
  const claimed = await store.scraper.runs.claim("first", claim);
  if (claimed === undefined) throw new Error("no run");
  const failure = await crawler
    .crawl(profile, { ...claimed, owner: "first" }, { signal: abort.signal })
    .catch((error) => error);
  expect(String(failure)).toContain("stop");
  expect(api.stored.size).toBe(0);
  const again = await store.scraper.runs.claim("second", claim);
  if (again === undefined) throw new Error("the run is not taken up");
  const signal = new AbortController().signal;
  const outcome = await crawler.crawl(profile, { ...again, owner: "second" }, { signal });
  expect(outcome).toMatchObject({ status: "succeeded", counts: { sent: 3 } });
  expect(api.stored.size).toBe(3);
});

test("the counts are told while the run goes on", async () => {
  putStories(site, ["a", "b"]);
  const profile = newProfile();
  const { runId } = await store.scraper.runs
    .create({ profileId: profile.name, provider: "test", trigger: "cli" })
    .then((made) => ("run" in made ? made.run : made.running));
  const told: number[] = [];
  await crawler.crawl(
    profile,
    { runId, limit: null, owner: "o" },
    { signal: new AbortController().signal, onCounts: ({ discovered, extracted }) => told.push(discovered, extracted) },
  );
  expect(told).toEqual([2, 0, 2, 1, 2, 2]);
});

test("a run ends when its items are delivered, also those that another sender has in hand", async () => {
  putStories(site, ["a", "b"]);
  const profile = newProfile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const { items } = store.scraper;
  let other: Promise<number> = Promise.resolve(0);
  site.set("/b-1", () => {
    // By now the first article is kept. Another process takes it, and is slower than the run.
    other = (async () => {
      const held = await items.pending({ limit: 10, owner: "other", leaseS: 60, profileId: profile.name });
      while (api.seen.length === 0) await Bun.sleep(5);
      await Bun.sleep(100);
      await items.settle(held.map(({ id, revision }) => ({ id, revision, state: "sent", articleId: 1 })));
      return held.length;
    })();
    return { body: storyPage("Report b") };
  });
  expect(await run(profile)).toMatchObject({ status: "succeeded", counts: { sent: 2 } });
  expect(await other).toBe(1);
});

test("a feed without validators is known by its body, and one whose body changes only in a date is read again", async () => {
  putStories(site, ["a"]);
  const entries = [{ url: `${site.url}/a-1`, title: "Report a" }];
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = newProfile();
  await run(profile);
  site.set("/feed", (nth) => ({ type: "text/xml", body: `${feedOf(entries)}<!-- ${nth} -->` }));
  expect(await run(profile)).toMatchObject({ status: "succeeded", counts: { discovered: 0, fetched: 0 } });
});

test("a sitemap of an index that cannot be had makes the run partial, and the others are read", async () => {
  putStories(site, ["a"]);
  const open = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  const files = ["good", "gone"].map((name) => `<sitemap><loc>${site.url}/${name}.xml</loc></sitemap>`).join("");
  site.set("/index.xml", { type: "application/xml", body: `${open}${files}</sitemapindex>` });
  const urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}/a-1</loc></url></urlset>`;
  site.set("/good.xml", { type: "application/xml", body: urlset });
  const outcome = await run(newProfile({ feeds: [], sitemaps: [{ url: `${site.url}/index.xml` }] }));
  expect(outcome).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(outcome.error).toBe(`${site.url}/gone.xml answered 404`);
});

test("a page whose text is the feed's stays so, and a page's text is not replaced by the feed's when it cannot be had", async () => {
  const full = (text: string) =>
    `<content:encoded><![CDATA[<p>${text.replaceAll("\n\n", "</p><p>")}</p>]]></content:encoded>`;
  const put = (title: string) => {
    const entry = { url: `${site.url}/a-1`, title, more: full(storyText("the feed")) };
    site.set("/feed", { type: "text/xml", body: feedOf([entry]) });
  };
  put("Report a");
  site.set("/a-1", { body: storyPage("Report a") });
  const profile = newProfile();
  expect((await run(profile)).counts.sent).toBe(1);
  site.set("/a-1", { status: 403 });
  put("Report a, updated");
  expect(await run(profile)).toMatchObject({ status: "succeeded", counts: { discovered: 1, sent: 0, skipped: 1 } });
  expect([...api.stored.values()]).toEqual([storyText("Report a")]);
});
