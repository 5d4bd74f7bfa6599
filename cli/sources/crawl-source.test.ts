import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openCommandBench } from "../../workers/testing/commands.ts";
import { type FeedSite, startFeedSite } from "../../workers/testing/sites.ts";
import { crawlSource } from "./pull.ts";

setDefaultTimeout(300_000);

const bench = await openCommandBench();
const { store, run, json } = bench;
let site: FeedSite;

beforeEach(() => {
  site = startFeedSite();
});
afterEach(() => site.stop());
afterAll(() => bench.close());

const BODY = "أعلنت الوزارة اليوم افتتاح ثلاث مدارس جديدة في ضواحي العاصمة مع بداية العام الدراسي. ".repeat(4);
const entry = (n: number) => ({ id: `n-${n}`, title: `خبر ${n}`, body: `${BODY} ${n} ${site.host}` });
const env = () => ({ SCRAPER_ALLOW_PRIVATE_HOSTS: site.host });

test("--create --sync registers a feed, pulls it and reports what came", async () => {
  site.entries = [entry(1), entry(2)];
  const argv = [
    "madaris",
    "--create",
    "--feed-url",
    site.url,
    "--name",
    "مدارس",
    "--language",
    "ar",
    "--tier",
    "2",
    "--sync",
  ];
  const { code, out, err } = await run(crawlSource, argv, env());
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe("madaris: succeeded, 2 items: 2 new, 0 known, 0 changed at the source, 0 refused\n");
  expect(await store.sources.get("madaris")).toMatchObject({
    provider: "rss",
    name: "مدارس",
    feedUrl: site.url,
    language: "ar",
    tier: 2,
    active: true,
  });
  const again = await json(crawlSource, ["madaris", "--sync"], env());
  expect(again).toMatchObject({ code: 0, data: { source: "madaris", provider: "rss", status: "succeeded" } });
});

test("without --sync the pull waits for a worker; asked again it is the same one", async () => {
  await store.sources.upsert([{ key: "waiting", provider: "rss", feedUrl: site.url }]);
  const first = await json(crawlSource, ["waiting"]);
  expect(first).toMatchObject({ code: 0, data: { source: "waiting", status: "queued" } });
  const second = await run(crawlSource, ["waiting"]);
  expect(second.code).toBe(0);
  const [queued] = await store.pulls.list({ sourceKey: "waiting" });
  expect(second.out).toBe(`waiting: is queued already (run ${queued?.runId})\n`);
  expect(await store.pulls.claim({ owner: "w", leaseS: 3_600 })).toMatchObject({
    sourceKey: "waiting",
    trigger: "cli",
  });
  expect(site.answers).toEqual([]);
});

test("--create changes what is given of a source that is there, and nothing else", async () => {
  await store.sources.upsert([{ key: "there", provider: "rss", feedUrl: site.url, name: "There", tier: 1 }]);
  expect((await run(crawlSource, ["there", "--create", "--name", "Renamed"])).code).toBe(0);
  expect(await store.sources.get("there")).toMatchObject({ name: "Renamed", tier: 1, feedUrl: site.url });
});

test("an unknown source is one line and exit code 1", async () => {
  const { code, err } = await run(crawlSource, ["nobody"]);
  expect([code, err]).toEqual([1, 'crawl:source: there is no source "nobody"; --create registers it\n']);
});

test("an unsupported provider is named with its source, and nothing is registered or queued", async () => {
  const created = await run(crawlSource, ["odd", "--create", "--provider", "telepathy"]);
  expect(created.code).toBe(1);
  expect(created.err).toContain('source "odd" has the unsupported provider "telepathy"');
  expect(await store.sources.get("odd")).toBeUndefined();
  await store.sources.upsert([{ key: "older", provider: "carrier-pigeon" }, { key: "none" }]);
  const { code, data } = await json(crawlSource, ["older", "--sync"]);
  expect([code, data]).toMatchObject([1, { error: { message: expect.stringContaining("carrier-pigeon") } }]);
  expect((await run(crawlSource, ["none"])).err).toContain('source "none" has no provider');
  expect(await store.pulls.list({ sourceKey: "older" })).toEqual([]);
});

