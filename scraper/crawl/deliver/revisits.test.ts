import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Bench, openBench, putStories, storyPage, storyText } from "../testing.ts";
import type { CrawlProfile } from "../types.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

/** Crawls a profile once; its articles a to d are delivered, its feed answers 304 from then on. */
async function delivered(more: Partial<CrawlProfile> = {}): Promise<CrawlProfile> {
  putStories(bench.site, ["a", "b", "c", "d"]);
  const profile = bench.profile({ politeness: { min_delay_ms: 0, concurrency: 1 }, ...more });
  await bench.run(profile);
  expect(bench.api.stored.size).toBe(4);
  bench.site.paths();
  return profile;
}

/** Lets the frontier of a profile grow older. */
const age = (profile: CrawlProfile, hours: number) =>
  bench.query(
    `update scraper_frontier set discovered_at = discovered_at - make_interval(mins => ${hours * 60}),
       settled_at = settled_at - make_interval(mins => ${hours * 60}), due_at = due_at - make_interval(mins => ${hours * 60})
     where profile_id = $1`,
    profile.name,
  );

const reported = () => [...bench.api.revisions.values()].flat();
const correct = (path = "/a-1") =>
  bench.site.set(path, { etag: '"2"', body: storyPage("Report a", storyText("a, corrected")) });

test("a silent correction is found an hour, six hours, a day and three days later, by conditional requests", async () => {
  const profile = await delivered();
  const visited: [hours: number, pages: number][] = [];
  for (const hours of [0.5, 0.6, 2, 4, 10, 9, 40, 24, 400]) {
    await age(profile, hours);
    await bench.run(profile);
    visited.push([hours, bench.site.paths().filter((path) => path !== "/feed").length]);
  }
  expect(visited.map(([, pages]) => pages)).toEqual([0, 4, 0, 4, 0, 4, 0, 4, 0]);
  expect(bench.site.seen.filter(({ path, status }) => path === "/a-1" && status === 304)).toHaveLength(4);
  expect(reported()).toEqual([]);
});

test("what a silently corrected article says now is reported, as that of a marked one", async () => {
  const profile = await delivered();
  correct();
  await age(profile, 1.1);
  expect(await bench.run(profile)).toMatchObject({
    status: "succeeded",
    counts: { discovered: 0, fetched: 4, sent: 1, conflict: 1, skipped: 3, failed: 0 },
  });
  expect(reported()).toEqual([storyText("a, corrected")]);
});

test("only the newest articles are visited again, as many as the profile says, and none of a source read by its feed", async () => {
  for (const [more, pages] of [
    [{ limits: { revisited_articles: 2 } }, ["/a-1", "/b-1"]],
    [{ limits: { revisited_articles: 0 } }, []],
    [{ full_text: "feed" as const }, []],
  ] as const) {
    await bench.renew();
    const profile = await delivered();
    await age(profile, 1.1);
    await bench.run({ ...profile, ...more });
    expect(bench.site.paths().filter((path) => path !== "/feed")).toEqual([...pages]);
  }
});

test("what the listing names first goes before the articles that are visited again, within the limit of the run", async () => {
  const profile = await delivered();
  await age(profile, 1.1);
  putStories(bench.site, ["n", "a", "b", "c", "d"], "1");
  await bench.run(profile, { limit: 2 });
  expect(bench.site.paths()).toEqual(["/feed", "/n-1", "/a-1"]);
});

test.each([404, 410])(
  "a page that answers %i without notice is asked for once more before it is reported as gone",
  async (status) => {
    const profile = await delivered();
    bench.site.set("/a-1", { status });
    await age(profile, 1.1);
    expect(await bench.run(profile)).toMatchObject({
      status: "succeeded",
      details: { errors: [{ url: `${bench.site.url}/a-1`, reason: `http-${status}` }] },
    });
    await bench.run(profile);
    expect(reported()).toEqual([]);
    await age(profile, 1.1);
    expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { skipped: 1, failed: 0 } });
    expect(reported()).toEqual([null]);
    await age(profile, 100);
    await bench.run(profile);
    expect(reported()).toEqual([null]);
  },
);

test("a page that is there again at the second visit is not reported", async () => {
  const profile = await delivered();
  bench.site.set("/a-1", { status: 404 });
  await age(profile, 1.1);
  await bench.run(profile);
  bench.site.set("/a-1", { etag: '"a-1"', body: storyPage("Report a") });
  await age(profile, 1.1);
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { sent: 0, failed: 0 } });
  expect(reported()).toEqual([]);
});

test("an article that cannot be had when it is visited again has not failed, and is visited at the next age", async () => {
  const profile = await delivered();
  for (const status of [403, 500]) {
    bench.site.set("/a-1", { status });
    await age(profile, status === 403 ? 1.1 : 6);
    expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { failed: 0, sent: 0 } });
  }
  correct();
  await age(profile, 20);
  await bench.run(profile);
  expect(reported()).toEqual([storyText("a, corrected")]);
});
