import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Bench, feedOf, openBench, putStories, type SiteAnswer, storyPage, storyText } from "../testing.ts";
import type { CrawlProfile } from "../types.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 300_000);
beforeEach(() => bench.renew());
afterAll(() => bench.close());

const { signal } = new AbortController();
let versions = 0;

/** Lets the feed say that a-1 has changed, and the page answer so. */
function change(answer: SiteAnswer): void {
  const published = new Date(Date.now() - 3_600_000 + 1000 * ++versions).toUTCString();
  bench.site.set("/a-1", answer);
  const entries = [{ url: `${bench.site.url}/a-1`, title: "Report a", published }];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
}

const page = (text: string) => ({ body: storyPage("Report a", storyText(text)) });

/** A profile whose article a-1 was delivered. */
async function delivered(): Promise<CrawlProfile> {
  putStories(bench.site, ["a"]);
  const profile = bench.profile();
  await bench.run(profile);
  expect(bench.api.stored.size).toBe(1);
  return profile;
}

const reported = () => [...bench.api.revisions.values()].flat();

test("what a corrected article says now is reported, and the run counts a conflict as before", async () => {
  const profile = await delivered();
  change(page("a, corrected"));
  expect(await bench.run(profile)).toMatchObject({ status: "succeeded", counts: { sent: 1, conflict: 1, failed: 0 } });
  expect(reported()).toEqual([storyText("a, corrected")]);
  expect(await bench.kept(profile, "/a-1")).toMatchObject({ state: "conflict", reason: "updated_at_source" });
  expect([...bench.api.stored.values()]).toEqual([storyText("Report a")]);
});

test("an article that goes back to what it said first is reported as such", async () => {
  const profile = await delivered();
  change(page("a, corrected"));
  await bench.run(profile);
  change(page("Report a"));
  expect(await bench.run(profile)).toMatchObject({ counts: { sent: 1, duplicate: 1 } });
  expect(reported()).toEqual([storyText("a, corrected"), storyText("Report a")]);
});

test("an API that goes away between the conflict and the report loses nothing", async () => {
  const profile = await delivered();
  change(page("a, corrected"));
  // The article itself is answered with 409; the report is not taken.
  bench.faultOf = ({ path }) => (path === "/v1/ingest/revisions" ? { status: 503 } : undefined);
  expect(await bench.run(profile)).toMatchObject({ status: "partial", counts: { conflict: 0 } });
  expect(await bench.kept(profile, "/a-1")).toMatchObject({ state: "pending" });
  bench.faultOf = () => undefined;
  expect(await bench.crawler.deliverPending(signal)).toMatchObject({ conflict: 1, pending: 0 });
  expect(reported()).toEqual([storyText("a, corrected")]);
});

test.each([404, 410])("a page that answers %i when it is visited again is reported as gone, once", async (status) => {
  const profile = await delivered();
  change({ status });
  expect(await bench.run(profile)).toMatchObject({
    status: "succeeded",
    counts: { skipped: 1, conflict: 0, failed: 0 },
    details: { errors: [{ url: `${bench.site.url}/a-1`, reason: `http-${status}` }] },
  });
  expect(reported()).toEqual([null]);
  expect(await bench.kept(profile, "/a-1")).toMatchObject({ state: "sent", goneAt: expect.any(String) });
  change({ status });
  await bench.run(profile);
  expect(reported()).toEqual([null]);
  expect(bench.api.stored.size).toBe(1);
});

test("an article that is there again is reported with what it says, and may go again", async () => {
  const profile = await delivered();
  change({ status: 404 });
  await bench.run(profile);
  change(page("Report a"));
  await bench.run(profile);
  expect(reported()).toEqual([null, storyText("Report a")]);
  expect(await bench.kept(profile, "/a-1")).toMatchObject({ goneAt: null });
  change({ status: 410 });
  await bench.run(profile);
  expect(reported()).toEqual([null, storyText("Report a"), null]);
});

test("an article that was never delivered is not reported as gone, nor is one whose page is only forbidden", async () => {
  const profile = await delivered();
  change({ status: 403 });
  await bench.run(profile);
  bench.site.set("/b-1", { status: 404 });
  const entries = [{ url: `${bench.site.url}/b-1`, title: "b" }];
  bench.site.set("/feed", { type: "text/xml", body: feedOf(entries) });
  await bench.run(profile);
  expect(reported()).toEqual([]);
});

test("a scrape on demand notes a deletion, too", async () => {
  const profile = await delivered();
  bench.site.set("/a-1", { status: 404 });
  await bench.crawler.scrape([profile], { sendToApi: true, writeToDisk: false }, { signal });
  expect(reported()).toEqual([null]);
});

test("a replay reports what conflicts, also what was set aside before", async () => {
  const profile = await delivered();
  change(page("a, corrected"));
  await bench.run(profile);
  bench.api.revisions.clear();
  const request = { profileId: profile.name, sendToApi: true };
  expect(await bench.crawler.replay(request, { signal })).toMatchObject({ matched: 1, conflict: 1 });
  expect(reported()).toEqual([storyText("a, corrected")]);
});
