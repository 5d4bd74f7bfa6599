import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { checkItem } from "@isnad/lib/ingest";
import { loadTaxonomy } from "@isnad/lib/service/config";
import type { PullOptions } from "@isnad/lib/store";
import { createFetcher, createMemoryLeaseStore, createPoliteClient } from "@isnad/lib/web/egress";
import { newsdataResult, type NewsdataSite, startNewsdataSite } from "../../testing/sites.ts";
import { openPullBench } from "../../testing/pulls.ts";
import { runPull } from "../run-pull.ts";
import { newsdataAdapter, newsdataClient, newsdataItem } from "./newsdata.ts";

setDefaultTimeout(300_000);

const bench = await openPullBench();
const { signal } = new AbortController();
let site: NewsdataSite;
/** Time that the client waited, in milliseconds; it does not really pass. */
let waited: number[];

beforeEach(() => {
  site = startNewsdataSite();
  waited = [];
});
afterEach(() => site.stop());
afterAll(() => bench.close());

/** A clock that a wait sets forward. */
const clock = {
  now: () => 1_700_000_000_000 + waited.reduce((sum, ms) => sum + ms, 0),
  sleep: async (ms: number) => void waited.push(ms),
};

function adapters(apiKey: string | undefined = site.key) {
  const fetcher = createFetcher({ userAgent: "IsnadBot/0.1", allowPrivateHosts: "127.0.0.1" });
  const polite = createPoliteClient({ fetcher, leases: createMemoryLeaseStore(clock), product: "IsnadBot", clock });
  const client = newsdataClient({
    client: (address, options) => polite(address, { ...options, minDelayMs: 0 }),
    baseUrl: site.url,
    apiKey,
  });
  return { newsdata: newsdataAdapter({ client, taxonomy: loadTaxonomy() }) };
}

const source = (over = {}) => bench.source({ provider: "newsdata", ...over });
const pull = async (of: Awaited<ReturnType<typeof source>>, options: PullOptions = {}, known = adapters()) =>
  await runPull(of, bench.deps(known), { signal, options });
const results = (count: number) => Array.from({ length: count }, (_, n) => newsdataResult(n));

test("the latest news come page by page, with every field in its place", async () => {
  site.results = results(25);
  const of = await source();
  expect(await pull(of)).toMatchObject({ status: "succeeded", counts: { discovered: 25, accepted: 25 } });
  expect(site.requests.map(({ path, parameters }) => [path, parameters.page])).toEqual([
    ["/api/1/latest", undefined],
    ["/api/1/latest", "page-1"],
    ["/api/1/latest", "page-2"],
  ]);
  const [row] = await bench.query("select * from articles where source_id = $1 and external_id = 'a0003'", of.key);
  expect(row).toMatchObject({
    url: "https://paper.example/3",
    title: "Report number 3",
    lang: "en",
    authors: ["Mona Haddad"],
    images: ["https://paper.example/3.jpg"],
    category_label: "business",
    provider: "newsdata",
    raw: { source_id: "paper", source_name: "The Paper", country: ["jordan"], category: ["top", "business"] },
  });
  expect(new Date(String(row?.published_at)).toISOString()).toBe("2025-11-10T11:57:00.000Z");
});

test("the next regular pull stops at the first page without anything newer", async () => {
  site.results = results(100);
  const of = await source();
  await pull(of);
  site.requests = [];
  site.results = [newsdataResult(-1), ...site.results];
  expect((await pull(of)).counts).toMatchObject({ discovered: 20, accepted: 1, duplicate: 19 });
  expect(site.requests).toHaveLength(2);
});

test("a regular pull reads ten pages at most; one with options reads as many as there are", async () => {
  site.results = results(130);
  expect((await pull(await source())).counts.discovered).toBe(100);
  const asked = await pull(await source(), { mode: "latest", query: "report" });
  expect(asked.counts.discovered).toBe(130);
});

