import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { feedOf, startSite, storyPage, storyText, type TestSite } from "../../scraper/crawl/testing.ts";
import { scraperProfile } from "./profile.ts";

const folder = mkdtempSync(join(tmpdir(), "isnad-profile-"));
let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  const head = '<link rel="alternate" type="application/rss+xml" href="/feed">';
  site.set("/", { body: `<html lang="en"><head><title>The Paper</title>${head}</head><body>news</body></html>` });
  const entries = ["a", "b"].map((name) => {
    site.set(`/${name}-1`, { body: storyPage(`Report ${name}`, storyText(name)) });
    return { url: `${site.url}/${name}-1`, title: `Report ${name}`, published: "Mon, 15 Jan 2024 10:00:00 GMT" };
  });
  site.set("/feed", { type: "text/xml", body: feedOf(entries) });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await site.stop();
});

async function run(...argv: string[]) {
  const { io, out, err } = captureIo({ SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1", PROFILES_DIR: folder });
  const code = await runCommand(scraperProfile, argv, io);
  return { code, out: out(), err: err() };
}

const at = (name: string) => join(folder, name);

function put(name: string, over: object): string {
  const written = { ...JSON.parse(readFileSync(at("paper.json"), "utf8")), name, source: source(name), ...over };
  writeFileSync(at(`${name}.json`), JSON.stringify({ ...written, politeness: { min_delay_ms: 0 } }));
  return at(`${name}.json`);
}

const source = (id: string) => ({ id, name: id, tier: 3, homepage: site.url });

test("init writes a profile that check finds right, and never over another", async () => {
  const made = await run("init", site.url, "--out", at("paper.json"), "--delay", "0", "--articles", "2");
  expect(made).toMatchObject({ code: 0, out: `${at("paper.json")} written\n` });
  expect(made.err).toMatch(/^feed +http.+\/feed 2 entries$/m);
  expect(made.err).toMatch(/^article +http.+\/a-1 \d+ words/m);
  expect(JSON.parse(readFileSync(at("paper.json"), "utf8"))).toMatchObject({
    name: "paper",
    language: "en",
    enabled: false,
  });
  const again = await run("init", site.url, "--out", at("paper.json"), "--delay", "0");
  expect(again).toMatchObject({ code: 1 });
  expect(again.err).toContain("is there already");
  const checked = await run("check", put("live", {}), "--articles", "2");
  expect(checked.code).toBe(0);
  expect(checked.out).toContain('"Report a"');
  expect(checked.out).toContain("live: 0 problems, 0 fixtures");
}, 300_000);

test("init prints the profile alone on standard output, and all of it as JSON where that is asked for", async () => {
  const plain = await run("init", site.url, "--delay", "0", "--articles", "1", "--name", "other");
  expect(JSON.parse(plain.out)).toMatchObject({ name: "other", feeds: [{ url: `${site.url}/feed` }] });
  const json = await run("init", site.url, "--delay", "0", "--articles", "1", "--json");
  expect(JSON.parse(json.out)).toMatchObject({ profile: { enabled: false }, report: { requests: expect.any(Number) } });
}, 300_000);

test("check on saved pages exits 1 where a required selector matches nothing on any of them", async () => {
  writeFileSync(at("one.html"), storyPage("One"));
  writeFileSync(at("two.html"), storyPage("Two").replace("<h1>", '<p class="by">A. Writer</p><h1>'));
  const pages = ["--page", at("one.html"), "--page", at("two.html")];
  const good = await run(
    "check",
    put("good", { article: { content: "article", author: ".by", remove: [".ad"] } }),
    ...pages,
  );
  expect(good.code).toBe(0);
  expect(good.out).toMatch(/^article\.author +\.by {2}0 1 "A\. Writer"$/m);
  expect(good.out).toMatch(/^article\.remove\.0 +\.ad {2}matches nothing$/m);
  const bad = await run("check", put("bad", { article: { content: ".story" } }), ...pages, "--json");
  expect(bad.code).toBe(1);
  expect(JSON.parse(bad.out)).toMatchObject({
    selectors: [{ field: "article.content", counts: [0, 0] }],
    problems: ['article.content: ".story" matches nothing on any page'],
  });
  const lists = { feeds: [], list_pages: [{ url: `${site.url}/`, link_selector: ".none" }] };
  expect(await run("check", put("lists", lists), "--list", at("one.html"))).toMatchObject({ code: 1 });
}, 300_000);

test("a profile that is none, or not there, is named with its line", async () => {
  writeFileSync(at("wrong.json"), '{\n  "name": "wrong",\n  "feed": []\n}');
  const wrong = await run("check", at("wrong.json"));
  expect(wrong.code).toBe(1);
  expect(wrong.err).toContain('wrong.json:3: feed there is no field "feed" here: did you mean "feeds"?');
  expect((await run("check", at("none.json"))).err).toContain("there is no");
  expect((await run("check", "none")).err).toContain("there is no profile none");
  expect(await run("look", "x")).toMatchObject({ code: 2 });
  expect(await run("init")).toMatchObject({ code: 2 });
  expect(await run("init", "paper.example")).toMatchObject({ code: 2 });
});

test("a fixture is kept beside the profile, and check says when it is read otherwise", async () => {
  const file = put("kept", { article: { content: "article" } });
  const page = ["--page", at("page.html")];
  writeFileSync(at("page.html"), storyPage("Kept"));
  expect(await run("fixture", file, at("page.html"))).toMatchObject({ code: 2 });
  const kept = await run("fixture", file, at("page.html"), "--url", "https://paper.example/news/kept-1.html");
  expect(kept.code).toBe(0);
  expect(readdirSync(at("fixtures/kept")).toSorted()).toEqual(["kept-1.html.gz", "kept-1.json"]);
  expect((await run("check", file, ...page)).out).toContain("1 fixtures, 0 of them read otherwise");
  put("kept", { article: { content: "footer" } });
  const changed = await run("check", file, ...page);
  expect(changed.code).toBe(1);
  expect(changed.out).toContain("fixture kept-1: content was");
}, 300_000);

test("import drafts profiles that are valid, export writes the feeds of all", async () => {
  const drafts = at("drafts");
  mkdirSync(drafts);
  writeFileSync(
    at("list.opml"),
    `<opml><body><outline text="الورق" xmlUrl="https://paper.eg/rss"/><outline text="No address"/></body></opml>`,
  );
  expect(await run("import", at("list.opml"))).toMatchObject({ code: 2 });
  const imported = await run("import", at("list.opml"), "--out", drafts);
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining("1 drafts of 1 feeds") });
  expect(imported.err).toContain("No address: no-address");
  expect(existsSync(join(drafts, "paper-ar.json"))).toBe(true);
  await run("import", at("list.opml"), "--out", drafts);
  expect(readdirSync(drafts)).toContain("paper-ar-2.json");
  const exported = await run("export", "--out", at("all.opml"));
  expect(exported.code).toBe(0);
  expect(readFileSync(at("all.opml"), "utf8")).toContain(`isnad:profile="paper"`);
  expect(exported.err).toContain("left out, as they have no feed: lists");
});
