import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NormalizedItem } from "@isnad/lib/contract";
import { appendLines, keywordFilter, ListingMemory } from "./scrape.ts";
import { type Bench, feedOf, openBench, putStories, storyPage, storyText } from "./testing.ts";
import type { CrawlProfile, ScrapeRequest } from "./types.ts";

describe("scrape", () => {
  const { signal } = new AbortController();
  let dataDir: string;
  let bench: Bench;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "isnad-scrape-"));
    bench = await openBench(dataDir);
  }, 300_000);
  beforeEach(() => bench.renew());
  afterAll(async () => {
    await bench.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function scrape(profiles: CrawlProfile[], request: Partial<ScrapeRequest> = {}) {
    const answer = await bench.crawler.scrape(
      profiles,
      { sendToApi: false, writeToDisk: false, ...request },
      { signal },
    );
    if (!("results" in answer)) throw new Error("the results are on disk");
    return answer;
  }

  const titles = (results: readonly NormalizedItem[]) => results.map(({ title }) => title).sort();

  test("articles are handed out whole and go to the API too", async () => {
    putStories(bench.site, ["a", "b"]);
    const profile = bench.profile();
    const { results, metadata } = await scrape([profile], { sendToApi: true });
    expect(titles(results)).toEqual(["Report a", "Report b"]);
    expect(results.find(({ title }) => title === "Report a")).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: "Report a",
      content: storyText("Report a"),
      url: `${bench.site.url}/a-1`,
      published_at: null,
      source: profile.name,
      category: "",
      language: "en",
      canonical_url: `${bench.site.url}/a-1`,
      authors: [],
      images: [],
      provider: "test",
    });
    expect(metadata).toMatchObject({
      total_articles: 2,
      sources_processed: [profile.name],
      delivery: { accepted: 2, duplicate: 0, conflict: 0, failed: 0, pending: 0 },
    });
    expect(metadata.errors).toBeUndefined();
    expect(Number.isInteger(metadata.processing_time_ms)).toBe(true);
    expect([...bench.api.stored.keys()].sort()).toEqual(results.map(({ id }) => `${profile.name}/${id}`).sort());
  });

  test("asked again, it yields the same articles with the same ids, although the site only says that nothing has changed", async () => {
    putStories(bench.site, ["a", "b"]);
    const profile = bench.profile();
    const first = await scrape([profile]);
    bench.site.paths();
    const second = await scrape([profile]);
    expect(second.results).toEqual(first.results);
    expect(bench.site.seen.slice(-3).map(({ status }) => status)).toEqual([304, 304, 304]);
  });

  test("articles that were only handed out are sent by the next run, without their pages being fetched again", async () => {
    putStories(bench.site, ["a", "b"]);
    const profile = bench.profile();
    await scrape([profile]);
    expect(bench.api.seen).toEqual([]);
    const made = await bench.store.scraper.runs.create({ profileId: profile.name, provider: "test", trigger: "api" });
    if (!("run" in made)) throw new Error("a run is under way");
    const outcome = await bench.crawler.crawl(profile, { ...made.run, owner: "test" }, { signal });
    expect(outcome).toMatchObject({
      status: "succeeded",
      counts: { discovered: 2, fetched: 2, extracted: 0, sent: 2 },
    });
    expect(bench.site.seen.slice(-2).map(({ status }) => status)).toEqual([304, 304]);
  });

  test("the limit is a hard cap for each source, and no page beyond it is fetched", async () => {
    putStories(bench.site, ["a", "b", "c", "d"]);
    const politeness = { min_delay_ms: 0, concurrency: 4 };
    const { results } = await scrape([bench.profile({ politeness }), bench.profile({ politeness })], { limit: 2 });
    expect(results.map(({ source }) => source)).toEqual(
      [results[0], results[0], results[2], results[2]].map((item) => item?.source ?? ""),
    );
    expect(results.length).toBe(4);
    expect(bench.site.paths().filter((path) => path !== "/feed").length).toBe(4);
  });

  test("the latest articles come first", async () => {
    const hour = 3_600_000;
    const ages: [name: string, hours: number][] = [
      ["old", 3],
      ["new", 1],
      ["middle", 2],
    ];
    const entries = ages.map(([name, hours]) => {
      bench.site.set(`/${name}-1`, { body: storyPage(`Report ${name}`) });
      const published = new Date(Date.now() - hours * hour).toUTCString();
      return { url: `${bench.site.url}/${name}-1`, title: `Report ${name}`, published };
    });
    bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
    const { results } = await scrape([bench.profile()], { limit: 2 });
    expect(results.map(({ title }) => title)).toEqual(["Report new", "Report middle"]);
  });

  test("a query keeps the articles that have all its words, in whatever form they are written", async () => {
    const arabic = Array.from(
      { length: 4 },
      () =>
        "قررت الحكومات المحلية إغلاق الجسور القديمة فوق النهر لإجراء إصلاحات عاجلة بعد تحذيرات المهندسين من خطر انهيارها",
    );
    bench.site.set("/arabic-1", { body: storyPage("إغلاق الجسور", arabic.join("\n\n")) });
    bench.site.set("/english-1", { body: storyPage("Bridges closed") });
    const entries = ["arabic", "english"].map((name) => ({ url: `${bench.site.url}/${name}-1`, title: "" }));
    bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
    const profile = bench.profile();
    expect(titles((await scrape([profile], { query: "اغلاق الجسُور" })).results)).toEqual(["إغلاق الجسور"]);
    expect(titles((await scrape([profile], { query: "bridge ferries" })).results)).toEqual(["Bridges closed"]);
    expect(titles((await scrape([profile], { query: "bridge volcano" })).results)).toEqual([]);
  });

  test("categories keep what the profile's map puts there; what a listing rules out is not even fetched", async () => {
    putStories(bench.site, ["a", "b", "c"]);
    const entry = (name: string, more = "") => ({ url: `${bench.site.url}/${name}-1`, title: `Report ${name}`, more });
    bench.site.set("/feed", {
      type: "text/xml",
      body: feedOf([entry("a", "<category>كرة القدم</category>"), entry("b")]),
    });
    bench.site.set("/economy", { type: "text/xml", body: feedOf([entry("c")]) });
    const profile = bench.profile({
      category_map: { "كرة القدم": "sport" },
      feeds: [{ url: `${bench.site.url}/feed` }, { url: `${bench.site.url}/economy`, category: "business" }],
    });
    const { results } = await scrape([profile], { categories: ["Sport"] });
    expect(results.map(({ title, category }) => [title, category])).toEqual([["Report a", "sport"]]);
    expect(bench.site.paths()).not.toContain("/c-1");
  });

  test("one source that fails does not fail the rest, and the metadata says why", async () => {
    putStories(bench.site, ["a"]);
    const broken = bench.profile({ feeds: [{ url: `${bench.site.url}/nothing` }] });
    const good = bench.profile();
    const { results, metadata } = await scrape([broken, good]);
    expect(titles(results)).toEqual(["Report a"]);
    expect(metadata.sources_processed).toEqual([broken.name, good.name]);
    expect(metadata.errors).toEqual({ [broken.name]: `${bench.site.url}/nothing answered 404` });
  });

  test("the answer says of each listing and article that did not come why", async () => {
    putStories(bench.site, ["a", "b"]);
    bench.site.set("/b-1", { status: 500 });
    const feeds = ["/feed", "/nothing"].map((path) => ({ url: bench.site.url + path }));
    const profile = bench.profile({ feeds });
    const { results, errors } = await scrape([profile]);
    expect(titles(results)).toEqual(["Report a"]);
    const of = { profile: profile.name, at: expect.stringMatching(/Z$/) };
    expect(errors).toEqual([
      { ...of, url: `${bench.site.url}/nothing`, reason: `${bench.site.url}/nothing answered 404` },
      { ...of, url: `${bench.site.url}/b-1`, reason: "http-500" },
    ]);
  });

  test("on disk, a line is a whole item, and the path stays within the output folder", async () => {
    putStories(bench.site, ["a", "b"]);
    const profile = bench.profile();
    const { results } = await scrape([profile]);
    const request = { sendToApi: false, writeToDisk: true };
    for (const _ of [1, 2]) {
      const answer = await bench.crawler.scrape([profile], request, { signal });
      expect(answer).toMatchObject({ lines: 2, metadata: { total_articles: 2 } });
      expect("results" in answer).toBe(false);
      expect("file" in answer && answer.file).toMatch(/^[\w.-]+\.jsonl$/);
    }
    const answer = await bench.crawler.scrape([profile], { ...request, query: "volcano" }, { signal });
    const text = await readFile(join(dataDir, "scraper", "file" in answer ? answer.file : ""), "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([...results, ...results]);
  });

  test("an API that is away does not fail a scrape: what was found is sent later", async () => {
    putStories(bench.site, ["a", "b"]);
    bench.fault = { status: 503 };
    const { results, metadata } = await scrape([bench.profile()], { sendToApi: true });
    expect(results.length).toBe(2);
    expect(metadata.delivery).toMatchObject({ accepted: 0, pending: 2 });
    bench.fault = undefined;
    expect(await bench.crawler.deliverPending(signal)).toMatchObject({ accepted: 2 });
    expect(bench.api.stored.size).toBe(2);
  });

  test("a replay sends what was kept again, fetches nothing, and tells what the API says", async () => {
    putStories(bench.site, ["a", "b", "c"]);
    const profile = bench.profile();
    await scrape([profile]);
    const asked = bench.site.seen.length;
    const of = { profileId: profile.name };
    const none = { matched: 3, sent: 0, accepted: 0, duplicate: 0, conflict: 0, failed: 0 };
    expect(await bench.crawler.replay({ ...of, sendToApi: false }, { signal })).toEqual(none);
    expect(await bench.crawler.replay({ ...of, sendToApi: true, limit: 2 }, { signal })).toEqual({
      ...none,
      matched: 2,
      sent: 2,
      accepted: 2,
    });
    expect(await bench.crawler.replay({ ...of, sendToApi: true }, { signal })).toEqual({
      ...none,
      sent: 3,
      accepted: 1,
      duplicate: 2,
    });
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await bench.crawler.replay({ ...of, since: later, sendToApi: true }, { signal })).matched).toBe(0);
    expect(bench.site.seen.length).toBe(asked);
  });

  test("a replay settles what was still to be delivered, and an API that is away leaves it as it is", async () => {
    putStories(bench.site, ["a"]);
    const profile = bench.profile();
    bench.fault = { status: 500 };
    await scrape([profile], { sendToApi: true });
    const request = { profileId: profile.name, sendToApi: true };
    expect(await bench.crawler.replay(request, { signal })).toMatchObject({ matched: 1, sent: 0 });
    bench.fault = undefined;
    expect(await bench.crawler.replay(request, { signal, requestId: "again" })).toMatchObject({ sent: 1, accepted: 1 });
    expect(bench.api.seen.at(-1)?.requestId).toBe("again");
    expect(await bench.crawler.deliverPending(signal)).toMatchObject({ accepted: 0, duplicate: 0, pending: 0 });
  });

  test.each([
    ["مصر", "القمة في مِصْر", true],
    ["الاحمد", "قال الأحمدُ إن الاجتماع", true],
    ["bridge", "Two bridges were closed", true],
    ["bridge closed", "closed: the old BRIDGE", true],
    ["art", "the party", false],
    ["bridge volcano", "Two bridges were closed", false],
    ["the", "nothing of the kind", true],
  ])("%j in %j: %p", (query, text, passes) => {
    expect(keywordFilter(query)(text, "")).toBe(passes);
    expect(keywordFilter(query)("", text)).toBe(passes);
  });

  test("words may stand in title and content apart", () => {
    expect(keywordFilter("bridge minister")("The bridge", "said the minister")).toBe(true);
  });

  test("a query without words lets everything pass", () => {
    expect(keywordFilter(" ?! ")("anything", "")).toBe(true);
  });

  const NOON = Date.UTC(2026, 10, 21, 12);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "isnad-output-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function linesOf(name: string): Promise<unknown[]> {
    const text = await readFile(join(folder, "new", name), "utf8");
    expect(text.endsWith("\n")).toBe(true);
    return text
      .slice(0, -1)
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  test("lines go to the file of the day, in a folder that is made", async () => {
    const name = await appendLines(join(folder, "new"), [{ a: "line\nfeed" }, { b: "خبر" }], NOON);
    expect(name).toBe("scrape-2026-11-21.jsonl");
    expect(await appendLines(join(folder, "new"), [{ c: 1 }], NOON + 1)).toBe(name);
    expect(await linesOf(name)).toEqual([{ a: "line\nfeed" }, { b: "خبر" }, { c: 1 }]);
  });

  test("nothing to write leaves an empty file", async () => {
    const name = await appendLines(join(folder, "new"), [], NOON);
    expect(await readFile(join(folder, "new", name), "utf8")).toBe("");
  });

  test("a line that was never finished is closed before the next one", async () => {
    const name = await appendLines(join(folder, "new"), [{ a: 1 }], NOON);
    await appendFile(join(folder, "new", name), '{"torn":');
    await appendLines(join(folder, "new"), [{ b: 2 }], NOON);
    const lines = (await readFile(join(folder, "new", name), "utf8")).split("\n");
    expect(lines).toEqual(['{"a":1}', '{"torn":', '{"b":2}', ""]);
  });

  test("what several processes append at once does not mix", async () => {
    const code = `import { appendLines } from ${JSON.stringify(join(import.meta.dir, "scrape.ts"))};
    for (let i = 0; i < 20; i++) await appendLines(process.argv[1], [{ who: process.argv[2], i, text: "x".repeat(50_000) }], ${NOON});`;
    const children = ["one", "two", "three"].map((who) =>
      Bun.spawn([process.execPath, "-e", code, join(folder, "new"), who], { stderr: "inherit" }),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
    const lines = await linesOf("scrape-2026-11-21.jsonl");
    expect(lines.length).toBe(60);
    expect(lines.filter((line) => JSON.stringify(line).includes('"who":"two"')).length).toBe(20);
  }, 300_000);
});

