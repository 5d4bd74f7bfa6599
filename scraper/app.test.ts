import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { NO_COUNTS } from "@isnad/lib/store";
import { testProfile } from "./testing/profiles.ts";
import { type TestScraper, TOKEN, testScraper } from "./testing/scraper.ts";

let scraper: TestScraper;
beforeAll(async () => {
  scraper = await testScraper();
  scraper.profiles.put(testProfile());
}, 300_000);
afterAll(() => scraper.close());

const WRITES = ["/profiles/reload", "/runs", "/scrape", "/replay"];

describe("errors", () => {
  test.each([
    ["POST", "/profiles", "GET, HEAD"],
    ["GET", "/profiles/reload", "POST"],
    ["PUT", "/runs", "GET, HEAD, POST"],
    ["DELETE", `/runs/${randomUUID()}`, "GET, HEAD"],
    ["GET", "/scrape", "POST"],
    ["PATCH", "/replay", "POST"],
    ["POST", "/profiles/alpha/categories", "GET, HEAD"],
    ["POST", "/health", "GET, HEAD"],
  ])("%s %s is 405 with Allow: %s", async (method, path, allow) => {
    const response = await scraper.app.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  });

  test("an unknown path is 404", async () => {
    const { status, body } = await scraper.get("/nothing");
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: "/errors/not-found", status: 404, instance: "/nothing" });
  });

  test.each(["/runs", "/scrape", "/replay"])(
    "%s refuses what is no JSON, another media type and too much",
    async (path) => {
      expect((await scraper.post(path, '{"a":')).body).toMatchObject({ type: "/errors/malformed-json", status: 400 });
      const text = await scraper.post(path, "profile_id=a", { "content-type": "application/x-www-form-urlencoded" });
      expect(text.body).toMatchObject({ type: "/errors/unsupported-media-type", status: 415 });
      const large = await scraper.post(path, JSON.stringify({ query: "x".repeat(1_600_000) }));
      expect(large.body).toMatchObject({ type: "/errors/payload-too-large", status: 413 });
    },
  );

  test("POST /runs needs a body", async () => {
    expect((await scraper.post("/runs")).body).toMatchObject({ type: "/errors/unsupported-media-type", status: 415 });
  });

  test("while the database is away reading and writing are 503 with Retry-After", async () => {
    const lost = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const away = async () => Promise.reject(lost);
    const { store, profiles } = scraper;
    const runs = { ...store.scraper.runs, create: away, list: away, latest: away };
    const cut = await testScraper(
      {},
      { profiles, store: { ...store, ping: away, checkWrites: away, scraper: { runs } } },
    );
    for (const answer of [
      await cut.post("/runs", { profile_id: "alpha" }),
      await cut.get("/runs"),
      await cut.get("/profiles"),
    ]) {
      expect(answer.body).toMatchObject({ type: "/errors/service-unavailable", status: 503 });
      expect(answer.headers.get("retry-after")).toBe("5");
    }
    const health = await cut.get("/health");
    expect(health.status).toBe(503);
    expect(health.body).toMatchObject({ status: "degraded", deps: { database: "fail" } });
    expect((await cut.get("/livez")).status).toBe(200);
    await cut.close();
  });
});

