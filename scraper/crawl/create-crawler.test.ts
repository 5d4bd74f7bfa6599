import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { NO_COUNTS } from "@isnad/lib/store";
import { outcomeOf, type RunFacts } from "./create-crawler.ts";
import { type Bench, openBench, putStories, storyPage, storyText } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

test("a first run brings every article to the API, once", async () => {
  putStories(bench.site, ["a", "b", "c"]);
  const profile = bench.profile();
  const outcome = await bench.run(profile);
  expect(outcome).toMatchObject({
    status: "succeeded",
    error: null,
    counts: { discovered: 3, fetched: 3, extracted: 3, sent: 3, duplicate: 0, conflict: 0, failed: 0, skipped: 0 },
  });
  expect(bench.api.stored.size).toBe(3);
  expect([...bench.api.stored.values()].sort()).toEqual(["a", "b", "c"].map((name) => storyText(`Report ${name}`)));
});

test("a second run asks whether anything changed, hears 304 and loses nothing; a new article comes in the third", async () => {
  putStories(bench.site, ["a", "b"]);
  const profile = bench.profile();
  await bench.run(profile);
  bench.site.paths();
  const second = await bench.run(profile);
  expect(bench.site.paths()).toEqual(["/feed"]);
  expect(bench.site.seen.at(-1)?.status).toBe(304);
  expect(second).toMatchObject({ status: "succeeded", counts: { discovered: 0, fetched: 0, sent: 0 } });
  putStories(bench.site, ["a", "b", "c"]);
  const third = await bench.run(profile);
  expect(bench.site.paths()).toEqual(["/feed", "/c-1"]);
  expect(third.counts).toMatchObject({ discovered: 1, sent: 1 });
  expect(bench.api.stored.size).toBe(3);
});

test("what a limit leaves over comes in the next runs, although the feed then says 304", async () => {
  putStories(bench.site, ["a", "b", "c", "d", "e"]);
  const profile = bench.profile({ limits: { max_articles: 2 } });
  expect((await bench.run(profile)).counts).toMatchObject({ discovered: 5, sent: 2 });
  expect((await bench.run(profile, { limit: 1 })).counts).toMatchObject({ discovered: 0, sent: 1 });
  expect((await bench.run(profile)).counts).toMatchObject({ discovered: 0, sent: 2 });
  expect(bench.api.stored.size).toBe(5);
  expect(bench.site.paths().filter((path) => path === "/feed").length).toBe(3);
});

test("a page that fails for a while is tried again later; the run says so", async () => {
  putStories(bench.site, ["a", "b"]);
  bench.site.set("/a-1", { status: 400 });
  bench.site.set("/b-1", { status: 503, headers: { "retry-after": "90" } });
  // One after the other: the Retry-After of the second keeps everybody away from the host.
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const outcome = await bench.run(profile);
  expect(outcome).toMatchObject({ status: "partial", counts: { failed: 1, sent: 0 } });
  expect(outcome.error).toBe("1 articles failed; 1 articles are to be tried again");
  const counts = await bench.store.scraper.frontier.counts();
  expect(counts.filter(({ profileId }) => profileId === profile.name)).toEqual([
    { profileId: profile.name, state: "failed", count: 1 },
    { profileId: profile.name, state: "waiting", count: 1 },
  ]);
});

test("an old article that answers 500 for good fails alone: its source goes on succeeding with what is new", async () => {
  putStories(bench.site, ["old"]);
  bench.site.set("/old-1", { status: 500 });
  const profile = bench.profile();
  expect(await bench.run(profile)).toMatchObject({ status: "partial", error: "1 articles are to be tried again" });
  putStories(bench.site, ["old", "new"], "2");
  bench.site.set("/old-1", { status: 500 });
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { sent: 1 } });
  const due = () => bench.query("update scraper_frontier set due_at = now() where profile_id = $1", profile.name);
  await due();
  expect(await bench.run(profile)).toMatchObject({ status: "partial", error: "1 articles are to be tried again" });
  await due();
  expect(await bench.run(profile)).toMatchObject({ status: "partial", error: "1 articles failed" });
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded" });
});

test("dead pages do not keep new articles waiting, whether they come first or are tried again", async () => {
  const dead = Array.from({ length: 12 }, (_, i) => `dead${i}`);
  const putDead = (status: number) => {
    for (const name of dead) bench.site.set(`/${name}-1`, { status });
  };
  putStories(bench.site, [...dead, "new"]);
  putDead(500);
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const first = await bench.run(profile);
  expect(first).toMatchObject({ status: "partial", counts: { discovered: 13, sent: 1 } });
  expect(first.error).toBe("12 articles are to be tried again");
  // Their back-off is over, and the feed has more.
  await bench.query("update scraper_frontier set due_at = now() where profile_id = $1", profile.name);
  putStories(bench.site, [...dead, "new", "newer"], "2");
  putDead(500);
  bench.site.paths();
  expect(await bench.run(profile)).toMatchObject({ status: "partial", counts: { sent: 1 } });
  expect(
    bench.site
      .paths()
      .filter((path) => path !== "/feed")
      .at(0),
  ).toBe("/newer-1");
});

