import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Bench, feedOf, openBench, putStories, storyPage, storyText } from "./testing.ts";
import type { CrawlProfile } from "./types.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

const part = (title: string, name: string, more = "") =>
  storyPage(title, storyText(name)).replace("</article>", `</article>${more}`);

function putFeed(paths: readonly string[], content?: string): void {
  const entries = paths.map((path) => ({
    url: bench.site.url + path,
    title: `Report ${path}`,
    ...(content !== undefined && { more: `<content:encoded><![CDATA[${content}]]></content:encoded>` }),
  }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
}

async function contentOf(profile: CrawlProfile, path: string): Promise<string> {
  return (await bench.kept(profile, path))?.item.content ?? "";
}

test("the pages of one article are joined, by rel=next or by the profile's selector", async () => {
  bench.site.set("/a-1", { body: part("Long", "one", '<a rel="next" href="/a-1/2">2</a>') });
  bench.site.set("/a-1/2", { body: part("Long", "two", '<a rel="next" href="/a-1/3">3</a>') });
  bench.site.set("/a-1/3", { body: part("Long", "three", '<a rel="next" href="/a-1/2">2</a>') });
  bench.site.set("/b-1", { body: part("Other", "four", '<p class="on"><a href="/b-more">on</a></p>') });
  bench.site.set("/b-more", { body: part("Other", "five") });
  putFeed(["/a-1", "/b-1"]);
  const plain = bench.profile();
  expect((await bench.run(plain)).counts).toMatchObject({ sent: 2 });
  expect(await contentOf(plain, "/a-1")).toMatch(/about one.+about two.+about three/s);
  expect(await contentOf(plain, "/b-1")).not.toContain("about five");
  const selecting = bench.profile({ article: { next_page: ".on" } });
  await bench.run(selecting);
  expect(await contentOf(selecting, "/b-1")).toMatch(/about four.+about five/s);
  const single = bench.profile({ article: { max_pages: 1 } });
  await bench.run(single);
  expect(await contentOf(single, "/a-1")).not.toContain("about two");
});

test("rel=next to another article is not a page of this one", async () => {
  bench.site.set("/a-1", { body: part("Report", "one", '<a rel="next" href="/b-1">next story</a>') });
  bench.site.set("/b-1", { body: part("Other", "two") });
  putFeed(["/a-1"]);
  const profile = bench.profile();
  await bench.run(profile);
  expect(await contentOf(profile, "/a-1")).not.toContain("about two");
});

test("an article whose second page cannot be had now is tried again, one whose second page is gone is kept as far as it goes", async () => {
  for (const name of ["a", "b"]) {
    bench.site.set(`/${name}-1`, { body: part(`Long ${name}`, name, `<a rel="next" href="/${name}-1/2">2</a>`) });
  }
  bench.site.set("/a-1/2", { status: 503, headers: { "retry-after": "3600" } });
  bench.site.set("/b-1/2", { status: 404 });
  putFeed(["/b-1", "/a-1"]);
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  expect(await bench.run(profile)).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(await contentOf(profile, "/b-1")).toContain("about b");
  expect(await contentOf(profile, "/a-1")).toBe("");
});

test("a list goes on to its next pages, as far as the profile says", async () => {
  putStories(bench.site, ["a", "b", "c"]);
  const list = (name: string, next: string) => ({ body: `<h2><a href="/${name}-1">${name}</a></h2>${next}` });
  bench.site.set("/list", list("a", '<a class="older" href="/list/2">older</a>'));
  bench.site.set("/list/2", list("b", '<a class="older" href="/list/3">older</a>'));
  bench.site.set("/list/3", list("c", '<a class="older" href="/list">again</a>'));
  const page = { url: `${bench.site.url}/list`, link_selector: "h2 a", next: ".older" };
  const all = bench.profile({ feeds: [], list_pages: [page] });
  expect((await bench.run(all)).counts).toMatchObject({ discovered: 3, sent: 3 });
  const two = bench.profile({ feeds: [], list_pages: [{ ...page, max_pages: 2 }] });
  expect((await bench.run(two)).counts).toMatchObject({ discovered: 2 });
  bench.site.set("/list/2", { status: 500 });
  const broken = bench.profile({ feeds: [], list_pages: [page], politeness: { min_delay_ms: 0 } });
  const outcome = await bench.run(broken);
  expect(outcome).toMatchObject({ status: "partial", counts: { discovered: 1 } });
  expect(outcome.error).toContain("/list/2 answered 500");
}, 300_000);

test("patterns keep and block addresses, also where a redirect leads", async () => {
  putStories(bench.site, ["a", "b"]);
  bench.site.set("/video/c-1", { body: storyPage("Film") });
  bench.site.set("/d-1", { status: 302, headers: { location: "/video/c-1" } });
  putFeed(["/a-1", "/b-1", "/video/c-1", "/d-1"]);
  const { counts } = await bench.run(bench.profile({ keep: ["/a-", "/d-", "/video/"], block: ["*/video/"] }));
  expect(counts).toMatchObject({ discovered: 2, sent: 1, skipped: 1 });
  expect(bench.site.paths()).not.toContain("/b-1");
});

test("a profile that takes the feed's text fetches no page, one that takes the page's never takes the feed's", async () => {
  bench.site.set("/a-1", { status: 404 });
  putFeed(["/a-1"], storyText("the feed").replaceAll("\n\n", "<p>"));
  const fed = bench.profile({ full_text: "feed" });
  expect((await bench.run(fed)).counts).toMatchObject({ sent: 1, fetched: 0 });
  expect(await contentOf(fed, "/a-1")).toContain("about the feed");
  expect(bench.site.paths()).toEqual(["/feed"]);
  bench.site.set("/a-1", { status: 403 });
  expect((await bench.run(bench.profile({ full_text: "page" }))).counts).toMatchObject({ sent: 0, failed: 1 });
  expect((await bench.run(bench.profile())).counts).toMatchObject({ sent: 1 });
});

test("pages of a former design are read by its selectors", async () => {
  const page = (design: string, name: string) =>
    `<html lang="en"><body><h1>Title</h1><div class="${design}"><p>${storyText(name)}</p></div>
    <div class="also"><p>${storyText("something else")}</p></div></body></html>`;
  bench.site.set("/new-1", { body: page("story", "the new") });
  bench.site.set("/old-1", { body: page("text", "the old") });
  bench.site.set("/both-1", { body: page("story text", "both") });
  const entries = [
    { url: `${bench.site.url}/new-1`, title: "New" },
    { url: `${bench.site.url}/old-1`, title: "Old", published: "Mon, 15 Jan 2024 10:00:00 GMT" },
  ];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = bench.profile({
    article: { content: ".story" },
    article_versions: [{ until: "2024-05-31", content: ".text" }],
  });
  expect((await bench.run(profile)).counts).toMatchObject({ sent: 2 });
  for (const [path, name] of [
    ["/new-1", "the new"],
    ["/old-1", "the old"],
  ] as const) {
    expect(await contentOf(profile, path)).toContain(`about ${name}`);
    expect(await contentOf(profile, path)).not.toContain("something else");
  }
});

test("the credential goes with feed and pages, and a consent gate's cookie opens a page", async () => {
  putStories(bench.site, ["a"]);
  bench.site.set("/gate", { status: 302, headers: { location: "/a-1", "set-cookie": "consent=1; Path=/" } });
  bench.site.set("/b-1", { status: 302, headers: { location: "/gate" } });
  putFeed(["/b-1"]);
  const profile = bench.profile({
    source: { id: "paid", homepage: bench.site.url },
    auth: { env: "SCRAPER_AUTH_TEST", header: "X-Api-Key", hosts: [] },
  });
  expect((await bench.run(profile)).counts).toMatchObject({ sent: 1 });
  const asked = bench.site.seen.filter(({ path }) => path !== "/robots.txt");
  expect(asked.every(({ headers }) => headers["x-api-key"] === "Bearer test-credential")).toBe(true);
  expect(asked.find(({ path }) => path === "/a-1")?.headers.cookie).toBe("consent=1");
  const missing = bench.profile({
    auth: { env: "SCRAPER_AUTH_UNSET", header: "X-Api-Key", hosts: [] },
    source: { id: "x", homepage: bench.site.url },
  });
  expect((await bench.run(missing)).error).toContain("SCRAPER_AUTH_UNSET");
});
