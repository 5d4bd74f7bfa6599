import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { NormalizedItem } from "@isnad/lib/contract";
import { testProfile } from "../testing/profiles.ts";
import { type TestScraper, testScraper } from "../testing/scraper.ts";

describe("scrape", () => {
  let scraper: TestScraper;
  beforeAll(async () => {
    scraper = await testScraper();
    scraper.profiles.put(
      testProfile({ name: "alpha" }),
      testProfile({ name: "beta", enabled: false }),
      testProfile({ name: "gamma" }),
    );
  }, 300_000);
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
      expect([status, body.detail]).toEqual([
        409,
        `The source ${key} is switched off; \`force\` runs it all the same.`,
      ]);
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
});

describe("replay", () => {
  let scraper: TestScraper;
  beforeAll(async () => {
    scraper = await testScraper();
    scraper.profiles.put(testProfile({ name: "alpha" }));
  }, 300_000);
  beforeEach(() => {
    scraper.asked.replay.length = 0;
  });
  afterAll(() => scraper.close());

  describe("POST /replay", () => {
    test("answers 202 with what became of the kept articles", async () => {
      scraper.answers.matched = 3;
      const { status, body } = await scraper.post("/replay");
      expect(status).toBe(202);
      expect(body).toEqual({ matched: 3, sent: 3, accepted: 0, duplicate: 3, conflict: 0, failed: 0 });
      expect(scraper.asked.replay).toEqual([expect.objectContaining({ profileId: undefined, sendToApi: true })]);
    });

    test("passes every filter on, times as ISO 8601 in UTC", async () => {
      const made = await scraper.store.scraper.runs.create({ profileId: "alpha", provider: "a", trigger: "api" });
      const runId = "run" in made ? made.run.runId : made.running.runId;
      const { status } = await scraper.post("/replay", {
        profile_id: "alpha",
        run_id: runId,
        since: "2026-01-01T02:00:00+02:00",
        until: "2026-01-31",
        limit: 10,
        send_to_api: false,
      });
      expect(status).toBe(202);
      expect(scraper.asked.replay).toEqual([
        {
          profileId: "alpha",
          runId,
          since: "2026-01-01T00:00:00.000Z",
          until: "2026-01-31T23:59:59.999Z",
          limit: 10,
          sendToApi: false,
        },
      ]);
    });

    test("a profile that is gone is unknown only when no articles of it are kept either", async () => {
      scraper.answers.matched = 2;
      expect((await scraper.post("/replay", { profile_id: "removed" })).status).toBe(202);
      scraper.answers.matched = 0;
      expect((await scraper.post("/replay", { profile_id: "removed" })).status).toBe(404);
      expect((await scraper.post("/replay", { profile_id: "alpha" })).body).toMatchObject({ matched: 0 });
    });

    test("a name that no store can hold is 422, names its field, and nothing is sent", async () => {
      for (const field of ["profile_id", "run_id"]) {
        const { status, body } = await scraper.post("/replay", { [field]: "a\u0000b" });
        expect([status, body.errors]).toEqual([422, { [field]: ["must not have the character U+0000"] }]);
      }
      expect(scraper.asked.replay).toEqual([]);
    });

    test("an unknown run is 404 and nothing is sent", async () => {
      expect((await scraper.post("/replay", { run_id: randomUUID() })).status).toBe(404);
      expect(scraper.asked.replay).toEqual([]);
    });

    test.each([
      [{ profile_id: 1 }, "profile_id"],
      [{ since: "never" }, "since"],
      [{ limit: 0 }, "limit"],
      [{ send_to_api: "no" }, "send_to_api"],
      [{ since: "2026-02-01", until: "2026-01-01" }, "body"],
    ])("%j is 422 and names %s", async (sent, field) => {
      const { status, body } = await scraper.post("/replay", sent);
      expect(status).toBe(422);
      expect(Object.keys(Object(body.errors))).toEqual([field]);
    });
  });
});
