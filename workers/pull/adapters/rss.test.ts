import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import type { Source } from "@isnad/lib/store";
import { createFetcher, createMemoryLeaseStore, createPoliteClient } from "@isnad/lib/web/egress";
import type { FeedEntry } from "@isnad/lib/web/feeds";
import { type FeedSite, startFeedSite } from "../../testing/sites.ts";
import { openPullBench } from "../../testing/pulls.ts";
import { runPull } from "../run-pull.ts";
import { createFeedThread, feedItem, rssAdapter } from "./rss.ts";

describe("rss", async () => {
  setDefaultTimeout(300_000);

  const bench = await openPullBench();
  const feeds = createFeedThread();
  const { signal } = new AbortController();
  let site: FeedSite;

  beforeEach(() => {
    site = startFeedSite();
  });
  afterEach(() => site.stop());
  afterAll(async () => {
    await feeds.close();
    await bench.close();
  });

  const BODY = "أعلنت بلدية الميناء اليوم إعادة فتح الجسر القديم بعد أعمال ترميم استمرت عامين كاملين. ".repeat(4);
  const entry = (n: number) => ({
    id: `n-${n}`,
    title: `الخبر رقم ${n}`,
    body: `<p>${BODY}</p><p>رقم ${n} ${site.host}</p>`,
  });

  function adapters(allowPrivateHosts = site.host) {
    const fetcher = createFetcher({ userAgent: "IsnadBot/0.1", allowPrivateHosts });
    const client = createPoliteClient({ fetcher, leases: createMemoryLeaseStore(), product: "IsnadBot" });
    const unhurried = (address: string, options = {}) => client(address, { ...options, minDelayMs: 0, retries: 0 });
    return { rss: rssAdapter({ client: unhurried, feeds, taxonomy: loadTaxonomy() }) };
  }

  const source = (over = {}) => bench.source({ provider: "rss", feedUrl: site.url, ...over });
  const pull = async (of: Awaited<ReturnType<typeof source>>, known = adapters()) =>
    await runPull(of, bench.deps(known), { signal });

  test("the entries of a feed become articles, with plain text, language, time, category and picture", async () => {
    const extra = `<category>رياضة</category><author>منى حداد</author>
    <enclosure url="http://${site.host}/a.jpg" type="image/jpeg" length="9"/>
    <enclosure url="http://${site.host}/a.mp3" type="audio/mpeg" length="9"/>`;
    site.entries = [{ ...entry(1), extra }];
    const of = await source();
    expect(await pull(of)).toMatchObject({ status: "succeeded", counts: { accepted: 1 } });
    const [row] = await bench.query("select * from articles where source_id = $1", of.key);
    expect(row).toMatchObject({
      external_id: "n-1",
      url: `http://${site.host}/news/n-1`,
      title: "الخبر رقم 1",
      lang: "ar",
      category_label: "رياضة",
      provider: "rss",
      images: [`http://${site.host}/a.jpg`],
      raw: { provider: "rss", feed_url: site.url, guid: "n-1", categories: ["رياضة"] },
    });
    expect(row?.content).toStartWith("أعلنت بلدية الميناء");
    expect(row?.content).not.toContain("<");
    expect(new Date(String(row?.published_at)).toISOString()).toBe("2024-05-06T04:00:00.000Z");
  });

  test("a feed that says it has not changed is not read again; what is new in one that has is taken", async () => {
    site.entries = [entry(1), entry(2)];
    const of = await source();
    await pull(of);
    expect(await pull(of)).toMatchObject({ status: "succeeded", counts: { discovered: 0 } });
    site.entries = [entry(3), ...site.entries];
    expect((await pull(of)).counts).toMatchObject({ discovered: 3, accepted: 1, duplicate: 2 });
    expect(site.answers).toEqual([200, 304, 200]);
  });

  test("a feed without validators whose bytes are the same is not read again either", async () => {
    site.unconditional = true;
    site.entries = [entry(1)];
    const of = await source();
    expect((await pull(of)).counts.discovered).toBe(1);
    expect((await pull(of)).counts.discovered).toBe(0);
    expect(site.answers).toEqual([200, 200]);
  });

  test("the validators of another address are not sent", async () => {
    site.entries = [entry(1)];
    const of = await source();
    await pull(of);
    const [moved = of] = await bench.store.sources.upsert([{ key: of.key, feedUrl: `${site.url}?edition=2` }]);
    expect((await pull(moved)).counts).toMatchObject({ discovered: 1, duplicate: 1 });
    expect(site.answers).toEqual([200, 200]);
  });

  test("entries too short to be articles fail as such, and the others are taken", async () => {
    site.entries = [entry(1), { ...entry(2), body: "سطر واحد." }];
    const outcome = await pull(await source());
    expect(outcome).toMatchObject({ status: "partial", counts: { accepted: 1, failed: 1 } });
    expect(outcome.error).toContain("content-too-short");
  });

  test("the language of the source stands in where the feed declares none that is known", async () => {
    site.language = "";
    site.entries = [entry(1)];
    const of = await source({ language: "ar" });
    await pull(of);
    expect(await bench.query("select lang from articles where source_id = $1", of.key)).toEqual([{ lang: "ar" }]);
  });

  test.each([
    ["no feed address", {}, { feedUrl: null }, "has no feed address"],
    ["an error status", { failWith: 410 }, {}, "the feed answers 410"],
    [
      "a page in place of the feed",
      { instead: { body: "<html><body>Hi</body></html>", type: "text/html" } },
      {},
      "no feed",
    ],
  ])("%s is the error of the pull", async (_, change, over, words) => {
    Object.assign(site, change);
    const { key, feedUrl } = { ...(await source()), ...over };
    await bench.query("update sources set feed_url = $2 where key = $1", key, feedUrl);
    const of = await bench.store.sources.get(key);
    const outcome = of && (await pull(of));
    expect(outcome).toMatchObject({ status: "failed" });
    expect(outcome?.error).toContain(words);
  });

  test("a feed on a private address is refused unless that host is allowed", async () => {
    site.entries = [entry(1)];
    const outcome = await pull(await source(), adapters(""));
    expect(outcome).toMatchObject({ status: "failed" });
    expect(outcome.error).toContain("private-address");
    expect(site.answers).toEqual([]);
  });

  test("a feed that takes too long to read is given up, and the thread reads the next one", async () => {
    const hasty = createFeedThread({ timeoutMs: 1 });
    const text = `<rss><channel>${"<item><title>x</title></item>".repeat(200_000)}</channel></rss>`;
    const reason = await hasty.read(text, site.url).catch((error: unknown) => String(error));
    expect(reason).toContain("could not be read within 1 ms");
    await hasty.close();
    const feed = await feeds.read("<rss><channel><title>t</title></channel></rss>", site.url);
    expect(feed.title).toBe("t");
  });

  test("what waits behind a slow feed is read all the same", async () => {
    // It takes several times as long as it may.
    const item = `<item><description>${"&lt;head&gt;x".repeat(100_000)}</description></item>`;
    const slow = `<rss><channel>${item.repeat(12)}</channel></rss>`;
    const quick = "<rss><channel><title>t</title></channel></rss>";
    const single = createFeedThread({ timeoutMs: 600 });
    await single.read(quick, site.url);
    const [late, ...after] = await Promise.all([
      single.read(slow, site.url).catch((error: unknown) => String(error)),
      ...[1, 2, 3].map(() => single.read(quick, site.url)),
    ]);
    expect(late).toContain("could not be read within 600 ms");
    expect(after.map(({ title }) => title)).toEqual(["t", "t", "t"]);
    expect(single.threads()).toMatchObject({ restarts: 1, lastError: undefined });
    await single.close();
  });
});