describe("scrape source", () => {
  function listing(content: string) {
    const entry = { url: "https://example.org/a", title: "", publishedAt: null, updatedAt: null, author: "" };
    return { entries: [{ ...entry, categories: [], summary: "", content, image: null }], validators: new Map() };
  }

  test("a listing is remembered for its profile and address, as it was read last", () => {
    const memory = new ListingMemory();
    memory.put("one", "https://example.org/feed", listing("old"));
    memory.put("one", "https://example.org/feed", listing("new"));
    expect(memory.get("one", "https://example.org/feed")?.entries[0]?.content).toBe("new");
    expect(memory.get("two", "https://example.org/feed")).toBeUndefined();
  });

  test("the listings read longest ago are forgotten when there is no room", () => {
    const memory = new ListingMemory({ maxChars: 5000 });
    for (const name of ["a", "b", "a", "c"]) memory.put(name, "feed", listing("x".repeat(1500)));
    expect(["a", "b", "c"].map((name) => memory.get(name, "feed") !== undefined)).toEqual([true, false, true]);
    memory.put("huge", "feed", listing("x".repeat(6000)));
    expect(memory.get("huge", "feed")).toBeUndefined();
    memory.put("d", "feed", listing(""));
    expect(memory.get("d", "feed")).toBeDefined();
  });
});
