import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Bench, feedOf, openBench, putStories, storyPage } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

const one = { min_delay_ms: 0, concurrency: 1 };

test("a run says of each feed what it answered, and of each article why it did not come", async () => {
  const { site } = bench;
  putStories(site, ["good"]);
  const old = new Date(Date.now() - 30 * 86_400_000).toUTCString();
  const entries = ["good-1", "gone-1", "down-1", "short-1", "photo-1"].map((path) => ({
    url: `${site.url}/${path}`,
    title: path,
  }));
  site.set("/feed", {
    type: "text/xml",
    body: feedOf([...entries, { url: `${site.url}/old-1`, title: "old", published: old }]),
  });
  site.set("/gone-1", { status: 410 });
  site.set("/down-1", { status: 500 });
  site.set("/short-1", { body: storyPage("Short", "A few words only.") });
  site.set("/photo-1", { type: "image/jpeg", body: "jpeg" });
  site.set("/no-feed", { body: storyPage("Not a feed") });
  const feeds = ["/feed", "/no-feed", "/missing"].map((path) => ({ url: site.url + path }));
  const profile = bench.profile({ feeds, limits: { max_age_days: 7 }, politeness: one });
  const { details } = await bench.run(profile);
  expect(details.feeds).toEqual([
    { url: `${site.url}/feed`, kind: "feed", status: 200, entries: 6, tooOld: 1, error: null },
    {
      url: `${site.url}/no-feed`,
      kind: "feed",
      status: 200,
      entries: null,
      tooOld: 0,
      error: expect.stringContaining("feed"),
    },
    {
      url: `${site.url}/missing`,
      kind: "feed",
      status: 404,
      entries: null,
      tooOld: 0,
      error: `${site.url}/missing answered 404`,
    },
  ]);
  expect(details.errors.map(({ url, reason, retried }) => [url.slice(site.url.length), reason, retried])).toEqual([
    ["/gone-1", "http-410", false],
    ["/down-1", "http-500", true],
    ["/short-1", "content-too-short", false],
    ["/photo-1", "not-html: image/jpeg", false],
  ]);
  for (const { at } of details.errors) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
  const { details: later } = await bench.run(profile);
  expect(later.feeds[0]).toMatchObject({ entries: null, error: null });
  expect(later.errors).toEqual([]);
});

test("an article that the API refuses is among the reasons, with what the API said", async () => {
  const { site } = bench;
  putStories(site, ["a"]);
  bench.fault = { status: 422 };
  const { details, counts } = await bench.run(bench.profile({ politeness: one }));
  expect(counts).toMatchObject({ sent: 1, failed: 1 });
  expect(details.errors).toMatchObject([{ url: `${site.url}/a-1`, reason: expect.stringContaining("/errors/") }]);
});

test("selectors that match nothing any more show, although the articles still come", async () => {
  const { site } = bench;
  const names = ["a", "b", "c", "d", "e"];
  putStories(site, names);
  const profile = bench.profile({ article: { title: "h1", content: ".old-design", remove: [".ad"] } });
  expect(await bench.run(profile)).toMatchObject({
    status: "partial",
    error: "article.content matches nothing on the last 5 pages",
    counts: { sent: 5 },
    details: { selectors: { title: { matched: 5, unmatched: 0 }, content: { matched: 0, unmatched: 5 } } },
  });
});

test("a redesign shows also where each run brings one new article only", async () => {
  const { site } = bench;
  const profile = bench.profile({ article: { content: "article" } });
  putStories(site, ["before"]);
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded" });
  const errors: (string | null)[] = [];
  for (let n = 1; n <= 5; n++) {
    putStories(site, ["before", ...Array.from({ length: n }, (_, i) => `after${i + 1}`)], String(n));
    const redesigned = storyPage(`Report after${n}`).replaceAll(/<(\/?)article>/g, "<$1main>");
    site.set(`/after${n}-1`, { body: redesigned });
    errors.push((await bench.run(profile)).error);
  }
  expect(errors).toEqual([null, null, null, null, "article.content matches nothing on the last 5 pages"]);
});

test("a list page whose selector matches no link any more fails, also when it is then said not to have changed", async () => {
  const { site } = bench;
  site.set("/list", { etag: '"1"', body: `<main><a class="new" href="/a-1">Report a</a></main>` });
  const profile = bench.profile({ feeds: [], list_pages: [{ url: `${site.url}/list`, link_selector: "a.old" }] });
  for (const _ of [1, 2]) {
    expect(await bench.run(profile)).toMatchObject({
      status: "failed",
      error: `${site.url}/list: no link to the site matches a.old`,
      details: { feeds: [{ kind: "list", status: 200, entries: null }] },
    });
  }
});