test("the archive is asked with its parameters, and the source's language unless another is named", async () => {
  site.results = [...results(5), newsdataResult(9, { language: "arabic", pubDate: "2025-01-02 03:04:05" })];
  const of = await source({ language: "ar" });
  await pull(of, { mode: "archive", from: "2025-01-01", to: "2025-01-31", query: "report", country: "jo" });
  expect(site.requests).toMatchObject([
    {
      path: "/api/1/archive",
      parameters: { q: "report", language: "ar", country: "jo", from_date: "2025-01-01", to_date: "2025-01-31" },
    },
  ]);
  const stored = await bench.query("select external_id, lang from articles where source_id = $1", of.key);
  expect(stored).toEqual([{ external_id: "a0009", lang: "ar" }]);
});

test("--max stops it in the middle of a page", async () => {
  site.results = results(40);
  expect((await pull(await source(), { mode: "latest", max: 15 })).counts.discovered).toBe(15);
  expect(site.requests).toHaveLength(2);
});

test("where the plan has no text the description stands in; another language than Arabic and English is refused", async () => {
  const long = "The description is long enough to be an article of its own, in this one case. ".repeat(4);
  site.results = [
    newsdataResult(1, { content: "ONLY AVAILABLE IN PAID PLANS", description: long }),
    newsdataResult(2, { content: "ONLY AVAILABLE IN PAID PLANS" }),
    newsdataResult(3, { language: "portuguese" }),
    newsdataResult(4, { creator: null, image_url: null, category: null, pubDateTZ: null, keywords: null }),
  ];
  const of = await source();
  const outcome = await pull(of);
  expect(outcome.counts).toMatchObject({ accepted: 2, failed: 2 });
  expect(outcome.error).toContain("1 content-too-short, 1 unsupported-language");
  const [row] = await bench.query(
    "select content from articles where source_id = $1 and external_id = 'a0001'",
    of.key,
  );
  expect(row?.content).toBe(long.trim());
});

test("too many requests: it waits as asked, or with growing back-off, and goes on", async () => {
  site.results = results(15);
  site.faults = [
    { status: 429, code: "TooManyRequests", headers: { "Retry-After": "7" } },
    { status: 429, code: "RateLimitExceeded" },
  ];
  expect(await pull(await source())).toMatchObject({ status: "succeeded", counts: { accepted: 15 } });
  expect(waited.some((ms) => ms > 6_000 && ms <= 7_000)).toBe(true);
  expect(waited.length).toBeGreaterThanOrEqual(2);
});

test("a limit that lasts ends the pull with the service's code; what came before it stays, and is not paged past", async () => {
  site.results = results(30);
  site.before = async (page) => {
    if (page === 2) site.faults.push({ status: 429, code: "RateLimitExceeded", message: "Rate limit exceeded" });
  };
  const of = await source();
  const outcome = await pull(of);
  expect(outcome).toMatchObject({ status: "partial", counts: { accepted: 20 } });
  expect(outcome.error).toBe("newsdata.io answers 429 RateLimitExceeded: Rate limit exceeded");
  expect(await bench.store.pulls.state(of.key)).toBeUndefined();
  site.before = async () => {};
  expect((await pull(of)).counts).toMatchObject({ duplicate: 20, accepted: 10 });
});

test.each([
  [
    { status: 401, code: "Unauthorized", message: "The provided API key is not valid." },
    "401 Unauthorized: The provided",
  ],
  [
    { status: 422, code: "UnsupportedParameter", message: "No such thing." },
    "422 UnsupportedParameter: No such thing.",
  ],
  [{ status: 403, code: "IPRestricted" }, "403 IPRestricted: this address may not use the key"],
  // Documented: with some settings an error comes as a success.
  [{ status: 200, code: "Unauthorized", message: "Not valid." }, "200 Unauthorized: Not valid."],
  [{ status: 409, body: '{"status":"error","message":"Duplicate"}' }, "409: Duplicate"],
  [{ status: 200, body: "<html>maintenance</html>" }, "200: the answer is not of the documented form"],
  [{ status: 200, body: '{"status":"success"}' }, "200: the answer has no results"],
])("the answer %j is the error of the pull", async (fault, words) => {
  site.faults = [fault];
  const outcome = await pull(await source());
  expect(outcome).toMatchObject({ status: "failed", counts: { discovered: 0 } });
  expect(outcome.error).toStartWith(`newsdata.io answers ${words}`);
});