describe("item", () => {
  const taxonomy = loadTaxonomy();
  const source: Source = {
    key: "paper",
    provider: "rss",
    name: "Paper",
    feedUrl: "https://paper.example/feed",
    homepage: null,
    language: "en",
    tier: 3,
    active: true,
    offSince: null,
    createdAt: "2025-01-01T00:00:00.000Z",
    updatedAt: "2025-01-01T00:00:00.000Z",
  };
  const LONG = "The council met again to speak about the new bridge over the river. ".repeat(4);

  const item = (over: Partial<FeedEntry> = {}, language: string | null = "en-GB") =>
    feedItem(
      {
        id: "tag:paper.example,2025:1",
        title: "A bridge",
        link: "https://paper.example/1",
        publishedAt: null,
        updatedAt: null,
        author: "",
        contentText: LONG,
        summaryText: "A summary.",
        categories: [],
        enclosures: [],
        image: null,
        ...over,
      },
      { source, feed: { language }, taxonomy },
    );

  test("the text is the content, else a summary that is long enough, else the longer of both", () => {
    expect(item().content).toBe(LONG);
    expect(item({ contentText: "Short.", summaryText: LONG }).content).toBe(LONG);
    expect(item({ contentText: "", summaryText: "A summary." }).content).toBe("A summary.");
    expect(item({ contentText: "Longer than that.", summaryText: "Short." }).content).toBe("Longer than that.");
  });

  test("an entry without a link is at its id, when that is an address; without either it has none", () => {
    expect(item({ link: null, id: "https://paper.example/by-id" }).url).toBe("https://paper.example/by-id");
    expect(item({ link: null, id: "urn:uuid:1" })).not.toHaveProperty("url");
  });

  test("an id that the contract would refuse is replaced, always by the same", () => {
    const long = `https://paper.example/${"x".repeat(300)}`;
    expect(item({ id: long }).external_id).toMatch(/^[0-9a-f]{64}$/);
    expect(item({ id: long }).external_id).toBe(item({ id: long }).external_id ?? "");
    expect(item({ id: "a\nb" }).external_id).toMatch(/^[0-9a-f]{64}$/);
    expect(item({ id: "plain" }).external_id).toBe("plain");
  });

  test.each([
    ["ar-EG", "ar"],
    ["EN_us", "en"],
    ["fr", "en"],
    [null, "en"],
  ])("a feed in %p of an English source has language %p", (language, expected) => {
    expect(item({}, language).lang).toBe(expected);
  });

  test("of several categories the one that maps best is sent; the time of the change stands in for that of publishing", () => {
    expect(item({ categories: ["Featured today", "Sport", "Zebra"] }).category_label).toBe("Sport");
    expect(item({ categories: ["Zebra", "Giraffe"] }).category_label).toBe("Zebra");
    expect(item()).not.toHaveProperty("category_label");
    expect(item({ updatedAt: "2025-02-03T04:05:06Z" }).published_at).toBe("2025-02-03T04:05:06Z");
  });
});
