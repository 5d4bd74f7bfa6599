import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createMetrics, Histogram } from "@isnad/lib/service/process";
import { ROUTES } from "../routes.ts";
import { bodyOf, item, type TestApi, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

const metrics = async (): Promise<string> => (await api.app.request("/metrics")).text();

describe("the API's metrics", () => {
  test("count ingest requests by outcome", async () => {
    await api.post(item({ external_id: "m-1" }));
    await api.post(item({ external_id: "m-1", title: "غيره" }));
    await api.post("{");
    await api.post({ articles: [] });
    await api.post(item(), { authorization: "Bearer x" });
    await api.post(" ".repeat(1_500_001));
    await api.post(item({ external_id: "m-2" }), { "idempotency-key": "m" });
    await api.post(item({ external_id: "m-2" }), { "idempotency-key": "m" });
    const text = await metrics();
    for (const [outcome, count] of Object.entries({
      accepted: 2,
      conflict: 1,
      malformed: 1,
      invalid: 1,
      unauthorized: 1,
      too_large: 1,
      replayed: 1,
    })) {
      expect(text).toContain(`ingest_requests_total{outcome="${outcome}"} ${count}\n`);
    }
  });

  test("are all there from the start", async () => {
    const fresh = await testApi();
    const text = await (await fresh.app.request("/metrics")).text();
    for (const [name, type] of Object.entries({
      ingest_requests_total: "counter",
      ingest_body_bytes_total: "counter",
      search_requests_total: "counter",
      queue_latency_seconds: "histogram",
      inference_rrf_mode: "gauge",
      articles_pending: "gauge",
    })) {
      expect(text).toContain(`# TYPE ${name} ${type}\n`);
    }
    expect(text).toContain('ingest_requests_total{outcome="conflict"} 0');
    expect(text).toContain('search_requests_total{mode="vector",outcome="ok"} 0');
    expect(text).toContain("queue_latency_seconds_count 0");
    await fresh.close();
  });

  test("include what the workers measured", async () => {
    const registry = createMetrics();
    new Histogram({ name: "worker_stage_seconds", help: "Time.", registers: [registry] }).observe(2);
    await api.store.workerMetrics.put("w:1", JSON.parse(JSON.stringify(await registry.getMetricsAsJSON())));
    const text = await metrics();
    expect(text).toContain("worker_stage_seconds_sum 2");
    expect(text.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
  });

  test("tell how many articles are not indexed yet", async () => {
    const { accepted, normalized } = await api.store.articles.countByState();
    expect(await metrics()).toContain(`articles_pending ${accepted + normalized}\n`);
  });
});

describe("the API's health", () => {
  test("is at /api/v1/health and at /health", async () => {
    for (const path of ["/api/v1/health", "/health"]) {
      const res = await api.app.request(path);
      expect(res.status).toBe(200);
      expect(await bodyOf(res)).toMatchObject({
        service: "api",
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        uptime_s: expect.any(Number),
        deps: { database: "ok", queue: "ok", threads: "ok", retrieval: "fail", edge: "fail" },
      });
    }
  });
});

describe("while the database is away", () => {
  test("ingest is 503 with its log message, health 503, livez and metrics still answer", async () => {
    const lost = await testApi();
    await lost.store.close();
    const res = await lost.post(item());
    expect(res.status).toBe(503);
    expect(res.headers.get("retry-after")).toBe("5");
    expect(await bodyOf(res)).toMatchObject({
      type: "/errors/service-unavailable",
      detail: "The database cannot be reached.",
    });
    expect(lost.lines.at(-1)).toMatchObject({ level: "error", msg: "database query exception" });
    expect((await lost.app.request("/v1/articles/1")).status).toBe(503);
    expect((await lost.app.request("/api/v1/health")).status).toBe(503);
    expect((await lost.app.request("/livez")).status).toBe(200);
    const text = await (await lost.app.request("/metrics")).text();
    expect(text).toContain('ingest_requests_total{outcome="error"} 1');
    await lost.close();
  });
});

describe("the API's documentation", () => {
  test("covers every route, and every reference in it resolves", async () => {
    const doc = await bodyOf(await api.app.request("/openapi.json"));
    expect(doc.openapi).toBe("3.1.0");
    const operations = Object.entries(Object(doc.paths)).flatMap(([path, item]) =>
      Object.keys(Object(item)).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const framed = ["/api/v1/health", "/docs", "/health", "/livez", "/metrics", "/openapi.json", "/readyz"];
    const served = [...ROUTES.flatMap(([, ...serves]) => serves), ...framed.map((path) => `GET ${path}`)];
    expect(operations.sort()).toEqual(served.sort());
    const text = JSON.stringify(doc);
    for (const [, ref] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      expect(Object(doc.components).schemas).toHaveProperty(ref ?? "");
    }
    for (const [, name] of text.matchAll(/"security":\[(?:\{\},)?\{"(\w+)":\[\]\}/g)) {
      expect(Object(doc.components).securitySchemes).toHaveProperty(name ?? "");
    }
  });

  test("says of an item what is checked", async () => {
    const doc = await bodyOf(await api.app.request("/openapi.json"));
    const { properties, required } = Object(doc.components).schemas.IngestItem;
    expect(required).toEqual(["source_id", "external_id", "url", "title", "content"]);
    expect(properties.title).toMatchObject({ type: "string", minLength: 1, maxLength: 512 });
    expect(properties.content).toMatchObject({ type: "string", minLength: 200 });
    expect(properties.external_id).toMatchObject({ minLength: 1, maxLength: 255 });
    expect(properties.authors).toMatchObject({ type: "array", maxItems: 25 });
    expect(properties.images).toMatchObject({ maxItems: 25 });
  });

  test("is a page that works offline", async () => {
    const page = await (await api.app.request("/docs")).text();
    expect(page).toContain("/v1/ingest/articles");
    expect(page).toContain("افتتاح خط قطار");
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
