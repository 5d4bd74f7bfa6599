import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Bench, feedOf, openBench, putStories, storyPage, storyText } from "./testing.ts";
import { canonicalOf, itemId } from "./visit.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

test("one article under two addresses goes by its canonical one: it is one item", async () => {
  const head = `<link rel="canonical" href="${bench.site.url}/story-123456">`;
  for (const path of ["/story-123456", "/world/story-123456-amp"]) {
    bench.site.set(path, { body: storyPage("One story", storyText("one"), head) });
  }
  const entries = ["/story-123456", "/world/story-123456-amp"].map((path) => ({
    url: bench.site.url + path,
    title: "One story",
  }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const { counts } = await bench.run(bench.profile());
  expect(counts).toMatchObject({ discovered: 2, fetched: 2, sent: 1, skipped: 1 });
  expect(bench.api.stored.size).toBe(1);
});

test("a changed article is visited again when the feed says so, and the conflict that the API answers is counted as such", async () => {
  putStories(bench.site, ["a", "b"]);
  const profile = bench.profile();
  await bench.run(profile);
  bench.site.set("/a-1", { etag: '"a-2"', body: storyPage("Report a: more dead", storyText("a, corrected")) });
  const entries = [
    { url: `${bench.site.url}/a-1`, title: "Report a: more dead" },
    { url: `${bench.site.url}/b-1`, title: "Report b, again" },
  ];
  bench.site.set("/feed", { etag: '"feed-2"', type: "text/xml", body: feedOf(entries) });
  bench.site.paths();
  const second = await bench.run(profile);
  expect(second).toMatchObject({
    status: "succeeded",
    counts: { discovered: 2, fetched: 2, conflict: 1, failed: 0, skipped: 1 },
  });
  // b's page answered 304: it is not sent again.
  expect(bench.site.seen.filter(({ path, status }) => path === "/b-1" && status === 304).length).toBe(1);
  expect(bench.api.seen.at(-1)?.ids.length).toBe(1);
});

test("an article whose page changed only around its text is not sent again", async () => {
  putStories(bench.site, ["a"]);
  const profile = bench.profile();
  await bench.run(profile);
  const sent = bench.api.seen.length;
  bench.site.set("/a-1", { etag: '"a-2"', body: storyPage("Report a").replace("All rights", "No rights") });
  const entries = [{ url: `${bench.site.url}/a-1`, title: "Report a", published: new Date().toUTCString() }];
  bench.site.set("/feed", { etag: '"feed-2"', type: "text/xml", body: feedOf(entries) });
  expect((await bench.run(profile)).counts).toMatchObject({
    discovered: 1,
    fetched: 1,
    extracted: 1,
    sent: 0,
    skipped: 1,
  });
  expect(bench.api.seen.length).toBe(sent);
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
  for (const [path, [body, status, type]] of Object.entries(pages)) bench.site.set(path, { body, status, type });
  const entries = Object.keys(pages).map((path) => ({
    url: bench.site.url + path,
    title: path === "/good-1" ? "Good story" : "",
  }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = bench.profile();
  expect(await bench.run(profile)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 8, extracted: 1, sent: 1, skipped: 7 },
  });
  expect([...bench.api.stored.values()]).toEqual([storyText("Good story")]);
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
  bench.site.set("/paywall-1", { status: 403 });
  bench.site.set("/gone-1", { status: 410 });
  bench.site.set("/wall-1", {
    body: "<title>Just a moment...</title><p>Checking your browser. Enable JavaScript and cookies to continue.</p>",
  });
  const entries = names.map((name) => ({ url: `${bench.site.url}/${name}-1`, title: `The ${name}`, more: more(name) }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = bench.profile({ category_map: { Sport: "sport" } });
  const { counts } = await bench.run(profile);
  expect(counts).toMatchObject({ discovered: 3, extracted: 2, sent: 2, skipped: 1 });
  expect([...bench.api.stored.values()].sort()).toEqual([storyText("paywall"), storyText("wall")]);
  const item = await bench.kept(profile, "/paywall-1");
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
  bench.site.set("/arabic-1", { type: "text/html", body: windows1256(page) });
  bench.site.set("/feed", {
    type: "text/xml",
    body: feedOf([{ url: `${bench.site.url}/arabic-1`, title: "إغلاق الجسر القديم" }]),
  });
  const profile = bench.profile({ language: "ar" });
  expect((await bench.run(profile)).counts).toMatchObject({ sent: 1 });
  const kept = await bench.kept(profile, "/arabic-1");
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

test("selectors of the profile decide what is the text", async () => {
  putStories(bench.site, ["a"]);
  const page = `<html lang="en"><body><h1 class="t">Chosen title</h1><div class="ad">Buy now, ${storyText("ad")}</div><div class="body"><p>${storyText("x").replaceAll("\n\n", "</p><p>")}</p><aside>Read also</aside></div></body></html>`;
  bench.site.set("/a-1", { body: page });
  const profile = bench.profile({ article: { title: ".t", content: ".body", remove: ["aside"] } });
  await bench.run(profile);
  const kept = await bench.kept(profile, "/a-1");
  expect(kept?.item).toMatchObject({ title: "Chosen title", content: storyText("x") });
});

test("a page whose text is the feed's stays so, and a page's text is not replaced by the feed's when it cannot be had", async () => {
  const full = (text: string) =>
    `<content:encoded><![CDATA[<p>${text.replaceAll("\n\n", "</p><p>")}</p>]]></content:encoded>`;
  const put = (title: string) => {
    const entry = { url: `${bench.site.url}/a-1`, title, more: full(storyText("the feed")) };
    bench.site.set("/feed", { type: "text/xml", body: feedOf([entry]) });
  };
  put("Report a");
  bench.site.set("/a-1", { body: storyPage("Report a") });
  const profile = bench.profile();
  expect((await bench.run(profile)).counts.sent).toBe(1);
  bench.site.set("/a-1", { status: 403 });
  put("Report a, updated");
  expect(await bench.run(profile)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 1, sent: 0, skipped: 1 },
  });
  expect([...bench.api.stored.values()]).toEqual([storyText("Report a")]);
});

test("an address that leads elsewhere goes by where it leads, and by that one address only once", async () => {
  bench.site.set("/r/9", { status: 302, headers: { location: "/story-9" } });
  bench.site.set("/story-9", { body: storyPage("Story nine") });
  bench.site.set("/gone-9", { status: 301, headers: { location: "/" } });
  bench.site.set("/", { body: storyPage("All news") });
  const entries = ["/r/9", "/story-9", "/gone-9"].map((path) => ({ url: bench.site.url + path, title: "" }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  expect(await bench.run(profile)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 3, sent: 1, skipped: 2 },
  });
  const address = `${bench.site.url}/story-9`;
  expect((await bench.kept(profile, "/r/9"))?.item).toMatchObject({ url: address, canonicalUrl: address });
});

test("articles that their query names are articles, and the front page is none", async () => {
  const paths = ["/?p=123", "/index.php?id=5", "/?utm_source=feed"];
  for (const path of paths) bench.site.set(path, { body: storyPage(`Story at ${path}`) });
  bench.site.set("/", { body: storyPage("Front page") });
  const entries = paths.map((path) => ({ url: bench.site.url + path, title: "" }));
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  expect((await bench.run(bench.profile())).counts).toMatchObject({ discovered: 3, sent: 2, skipped: 1 });
  expect([...bench.api.stored.values()].sort()).toEqual(
    ["/index.php?id=5", "/?p=123"].map((path) => storyText(`Story at ${path}`)).sort(),
  );
});

test("the text of a link on a list page is not taken for the title", async () => {
  putStories(bench.site, ["a"]);
  bench.site.set("/list", { body: `<main><a href="/a-1">Report a, 5 minutes ago</a></main>` });
  const profile = bench.profile({
    feeds: [],
    list_pages: [{ url: `${bench.site.url}/list`, link_selector: "main a" }],
  });
  await bench.run(profile);
  expect((await bench.kept(profile, "/a-1"))?.item.title).toBe("Report a");
});

const LISTED = "https://news.example.org/world/bridge-closed-123";

describe("the canonical address", () => {
  const of = (declared: string | null, fetched: string | null = LISTED) =>
    canonicalOf({ listed: LISTED, fetched, declared });

  test("is the one that the page declares, in canonical form", () => {
    expect(of("https://www.example.org/a/bridge-closed-123/?utm_source=x#top")).toBe(
      "https://www.example.org/a/bridge-closed-123",
    );
    expect(of("https://news.example.org/bridge-closed-after-flood")).toBe(
      "https://news.example.org/bridge-closed-after-flood",
    );
  });

  test.each([
    "https://news.example.org/",
    "https://news.example.org/world",
    "https://news.example.org",
    "https://other.example.com/bridge-closed-123",
    "not an address",
    "javascript:alert(1)",
  ])("is not %s, which cannot be the article's own", (declared) => {
    expect(of(declared)).toBe(LISTED);
  });

  test("is where the listed address led to, when the page declares none", () => {
    expect(of(null, "https://example.org/real-story-9/")).toBe("https://example.org/real-story-9");
  });

  test("is the listed one for a page that was not had", () => {
    expect(of(null, null)).toBe(LISTED);
  });
});

test("an id is stable for source and address, and differs wherever one of them does", () => {
  const id = itemId("bbc", LISTED);
  expect(id).toBe(itemId("bbc", LISTED));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set([id, itemId("cnn", LISTED), itemId("bbc", `${LISTED}4`)]).size).toBe(3);
});
