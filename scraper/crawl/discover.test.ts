import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { canonicalOrNull, fromDiscovery, toDiscovery } from "./discover.ts";
import { type Bench, feedOf, openBench, putStories, storyPage, storyText } from "./testing.ts";
import type { DiscoveredEntry } from "../../lib/extraction/discovery/entries.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

test("an article that two listings name under different spellings of its address is fetched once", async () => {
  putStories(bench.site, ["a"]);
  const more = [{ url: `${bench.site.url}/a-1?utm_source=rss#top`, title: "Report a" }];
  bench.site.set("/more", { type: "text/xml", body: feedOf(more) });
  bench.site.set("/list", { body: `<ul><li><a class="story" href="/a-1/">Report a</a></li></ul>` });
  const profile = bench.profile({
    feeds: [{ url: `${bench.site.url}/feed` }, { url: `${bench.site.url}/more` }],
    list_pages: [{ url: `${bench.site.url}/list`, link_selector: "a.story" }],
  });
  expect((await bench.run(profile)).counts).toMatchObject({ discovered: 1, fetched: 1, sent: 1 });
  expect((await bench.run(profile)).counts).toMatchObject({ discovered: 0, fetched: 0 });
  expect(bench.site.paths().filter((path) => path.startsWith("/a-1"))).toEqual(["/a-1"]);
});

test("one listing that fails makes the run partial, all of them make it fail, and the error names them", async () => {
  putStories(bench.site, ["a"]);
  bench.site.set("/broken", { type: "text/html", body: "<html><body>no feed</body></html>" });
  const feeds = [
    { url: `${bench.site.url}/feed` },
    { url: `${bench.site.url}/broken` },
    { url: `${bench.site.url}/nowhere` },
  ];
  const partial = await bench.run(bench.profile({ feeds }));
  expect(partial).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(partial.error).toContain(`${bench.site.url}/broken`);
  expect(partial.error).toContain(`${bench.site.url}/nowhere answered 404`);
  expect(await bench.run(bench.profile({ feeds: feeds.slice(1) }))).toMatchObject({
    status: "failed",
    counts: { sent: 0 },
  });
});

test("articles that are older than the profile wants are passed over, by the feed's date or the page's", async () => {
  const old = new Date(Date.now() - 30 * 86_400_000);
  const head = `<meta property="article:published_time" content="${old.toISOString()}">`;
  bench.site.set("/dated-1", { body: storyPage("Dated", storyText("dated"), head) });
  bench.site.set("/fresh-1", { body: storyPage("Fresh") });
  const entries = [
    { url: `${bench.site.url}/old-1`, title: "Old", published: old.toUTCString() },
    { url: `${bench.site.url}/dated-1`, title: "Dated" },
    { url: `${bench.site.url}/fresh-1`, title: "Fresh", published: new Date().toUTCString() },
  ];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const { counts, details } = await bench.run(bench.profile({ limits: { max_age_days: 7 } }));
  expect(counts).toMatchObject({ discovered: 2, sent: 1, skipped: 1 });
  expect(details).toMatchObject({ feeds: [{ tooOld: 1 }], tooOld: { metadata: 1 } });
  expect(bench.site.paths()).not.toContain("/old-1");
});

test("an article is not passed over as too old by a mere line, nor by the day of its last change", async () => {
  const old = "5 March 2019";
  const headed = (line: string, head = "") =>
    storyPage("Story", storyText("a story"), head).replace("</h1>", `</h1>${line}`);
  const change = '<meta property="article:modified_time" content="2019-03-05T10:00:00Z">';
  const pages: Record<string, string> = {
    "/line-1": headed(`<p>${old}</p>`),
    "/teaser-1": headed(`<div>${old} · Cairo</div>`),
    "/changed-1": headed("", change),
    "/updated-1": headed(`<p>Updated ${old}</p>`),
    "/marked-1": headed(`<p class="published-date">${old}</p>`),
    "/labelled-1": headed(`<p>Published ${old}</p>`),
    "/2019/03/05/address-1": headed(""),
    "/selected-1": headed(`<p id="when">${old}</p>`),
  };
  for (const [path, body] of Object.entries(pages))
    bench.site.set(path, { body: body.replace(">Story<", `>Story ${path}<`) });
  const paths = Object.keys(pages).filter((path) => path !== "/selected-1");
  const updated = `<updated>2019-03-05T10:00:00Z</updated>`;
  const listed = (path: string, more = "") => ({ url: bench.site.url + path, title: `Story ${path}`, more });
  bench.site.set("/fresh-1", { body: headed("").replace(">Story<", ">Story fresh<") });
  const entries = [...paths.map((path) => listed(path)), listed("/fresh-1", updated)];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const limits = { max_age_days: 7 };
  const { counts, details } = await bench.run(bench.profile({ limits }));
  expect(details.tooOld).toEqual({ marked: 2, address: 1 });
  expect(counts).toMatchObject({ discovered: 8, sent: 5, skipped: 3 });
  expect(details.errors.map(({ reason }) => reason).toSorted()).toEqual([
    "too-old: address",
    "too-old: marked",
    "too-old: marked",
  ]);

  bench.site.set("/feed", { type: "text/xml", body: feedOf([listed("/selected-1")]) });
  const selecting = await bench.run(bench.profile({ limits, article: { published_at: "#when" } }));
  expect(selecting.details.tooOld).toEqual({ selector: 1 });
});