test("a source that is being pulled is told, with the run that does it", async () => {
  await store.sources.upsert([{ key: "busy", provider: "rss", feedUrl: site.url }]);
  const begun = await store.pulls.start(
    { sourceKey: "busy", provider: "rss", trigger: "schedule" },
    { owner: "w", leaseS: 3_600 },
  );
  const { code, err } = await run(crawlSource, ["busy", "--sync"], env());
  expect(code).toBe(1);
  expect(err).toContain(`being pulled already (run ${"run" in begun ? begun.run.runId : ""})`);
});

test("of two processes that pull one source at once, one does and the other says so", async () => {
  site.entries = [entry(1)];
  const held = Promise.withResolvers<void>();
  site.before = () => held.promise;
  await store.sources.upsert([{ key: "contended", provider: "rss", feedUrl: site.url }]);
  const pull = async () => {
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dirname, "../main.ts"), "crawl:source", "contended", "--sync"],
      {
        env: { PATH: process.env.PATH, DATABASE_URL: bench.databaseUrl, DATA_DIR: bench.dir, ...env() },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [code, err] = [await child.exited, await new Response(child.stderr).text()];
    if (code !== 0) held.resolve();
    return { code, err };
  };
  const ends = await Promise.all([pull(), pull()]);
  expect(ends.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(ends.map(({ err }) => err).join("")).toContain('source "contended" is being pulled already');
  expect(site.answers).toEqual([200]);
});

test("a pull that fails is exit code 1 with its reason; items that are refused are not", async () => {
  await store.sources.upsert([{ key: "failing", provider: "rss", feedUrl: site.url }]);
  site.failWith = 404;
  const failed = await run(crawlSource, ["failing", "--sync"], env());
  expect(failed.code).toBe(1);
  expect(failed.out).toStartWith("failing: failed, 0 items");
  expect(failed.err).toContain("the feed answers 404");
  site.failWith = undefined;
  site.entries = [entry(8), { ...entry(9), body: "قصير" }];
  const partial = await json(crawlSource, ["failing", "--sync"], env());
  expect(partial).toMatchObject({ code: 0, data: { status: "partial", counts: { accepted: 1, failed: 1 } } });
});

test.each([
  [[], "KEY is missing"],
  [["a", "b"], "unexpected argument"],
  [["a", "--name", "A"], "go with --create"],
  [["a", "--create"], "needs --provider"],
  [["a", "--create", "--provider", "rss"], "needs --feed-url"],
  [["a", "--create", "--feed-url", "ftp://a.test/"], "http or https"],
  [["a", "--create", "--provider", "scraper", "--tier", "4"], "1, 2 or 3"],
  [["a", "--create", "--provider", "scraper", "--language", "Arabic"], "language code"],
])("%j is wrong usage", async (argv, words) => {
  const { code, err } = await run(crawlSource, argv);
  expect(code).toBe(2);
  expect(err).toContain(words);
  expect(await store.sources.get("a")).toBeUndefined();
});

test("a source that is switched off is refused, queued or at once, unless --force is given", async () => {
  await store.sources.upsert([{ key: "resting", provider: "rss", feedUrl: site.url }]);
  await store.sourceStates.switch("resting", false);
  for (const flags of [[], ["--sync"]]) {
    const { code, err } = await run(crawlSource, ["resting", ...flags], env());
    expect([code, err]).toEqual([
      1,
      "crawl:source: the source resting is switched off; --force fetches it all the same\n",
    ]);
  }
  expect(await store.pulls.list({ sourceKey: "resting" })).toEqual([]);
  expect((await run(crawlSource, ["resting", "--force"])).code).toBe(0);
  expect((await run(crawlSource, ["resting", "--sync", "--force"], env())).code).toBe(0);
});
