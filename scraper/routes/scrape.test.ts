import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { NormalizedItem } from "@isnad/lib/contract";
import { testProfile } from "../testing/profiles.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await testScraper();
  scraper.profiles.put(
    testProfile({ name: "alpha" }),
    testProfile({ name: "beta", enabled: false }),
    testProfile({ name: "gamma" }),
  );
}, 60_000);
beforeEach(() => {
  scraper.asked.scrape.length = 0;
});
afterAll(() => scraper.close());

const item: NormalizedItem = {
  id: "alpha-1",
  title: "Title",
  content: "Text",
  url: "https://alpha.test/1",
  published_at: "2026-01-01T00:00:00.000Z",
  source: "alpha",
  category: "sport",
  language: "en",
  canonical_url: "https://alpha.test/1",
  authors: ["A. Writer"],
  images: [],
  provider: "alpha",
};

describe("POST /scrape", () => {
  test("without a body goes through all enabled profiles and sends what it finds to the API", async () => {
    scraper.answers.scrape = {
      errors: [],
      results: [item],
      metadata: { total_articles: 1, sources_processed: ["alpha", "gamma"], processing_time_ms: 12 },
    };
    const { status, body } = await scraper.post("/scrape", undefined, { "x-request-id": "req-7" });
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [],
      results: [item],
      metadata: { total_articles: 1, sources_processed: ["alpha", "gamma"], processing_time_ms: 12 },
    });
    expect(scraper.asked.scrape).toEqual([
      {
        profiles: ["alpha", "gamma"],
        request: { query: undefined, categories: undefined, limit: undefined, sendToApi: true, writeToDisk: false },
        requestId: "req-7",
      },
    ]);
  });

  test("leaves a source out that is off, and refuses it by name unless it is forced", async () => {
    const { sources, sourceStates } = scraper.store;
    const { id: key } = testProfile({ name: "gamma" }).source;
    await sources.upsert([{ key }]);
    await sourceStates.switch(key, false);
    await scraper.post("/scrape");
    const { status, body } = await scraper.post("/scrape", { sources: ["alpha", "gamma"] });
    expect([status, body.detail]).toEqual([409, `The source ${key} is switched off; \`force\` runs it all the same.`]);
    await scraper.post("/scrape", { sources: ["alpha", "gamma"], force: true });
    expect(scraper.asked.scrape.map(({ profiles }) => profiles)).toEqual([["alpha"], ["alpha", "gamma"]]);
    await sourceStates.switch(key, true);
  });

  test("passes every option on; named sources need not be enabled and count once", async () => {
    const { status } = await scraper.post("/scrape", {
      sources: ["beta", "alpha", "beta"],
      query: "كأس",
      categories: ["sport"],
      limit: 3,
      send_to_api: false,
      write_to_disk: false,
    });
    expect(status).toBe(200);
    expect(scraper.asked.scrape).toEqual([
      expect.objectContaining({
        profiles: ["beta", "alpha"],
        request: { query: "كأس", categories: ["sport"], limit: 3, sendToApi: false, writeToDisk: false },
      }),
    ]);
  });

  test("with write_to_disk answers with the file in place of the items", async () => {
    const reason = { url: "https://alpha.test/9", reason: "http-404", at: "2026-01-01T00:00:00.000Z" };
    scraper.answers.scrape = {
      errors: [{ ...reason, profile: "alpha" }],
      file: "scrape-1.jsonl",
      lines: 2,
      metadata: { total_articles: 2, sources_processed: ["alpha"], processing_time_ms: 5 },
    };
    const { status, body } = await scraper.post("/scrape", { sources: ["alpha"], write_to_disk: true });
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [{ ...reason, profile: "alpha" }],
      file: "scrape-1.jsonl",
      lines: 2,
      metadata: { total_articles: 2, sources_processed: ["alpha"], processing_time_ms: 5 },
    });
    expect(scraper.asked.scrape[0]?.request).toMatchObject({ writeToDisk: true, sendToApi: true });
  });

  test("a source that fails is told of, logged and counted, and the rest is answered", async () => {
    scraper.answers.scrape = {
      errors: [],
      results: [],
      metadata: {
        total_articles: 0,
        sources_processed: ["alpha", "gamma"],
        processing_time_ms: 5,
        errors: { gamma: "the feed answered 500" },
      },
    };
    const { status, body } = await scraper.post("/scrape", {});
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ errors: { gamma: "the feed answered 500" } });
    expect(scraper.lines).toContainEqual(expect.objectContaining({ route: "/scrape", failed: ["gamma"] }));
    const metrics = await (await scraper.app.request("/metrics")).text();
    expect(metrics).toContain('scraper_provider_requests_total{provider="gamma",outcome="failure"} 1');
  });

  test("tells what the API said to what was sent", async () => {
    const delivery = { accepted: 1, duplicate: 2, conflict: 0, failed: 0, pending: 3 };
    const metadata = { total_articles: 1, sources_processed: ["alpha"], processing_time_ms: 5, delivery };
    scraper.answers.scrape = { errors: [], results: [item], metadata };
    expect((await scraper.post("/scrape", { sources: ["alpha"] })).body).toEqual({
      results: [item],
      metadata,
      errors: [],
    });
  });

  test("an unknown source is 404 and nothing is scraped", async () => {
    const { status, body } = await scraper.post("/scrape", { sources: ["alpha", "nobody"] });
    expect(status).toBe(404);
    expect(body.detail).toBe('There is no profile "nobody".');
    expect(scraper.asked.scrape).toEqual([]);
  });

  test.each([
    [{ sources: "alpha" }, "sources"],
    [{ sources: [] }, "sources"],
    [{ sources: [1] }, "sources.0"],
    [{ query: "" }, "query"],
    [{ query: "x".repeat(513) }, "query"],
    [{ categories: "sport" }, "categories"],
    [{ limit: 0 }, "limit"],
    [{ limit: "3" }, "limit"],
    [{ write_to_disk: "yes" }, "write_to_disk"],
    [{ send_to_api: 1 }, "send_to_api"],
  ])("%j is 422 and names %s", async (sent, field) => {
    const { status, body } = await scraper.post("/scrape", sent);
    expect(status).toBe(422);
    expect(Object.keys(Object(body.errors))).toEqual([field]);
    expect(scraper.asked.scrape).toEqual([]);
  });
});