test("an index of news sitemaps and a list page are read too", async () => {
  putStories(bench.site, ["a", "b"]);
  const now = new Date().toISOString();
  bench.site.set("/sitemap.xml", {
    type: "application/xml",
    body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${bench.site.url}/news.xml</loc></sitemap></sitemapindex>`,
  });
  bench.site.set("/news.xml", {
    type: "application/xml",
    etag: '"news"',
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
<url><loc>${bench.site.url}/a-1</loc><news:news><news:publication_date>${now}</news:publication_date><news:title>Report a</news:title></news:news></url></urlset>`,
  });
  bench.site.set("/list", { body: `<main><h2><a href="/b-1">Report b</a></h2><a href="/about">About</a></main>` });
  const profile = bench.profile({
    feeds: [],
    sitemaps: [{ url: `${bench.site.url}/sitemap.xml` }],
    list_pages: [{ url: `${bench.site.url}/list`, link_selector: "h2 a", category: "politics" }],
  });
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { discovered: 2, sent: 2 } });
  const second = await bench.run(profile);
  expect(second).toMatchObject({ status: "succeeded", counts: { discovered: 0, sent: 0 } });
  expect(bench.site.seen.filter(({ path, status }) => path === "/news.xml" && status === 304).length).toBe(1);
  const item = await bench.kept(profile, "/b-1");
  expect(item?.item.category).toBe("politics");
});

test("a feed without validators is known by its body, and one whose body changes only in a date is read again", async () => {
  putStories(bench.site, ["a"]);
  const entries = [{ url: `${bench.site.url}/a-1`, title: "Report a" }];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = bench.profile();
  await bench.run(profile);
  bench.site.set("/feed", (nth) => ({ type: "text/xml", body: `${feedOf(entries)}<!-- ${nth} -->` }));
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { discovered: 0, fetched: 0 } });
});

test("a sitemap of an index that cannot be had makes the run partial, and the others are read", async () => {
  putStories(bench.site, ["a"]);
  const open = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
  const files = ["good", "gone"].map((name) => `<sitemap><loc>${bench.site.url}/${name}.xml</loc></sitemap>`).join("");
  bench.site.set("/index.xml", { type: "application/xml", body: `${open}${files}</sitemapindex>` });
  const urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${bench.site.url}/a-1</loc></url></urlset>`;
  bench.site.set("/good.xml", { type: "application/xml", body: urlset });
  const outcome = await bench.run(bench.profile({ feeds: [], sitemaps: [{ url: `${bench.site.url}/index.xml` }] }));
  expect(outcome).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(outcome.error).toBe(`${bench.site.url}/gone.xml answered 404`);
});

test("a feed's time without a zone is one of the profile's zone", async () => {
  bench.site.set("/a-1", { body: storyPage("Report a") });
  const entry = { url: `${bench.site.url}/a-1`, title: "Report a", published: "Mon, 15 Jan 2024 10:00:00" };
  bench.site.set("/feed", { type: "text/xml", body: feedOf([entry]) });
  const profile = bench.profile({ timezone: "Asia/Riyadh" });
  await bench.run(profile);
  expect((await bench.kept(profile, "/a-1"))?.item.publishedAt).toBe("2024-01-15T07:00:00Z");
});

const ENTRY: DiscoveredEntry = {
  url: "https://Example.org/a/?utm_source=rss",
  title: "Title",
  publishedAt: "2026-11-20T10:00:00Z",
  updatedAt: null,
  author: "A. Writer",
  categories: ["one", "two"],
  summary: "summary",
  content: "content",
  image: "https://example.org/i.jpg",
};

test("an entry goes under its canonical address and comes back as it was", () => {
  const kept = toDiscovery(ENTRY, "feed", "politics");
  expect(kept).toMatchObject({ url: "https://example.org/a", category: "politics" });
  expect(fromDiscovery(kept?.url ?? "", kept?.entry ?? {})).toEqual(ENTRY);
});

test("the stamp follows what the listing says of the version, and nothing else", () => {
  const stamp = (more: Partial<DiscoveredEntry>) => toDiscovery({ ...ENTRY, ...more }, "feed", null)?.stamp;
  expect(stamp({ summary: "other", content: "other", categories: [], image: null })).toBe(stamp({}) ?? "");
  const versions = [stamp({}), stamp({ title: "New title" }), stamp({ updatedAt: "2026-11-20T11:00:00Z" })];
  expect(new Set(versions).size).toBe(3);
});

test("a list page says nothing of the version, and the text of its link is no title", () => {
  expect(toDiscovery(ENTRY, "list", null)).toMatchObject({ stamp: "", entry: { title: "" } });
  expect(toDiscovery({ ...ENTRY, title: "5 minutes ago" }, "list", null)?.stamp).toBe("");
});

test("what is no address is no entry", () => {
  expect(toDiscovery({ ...ENTRY, url: "mailto:someone@example.org" }, "feed", null)).toBeUndefined();
  expect(canonicalOrNull("nowhere")).toBeNull();
});

test("an entry of an older or another form is read for what it has", () => {
  expect(fromDiscovery("https://example.org/a", { title: 5, categories: ["x", 1, null], author: "A" })).toEqual({
    url: "https://example.org/a",
    title: "",
    publishedAt: null,
    updatedAt: null,
    author: "A",
    categories: ["x"],
    summary: "",
    content: "",
    image: null,
  });
});
