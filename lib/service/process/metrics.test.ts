import { describe, expect, test } from "bun:test";
import { loadConfig } from "../config/mod.ts";
import { Counter, createMetrics, Histogram } from "./metrics.ts";
import { testService } from "../http/testing.ts";

describe("GET /metrics", () => {
  const remote = loadConfig({ APP_ENV: "production", METRICS_TOKEN: "old,new" });

  test("is open in a local environment", async () => {
    const res = await testService().app.request("/metrics");
    expect(res.status).toBe(200);
    expect(res.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    expect(await res.text()).toContain("process_resident_memory_bytes");
  });

  test("needs the token elsewhere", async () => {
    const { app } = testService({ config: remote });
    expect((await app.request("/metrics")).status).toBe(401);
    expect((await app.request("/metrics", { headers: { "X-Metrics-Token": "wrong" } })).status).toBe(401);
    for (const token of ["old", "new"]) {
      expect((await app.request("/metrics", { headers: { "X-Metrics-Token": token } })).status).toBe(200);
    }
  });

  test("counts requests by route pattern, not by path, so that scanners make no series", async () => {
    const { app } = testService();
    app.get("/things/:id", (c) => c.text("x"));
    for (const path of ["/things/1", "/things/2", "/a", "/b", "/wp-login.php"]) await app.request(path);
    const text = await (await app.request("/metrics")).text();
    expect(text).toContain('http_requests_total{route="/things/:id",method="GET",code="200"} 2');
    expect(text).toContain('http_requests_total{route="unmatched",method="GET",code="404"} 3');
    expect(text).not.toContain("wp-login");
  });

  test("can name its request metrics otherwise", async () => {
    const requestMetrics = { total: "inference_requests_total", duration: "inference_request_duration_seconds" };
    const { app } = testService({ requestMetrics });
    await app.request("/livez");
    const text = await (await app.request("/metrics")).text();
    expect(text).toContain('inference_requests_total{route="/livez",method="GET",code="200"} 1');
    expect(text).toContain('inference_request_duration_seconds_count{route="/livez"} 1');
  });

  test("adds the metrics of other processes to its own", async () => {
    const metrics = createMetrics();
    const shared = { name: "jobs_total", help: "Jobs.", labelNames: ["queue"] };
    new Counter({ ...shared, registers: [metrics] }).inc({ queue: "a" }, 1);
    const worker = createMetrics();
    new Counter({ ...shared, registers: [worker] }).inc({ queue: "a" }, 2);
    new Histogram({ name: "queue_latency_seconds", help: "Wait.", buckets: [1, 10], registers: [worker] }).observe(3);
    const stored = JSON.parse(JSON.stringify(await worker.getMetricsAsJSON()));
    const { app } = testService({ metrics, metricsSource: async () => [stored, stored] });
    const text = await (await app.request("/metrics")).text();
    expect(text).toContain('jobs_total{queue="a"} 5');
    expect(text).toContain('queue_latency_seconds_bucket{le="10"} 2');
    expect(text).toContain("queue_latency_seconds_sum 6");
    expect(text.match(/^process_start_time_seconds \d/gm)).toHaveLength(1);
    const start = Number(/^process_start_time_seconds (\S+)/m.exec(text)?.[1]);
    expect(start).toBeLessThan(Date.now() / 1000 + 1);
  });

  test("still answers with its own when the other processes' cannot be read", async () => {
    const service = testService({
      metricsSource: async () => {
        throw new Error("database away");
      },
    });
    const res = await service.app.request("/metrics");
    expect(res.status).toBe(200);
    expect(await res.text()).toContain("process_resident_memory_bytes");
    expect(service.lines.some((line) => line.metrics_source === "database away")).toBe(true);
  });
});