test("a passing server error is tried again", async () => {
  site.results = results(3);
  site.faults = [{ status: 500 }, { status: 503 }];
  expect(await pull(await source())).toMatchObject({ status: "succeeded", counts: { accepted: 3 } });
});

test("the key goes in a header only, and into no log, no record and no error, even when the service repeats it", async () => {
  site.results = results(3);
  const of = await source();
  await pull(of);
  site.faults = [{ status: 401, code: "Unauthorized", message: `the key ${site.key} is not valid` }];
  const outcome = await pull(of);
  expect(outcome.error).toContain("401 Unauthorized");
  expect(site.requests.every(({ byHeader, parameters }) => byHeader && !("apikey" in parameters))).toBe(true);
  expect(JSON.stringify([bench.lines, await bench.store.pulls.list(), outcome])).not.toContain(site.key);
});

test("a redirect is not followed with the key", async () => {
  const elsewhere = startNewsdataSite();
  site.faults = [{ status: 302, headers: { Location: `${elsewhere.url}/api/1/latest` } }];
  expect(await pull(await source())).toMatchObject({ status: "failed" });
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.stop();
});

test.each([
  [{ mode: "archive" }, "wants a query, a language, a country or a category"],
  [{ mode: "latest", from: "2025-01-01" }, "only the archive"],
  [{ mode: "yesterday" }, "no mode"],
])("options %j are refused before anything is asked", async (options, words) => {
  const outcome = await pull(await source(), options);
  expect(outcome.error).toContain(words);
  expect(site.requests).toEqual([]);
});

test("without a key the error says which option is missing", async () => {
  const fetcher = createFetcher({ userAgent: "IsnadBot/0.1" });
  const polite = createPoliteClient({ fetcher, leases: createMemoryLeaseStore(), product: "IsnadBot" });
  const client = newsdataClient({ client: polite, baseUrl: site.url, apiKey: undefined });
  const newsdata = newsdataAdapter({ client, taxonomy: loadTaxonomy() });
  const outcome = await pull(await source(), {}, { newsdata });
  expect(outcome.error).toContain("NEWSDATA_API_KEY");
});

const taxonomy = loadTaxonomy();
const item = (over: Record<string, unknown> = {}) => newsdataItem(newsdataResult(1, over), { key: "desk" }, taxonomy);
const errorOf = (over: Record<string, unknown>) => {
  const checked = checkItem(item(over));
  return "error" in checked ? checked.error.type : undefined;
};

test("a documented result is a valid item of the source that was pulled", () => {
  expect(checkItem(item())).toMatchObject({ item: { sourceId: "desk", externalId: "a0001", provider: "newsdata" } });
});

test.each([
  ["UTC", "2025-11-10T05:30:59Z"],
  [null, "2025-11-10T05:30:59Z"],
  ["Asia/Dubai", "2025-11-10T01:30:59Z"],
  ["Mars/Olympus", undefined],
])("a time in zone %p is %p", (pubDateTZ, expected) => {
  expect(item({ pubDate: "2025-11-10 05:30:59", pubDateTZ }).published_at).toBe(expected);
});

test.each([
  ["arabic", "ar"],
  ["English", "en"],
  ["ar", "ar"],
  ["marathi", "marathi"],
  [null, undefined],
])("language %p is %p", (language, expected) => expect(item({ language }).lang).toBe(expected));

test("fields of other types than documented neither stop it nor get through", () => {
  const odd = { creator: "Mona Haddad", category: "sports", image_url: 7, keywords: { a: 1 }, pubDate: 20251110 };
  expect(item(odd)).toMatchObject({ authors: ["Mona Haddad"], category_label: "sports", raw: { keywords: null } });
  expect(item(odd)).not.toHaveProperty("images");
  expect(errorOf(odd)).toBeUndefined();
});

test("what is missing is for the admission to name", () => {
  expect(errorOf({ article_id: null })).toBe("/errors/missing-field");
  expect(errorOf({ link: null })).toBe("/errors/missing-field");
  expect(errorOf({ title: null })).toBe("/errors/invalid-title");
  expect(errorOf({ content: null, description: null })).toBe("/errors/content-too-short");
  expect(errorOf({ language: "hindi" })).toBe("/errors/unsupported-language");
});