describe("the request id", () => {
  test("is the client's where it can be, and on every answer and log line", async () => {
    const response = await scraper.app.request("/runs?limit=x", { headers: { "x-request-id": "trace-1" } });
    expect(response.headers.get("x-request-id")).toBe("trace-1");
    expect(scraper.lines).toContainEqual(
      expect.objectContaining({ request_id: "trace-1", route: "/runs", status: 422 }),
    );
    const other = await scraper.app.request("/livez", { headers: { "x-request-id": "a b" } });
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("service authentication", () => {
  const from = (address: string) => ({ server: { requestIP: () => ({ address }), timeout: () => undefined } });
  const body = { body: "{}", headers: { "content-type": "application/json" } };

  test.each(WRITES)(
    "POST %s without a credential is 401 with WWW-Authenticate, before the body is looked at",
    async (path) => {
      const none = await scraper.app.request(path, {
        method: "POST",
        body: "{",
        headers: { "content-type": "text/plain" },
      });
      expect(none.status).toBe(401);
      expect(none.headers.get("www-authenticate")).toBe("Bearer");
      const wrong = await scraper.post(path, {}, { authorization: `Bearer ${TOKEN}x` });
      expect(wrong.status).toBe(401);
      expect(wrong.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
      expect((await scraper.post(path, {}, { authorization: `Basic ${btoa(TOKEN)}` })).status).toBe(401);
    },
  );

  test("each token of the list is taken", async () => {
    expect((await scraper.post("/profiles/reload", undefined, { authorization: "Bearer next-token" })).status).toBe(
      204,
    );
  });

  test.each(["/profiles", "/profiles/alpha/categories", "/runs", "/health", "/openapi.json", "/docs"])(
    "GET %s needs none",
    async (path) => expect((await scraper.app.request(path)).status).toBe(200),
  );

  test("an address within SCRAPER_ALLOWED_CIDRS needs no token; a claimed one counts only from a trusted proxy", async () => {
    const open = await testScraper({ SCRAPER_ALLOWED_CIDRS: "10.1.0.0/16,::1", TRUSTED_PROXIES: "192.0.2.1" });
    const reload = async (address: string, headers: Record<string, string> = {}) => {
      const request = { method: "POST", headers };
      return (await open.app.request("/profiles/reload", request, from(address))).status;
    };
    expect(await reload("10.1.2.3")).toBe(204);
    expect(await reload("::ffff:10.1.2.3")).toBe(204);
    expect(await reload("::1")).toBe(204);
    expect(await reload("10.2.2.3")).toBe(401);
    expect(await reload("10.2.2.3", { "x-forwarded-for": "10.1.2.3" })).toBe(401);
    expect(await reload("192.0.2.1", { "x-forwarded-for": "10.1.2.3" })).toBe(204);
    expect(await reload("192.0.2.1", { "x-forwarded-for": "10.1.2.3, 198.51.100.9" })).toBe(401);
    expect((await open.app.request("/scrape", { method: "POST", ...body }, from("10.1.0.1"))).status).toBe(200);
    expect((await open.app.request("/scrape", { method: "POST", ...body })).status).toBe(401);
    await open.close();
  });

  test("the browser of an allowed address does nothing for another site's page without the token", async () => {
    const open = await testScraper({ SCRAPER_ALLOWED_CIDRS: "10.1.0.0/16" });
    const reload = async (headers: Record<string, string>) =>
      (await open.app.request("/profiles/reload", { method: "POST", headers }, from("10.1.2.3"))).status;
    const page = { "sec-fetch-site": "cross-site" };
    expect(await reload(page)).toBe(403);
    expect(await reload({ ...page, authorization: "Bearer wrong" })).toBe(401);
    expect(await reload({ ...page, authorization: `Bearer ${TOKEN}` })).toBe(204);
    expect(await reload({ "sec-fetch-site": "same-origin" })).toBe(204);
    await open.close();
  });
});

describe("GET /health", () => {
  /** Ends a run of this profile. */
  async function run(service: TestScraper, profileId: string, status: "succeeded" | "partial" | "failed") {
    const { runs } = service.store.scraper;
    const owner = randomUUID();
    await runs.create({ profileId, provider: "x", trigger: "api" });
    const claimed = await runs.claim(owner, { leaseS: 3_600, profileIds: [profileId] });
    const error = status === "succeeded" ? null : "no answer";
    await runs.finish(claimed?.runId ?? "", owner, { status, counts: NO_COUNTS, error });
  }

  test("is the specification's body with the platform's keys; a provider that was never run is well", async () => {
    const { status, body } = await scraper.get("/health");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      service: "scraper",
      version: expect.any(String),
      uptime_s: expect.any(Number),
      deps: { database: "ok", writes: "ok", disk: "ok", api: "ok", threads: "ok", providers: { alpha: "ok" } },
    });
  });

  test("is degraded with 200 while the API does not answer", async () => {
    const { profiles, store } = scraper;
    const pingApi = async () => Promise.reject(new Error("connection refused"));
    const alone = await testScraper({}, { profiles, store, pingApi });
    const { status, body } = await alone.get("/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "degraded", deps: { api: "fail", database: "ok" } });
    await alone.close();
  });

  test("a provider fails by its latest run that has ended, of any of its profiles", async () => {
    const service = await testScraper();
    const health = async () => (await service.get("/health")).body;
    service.profiles.put(
      testProfile({ name: "one-ar", provider: "one" }),
      testProfile({ name: "one-en", provider: "one" }),
      testProfile({ name: "two" }),
    );
    await run(service, "one-ar", "failed");
    await run(service, "two", "partial");
    expect(await health()).toMatchObject({ status: "degraded", deps: { providers: { one: "fail", two: "ok" } } });
    expect(service.lines).toContainEqual(
      expect.objectContaining({ route: "/health", failures: { "providers.one": "no answer" } }),
    );
    await service.store.scraper.runs.create({ profileId: "one-ar", provider: "one", trigger: "api" });
    expect(await health()).toMatchObject({ deps: { providers: { one: "fail" } } });
    await run(service, "one-en", "succeeded");
    expect(await health()).toMatchObject({ status: "ok", deps: { providers: { one: "ok", two: "ok" } } });
    await service.close();
  });
});

describe("GET /metrics", () => {
  test("has the scraper's series, before anything has happened too", async () => {
    const text = await (await scraper.app.request("/metrics")).text();
    for (const series of [
      /^scraper_requests_total\{route="\/runs",method="GET",code="422"\} \d/m,
      /^scraper_request_duration_seconds_bucket\{le="0\.01",route="\/health"\}/m,
      /^scraper_items_total\{stage="deliver",outcome="conflict"\} 0$/m,
      /^scraper_items_stored\{state="pending"\} 0$/m,
      /^scraper_profiles\{enabled="true"\} 1$/m,
      /^scraper_runs_total\{profile="alpha",outcome="partial"\} 0$/m,
      /^scraper_provider_requests_total\{provider="alpha",outcome="success"\} 0$/m,
    ]) {
      expect(text).toMatch(series);
    }
  });

  test("needs X-Metrics-Token outside of a local environment", async () => {
    const { profiles, store } = scraper;
    const remote = await testScraper({ APP_ENV: "production", METRICS_TOKEN: "m" }, { profiles, store });
    expect((await remote.app.request("/metrics")).status).toBe(401);
    expect((await remote.app.request("/metrics", { headers: { "x-metrics-token": "m" } })).status).toBe(200);
    await remote.close();
  });
});

describe("GET /openapi.json", () => {
  test("describes every route with the schemas that validate, the guarded ones with their credential", async () => {
    const { body } = await scraper.get("/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    const paths = Object(body.paths);
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        "/profiles",
        "/profiles/{name}/categories",
        "/runs",
        "/runs/{run_id}",
        "/health",
        ...WRITES,
      ]),
    );
    for (const path of WRITES) expect(paths[path].post.security).toEqual([{ scraperToken: [] }, {}]);
    const { schema } = paths["/runs"].get.parameters.find(({ name }: { name: string }) => name === "cursor");
    expect(schema).toMatchObject({ type: "string", format: "uuid" });
    const schemas = Object(body.components).schemas;
    expect(Object.keys(schemas.ScrapeRequest.properties)).toEqual([
      "sources",
      "query",
      "categories",
      "limit",
      "write_to_disk",
      "send_to_api",
      "force",
    ]);
    expect(schemas.Profile.properties.schedule.description).toStartWith("Cron expression of five fields");
    expect(schemas.Profile.required).toContain("status");
  });
});
