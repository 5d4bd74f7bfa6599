import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { openPullBench } from "../../testing/pulls.ts";
import { normalized, profile, type ScraperSite, startScraperSite } from "../../testing/sites.ts";
import { openScraper } from "../puller.ts";
import { runPull } from "../run-pull.ts";
import { scraperAdapter, scraperPushAdapter } from "./scraper.ts";

setDefaultTimeout(300_000);

const bench = await openPullBench();
const { signal } = new AbortController();
let site: ScraperSite;

beforeEach(() => {
  site = startScraperSite();
});
afterEach(() => site.stop());
afterAll(() => bench.close());

const adapters = (token: string | undefined = site.token) => ({
  scraper: scraperAdapter(openScraper({ url: site.url, token }, "IsnadBot/0.1")),
  "scraper-push": scraperPushAdapter,
});

test("the profile of the source is scraped, nothing is pushed, and its items become articles", async () => {
  site.profiles = [profile("alwatan"), profile("alfajr")];
  site.items = { alwatan: [normalized("alwatan-desk", 1), normalized("alwatan-desk", 2)] };
  const of = await bench.source({ key: "alwatan-desk", provider: "scraper" });
  const outcome = await runPull(of, bench.deps(adapters()), { signal });
  expect(outcome).toMatchObject({ status: "succeeded", counts: { accepted: 2 } });
  expect(site.scrapes).toEqual([{ sources: ["alwatan"], send_to_api: false, force: true }]);
  const [row] = await bench.query("select * from articles where external_id = 'alwatan-desk-1'");
  expect(row).toMatchObject({
    source_id: "alwatan-desk",
    title: "خبر 1 من alwatan-desk",
    lang: "ar",
    authors: ["منى حداد"],
    category_label: "economy",
    provider: "desk",
  });
});

test("a source may also be named as its profile is; the limit is passed on", async () => {
  const own = profile("alfajr");
  site.profiles = [{ ...own, source: { ...own.source, id: "other" } }];
  site.items = { alfajr: [normalized("other", 1), normalized("other", 2), normalized("other", 3)] };
  const of = await bench.source({ key: "alfajr", provider: "scraper" });
  const outcome = await runPull(of, bench.deps(adapters()), { signal, options: { max: 2 } });
  expect(outcome.counts.accepted).toBe(2);
  expect(site.scrapes).toEqual([{ sources: ["alfajr"], send_to_api: false, force: true, limit: 2 }]);
});

test("what the scraper brought is admitted even when it says that it could not do it all", async () => {
  site.profiles = [profile("alqods")];
  site.items = { alqods: [normalized("alqods-desk", 1)] };
  site.errors = { alqods: "the feed answers 503" };
  const of = await bench.source({ key: "alqods-desk", provider: "scraper" });
  const outcome = await runPull(of, bench.deps(adapters()), { signal });
  expect(outcome).toMatchObject({ status: "partial", counts: { accepted: 1 } });
  expect(outcome.error).toBe("the scraper could not do it all: the feed answers 503");
});

test("a source without a profile, a token that is refused and a scraper that is away are the error of the pull", async () => {
  const of = await bench.source({ provider: "scraper" });
  const errorOf = async (known: ReturnType<typeof adapters>) =>
    (await runPull(of, bench.deps(known), { signal })).error;
  expect(await errorOf(adapters())).toBe(`the scraper has no profile for source "${of.key}"`);
  site.profiles = [profile(of.key)];
  expect(await errorOf(adapters("wrong"))).toBe(`the scraper at ${site.url}/ answers 401: A token is required.`);
  await site.stop();
  expect(await errorOf(adapters())).toContain(`the scraper at ${site.url}/ cannot be reached`);
});

test("an answer that is not of the scraper's contract is the error of the pull", async () => {
  const of = await bench.source({ provider: "scraper" });
  site.profiles = [Object.assign(profile(of.key), { enabled: "perhaps" })];
  const { error } = await runPull(of, bench.deps(adapters()), { signal });
  expect(error).toBe(`the scraper at ${site.url}/ does not answer /profiles by its contract`);
});

test("scraper-push yields nothing: its items come through the ingest route", async () => {
  const of = await bench.source({ provider: "scraper-push" });
  const outcome = await runPull(of, bench.deps(adapters()), { signal });
  expect(outcome).toMatchObject({ status: "succeeded", counts: { discovered: 0 } });
  expect(site.scrapes).toEqual([]);
});