test("a source that answers nothing any more is left alone after five articles, and the others wait", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `n${i}`);
  putStories(bench.site, names);
  for (const path of ["/", ...names.map((name) => `/${name}-1`)]) bench.site.set(path, { status: 500 });
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const outcome = await bench.run(profile);
  expect(outcome.error).toBe(`${bench.site.host} is out of reach (http-500); 5 articles are to be tried again`);
  expect(new Set(bench.site.paths())).toEqual(
    new Set(["/feed", "/", ...names.slice(0, 5).map((name) => `/${name}-1`)]),
  );
});

test("an aborted run rejects, and what it had found is done by the next", async () => {
  putStories(bench.site, ["a", "b", "c"]);
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const abort = new AbortController();
  bench.site.set("/a-1", () => {
    abort.abort(new Error("stop"));
    return { body: storyPage("Report a") };
  });
  await bench.store.scraper.runs.create({ profileId: profile.name, provider: "test", trigger: "api" });
  const claim = { leaseS: 0, profileIds: [profile.name] };
  const claimed = await bench.store.scraper.runs.claim("first", claim);
  if (claimed === undefined) throw new Error("no run");
  const failure = await bench.crawler
    .crawl(profile, { ...claimed, owner: "first" }, { signal: abort.signal })
    .catch((error: unknown) => error);
  expect(String(failure)).toContain("stop");
  expect(bench.api.stored.size).toBe(0);
  const again = await bench.store.scraper.runs.claim("second", claim);
  if (again === undefined) throw new Error("the run is not taken up");
  const signal = new AbortController().signal;
  const outcome = await bench.crawler.crawl(profile, { ...again, owner: "second" }, { signal });
  expect(outcome).toMatchObject({ status: "succeeded", counts: { sent: 3 } });
  expect(bench.api.stored.size).toBe(3);
});

test("the counts are told while the run goes on", async () => {
  putStories(bench.site, ["a", "b"]);
  // One after the other: between two at once the counts may be told of both.
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const { runId } = await bench.store.scraper.runs
    .create({ profileId: profile.name, provider: "test", trigger: "cli" })
    .then((made) => ("run" in made ? made.run : made.running));
  const seen: number[] = [];
  await bench.crawler.crawl(
    profile,
    { runId, limit: null, owner: "o" },
    {
      signal: new AbortController().signal,
      onProgress: ({ counts }) => seen.push(counts.discovered, counts.extracted),
    },
  );
  expect(seen).toEqual([2, 0, 2, 1, 2, 2, 2, 2]);
});

function outcome(more: Partial<RunFacts>, counts: Partial<RunFacts["counts"]> = {}) {
  const { status, error } = outcomeOf({
    counts: { ...NO_COUNTS, ...counts },
    discovered: { discovered: 0, read: 1, problems: [] },
    visits: { retried: 0, failed: 0, outages: [] },
    items: { failed: 0, pending: 0 },
    pushError: null,
    warnings: [],
    ...more,
  });
  return { status, error };
}

test("a run in which nothing went wrong succeeded, also when there was nothing to do", () => {
  expect(outcome({})).toEqual({ status: "succeeded", error: null });
  expect(outcome({}, { conflict: 2, duplicate: 1, skipped: 3 })).toEqual({ status: "succeeded", error: null });
});

test("a run that read no listing and got no article failed", () => {
  const discovered = { discovered: 0, read: 0, problems: ["https://example.org/feed answered 500"] };
  expect(outcome({ discovered })).toEqual({ status: "failed", error: "https://example.org/feed answered 500" });
  expect(outcome({ discovered }, { extracted: 1 }).status).toBe("partial");
});

test("a run of a source that answers is partial at worst, even when every article failed", () => {
  const visits = { retried: 1, failed: 2, outages: ["example.org is out of reach (http-429)"] };
  expect(outcome({ visits })).toEqual({
    status: "partial",
    error: "example.org is out of reach (http-429); 2 articles failed; 1 articles are to be tried again",
  });
});

test("what waits for the API makes a run partial, and the reason is given", () => {
  expect(
    outcome({ items: { failed: 0, pending: 4 }, pushError: "the API cannot be reached" }, { extracted: 4 }),
  ).toEqual({
    status: "partial",
    error: "4 articles wait for the API: the API cannot be reached",
  });
  expect(outcome({ items: { failed: 1, pending: 0 } }, { extracted: 1 }).error).toBe("the API refused 1 articles");
});

test("a selector that finds nothing any more makes a run partial, so that somebody sees it", () => {
  const warnings = ["article.content matches nothing on 9 pages"];
  expect(outcome({ warnings }, { extracted: 9 })).toEqual({ status: "partial", error: warnings.join() });
});

test("of many listings that failed the first are named and the others counted", () => {
  const problems = ["a", "b", "c", "d", "e"];
  expect(outcome({ discovered: { discovered: 0, read: 1, problems } }).error).toBe("a; b; c; 2 more listings failed");
  const same = ["no robots.txt", "no robots.txt", "gone", "no robots.txt"];
  expect(outcome({ discovered: { discovered: 0, read: 1, problems: same } }).error).toBe("no robots.txt; gone");
});
