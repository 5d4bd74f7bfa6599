import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Bench, feedOf, openBench, putStories, storyPage } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

test("an API that is away for a whole run costs nothing: everything is delivered when it is back", async () => {
  putStories(bench.site, ["a", "b", "c"]);
  bench.fault = { status: 503 };
  const profile = bench.profile();
  const outcome = await bench.run(profile);
  expect(outcome).toMatchObject({ status: "partial", counts: { extracted: 3, sent: 0 } });
  expect(outcome.error).toContain("3 articles wait for the API");
  expect(await bench.crawler.deliverPending(new AbortController().signal)).toMatchObject({ accepted: 0 });
  bench.fault = undefined;
  const { signal } = new AbortController();
  expect(await bench.crawler.deliverPending(signal)).toMatchObject({ accepted: 3, pending: 0, error: null });
  expect(bench.api.stored.size).toBe(3);
  expect((await bench.run(profile)).counts).toMatchObject({ sent: 0, discovered: 0 });
});

test("an ingest token that is refused leaves everything pending, and the error says so", async () => {
  putStories(bench.site, ["a"]);
  bench.fault = { status: 401 };
  const outcome = await bench.run(bench.profile());
  expect(outcome.status).toBe("partial");
  expect(outcome.error).toContain("set INGEST_TOKEN");
});

test("what the API refuses counts as failed and keeps the reason", async () => {
  putStories(bench.site, ["a"]);
  const content = "bad";
  bench.site.set("/feed", { type: "text/xml", body: feedOf([{ url: `${bench.site.url}/a-1`, title: "Report a" }]) });
  const profile = bench.profile();
  const first = await bench.run(profile);
  expect(first.counts.sent).toBe(1);
  const kept = await bench.kept(profile, "/a-1");
  if (kept === undefined) throw new Error("nothing was kept");
  const item = { ...kept.item, id: "other", content };
  await bench.store.scraper.items.keep({
    profileId: profile.name,
    runId: null,
    url: `${bench.site.url}/x`,
    item,
    contentHash: "x",
    deliver: true,
  });
  expect(await bench.crawler.deliverPending(new AbortController().signal)).toMatchObject({ failed: 1 });
  const failed = await bench.kept(profile, "/x");
  expect(failed).toMatchObject({ state: "failed", reason: "/errors/content-too-short: content is too short" });
});

test("a run ends when its items are delivered, also those that another sender has in hand", async () => {
  putStories(bench.site, ["a", "b"]);
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 } });
  const { items } = bench.store.scraper;
  let other: Promise<number> = Promise.resolve(0);
  const take = () => items.pending({ limit: 10, owner: "other", leaseS: 3_600, profileId: profile.name });
  const takeFirst = async () => {
    for (;;) {
      const held = await take();
      if (held.length > 0) return held;
    }
  };
  let asked = 0;
  const page = (name: string) => () => {
    const body = storyPage(`Report ${name}`);
    if (++asked === 1) return { body };
    // Another process takes the first article once it is kept, and is slower than the run.
    const taken = takeFirst();
    other = taken.then(async (held) => {
      while (bench.api.seen.length === 0) await Bun.sleep(5);
      await Bun.sleep(100);
      await items.settle(held.map(({ id, revision }) => ({ id, revision, state: "sent", articleId: 1 })));
      return held.length;
    });
    return { body, after: taken };
  };
  for (const name of ["a", "b"]) bench.site.set(`/${name}-1`, page(name));
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { sent: 2 } });
  expect(await other).toBe(1);
});
