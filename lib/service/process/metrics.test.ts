import { describe, expect, test } from "bun:test";
import { InferenceError } from "../../models/mod.ts";
import { loadConfig } from "../config/mod.ts";
import { AppError } from "../http/mod.ts";
import { testService } from "../http/testing.ts";
import {
  type ClassifyMetrics,
  Counter,
  classifyMetrics,
  createMetrics,
  Histogram,
  metricsPublisher,
} from "./metrics.ts";

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

/** A registry with one counter, and what is put of it. */
function setUp() {
  const registry = createMetrics();
  const ours = new Counter({ name: "ours_total", help: "x", registers: [registry] });
  new Counter({ name: "http_requests_total", help: "x", registers: [registry] });
  const puts: { instance: string; names: unknown[] }[] = [];
  const published = {
    put: async (instance: string, metrics: unknown[]) => {
      puts.push({ instance, names: metrics.map((metric) => Object(metric).name) });
    },
  };
  return { registry, ours, puts, published };
}

test("metrics are put under the name of the process, without those that speak of it alone", async () => {
  const { registry, puts, published } = setUp();
  await metricsPublisher(published, "host:1", registry)();
  expect(puts).toEqual([{ instance: "host:1", names: ["ours_total"] }]);
});

test("only those asked for are put", async () => {
  const { registry, puts, published } = setUp();
  await metricsPublisher(published, "host:1", registry, { only: (name) => name === "theirs_total" })();
  expect(puts[0]?.names).toEqual([]);
});

test("they are put again when one has changed, or after a while", async () => {
  const { registry, ours, puts, published } = setUp();
  const publish = metricsPublisher(published, "host:1", registry, { refreshMs: 60_000 });
  await publish();
  await publish();
  expect(puts).toHaveLength(1);
  ours.inc();
  await publish();
  expect(puts).toHaveLength(2);
  const often = metricsPublisher(published, "host:1", registry, { refreshMs: 0 });
  await often();
  await often();
  expect(puts).toHaveLength(4);
});

test("what could not be put is put the next time", async () => {
  const { registry, puts, published } = setUp();
  let away = true;
  const flaky = {
    put: async (instance: string, metrics: unknown[]) => {
      if (away) throw new Error("away");
      await published.put(instance, metrics);
    },
  };
  const publish = metricsPublisher(flaky, "host:1", registry);
  await expect(publish()).rejects.toThrow("away");
  away = false;
  await publish();
  expect(puts).toHaveLength(1);
});

/** The lines that the metrics show after `work`, without those of the buckets. */
async function shown(work: (metrics: ClassifyMetrics) => Promise<unknown>): Promise<string[]> {
  const registry = createMetrics();
  await work(classifyMetrics(registry));
  const lines = (await registry.metrics()).split("\n");
  return lines.filter((line) => line.startsWith("ai_") && !line.includes("_bucket") && !line.includes("_sum"));
}

const failing = (error: unknown) => (metrics: ClassifyMetrics) =>
  metrics.measure("check-worthiness", "m", () => Promise.reject(error)).catch(() => {});

test("an answer is counted with its task, who gave it, and its time in milliseconds", async () => {
  const lines = await shown(async (metrics) => {
    expect(await metrics.measure("check-worthiness", "m", async () => [0.5])).toEqual([0.5]);
    await metrics.measure("entities", "n", async () => []);
    await metrics.measure("entities", "n", async () => []);
  });
  expect(lines).toEqual([
    'ai_classify_requests_total{task="check-worthiness",upstream="m",status="ok"} 1',
    'ai_classify_requests_total{task="entities",upstream="n",status="ok"} 2',
    'ai_classify_latency_ms_count{task="check-worthiness",upstream="m"} 1',
    'ai_classify_latency_ms_count{task="entities",upstream="n"} 2',
  ]);
});

test.each([
  ["timed-out", new InferenceError("timed-out", "late", { model: "m" })],
  ["overloaded", new AppError("overloaded", "later")],
  ["model-not-installed", new AppError("model-not-installed", "none")],
  ["error", new TypeError("a bug")],
])("a failure is counted with its reason: %s", async (reason, error) => {
  expect(await shown(failing(error))).toEqual([
    'ai_classify_requests_total{task="check-worthiness",upstream="m",status="error"} 1',
    `ai_classify_failures_total{task="check-worthiness",reason="${reason}"} 1`,
  ]);
});

test("what failed is passed on; a caller that went away is no failure", async () => {
  const metrics = classifyMetrics(createMetrics());
  await expect(metrics.measure("entities", "m", () => Promise.reject(new RangeError("x")))).rejects.toThrow(RangeError);
  expect(await shown(failing(AbortSignal.abort().reason))).toEqual([
    'ai_classify_requests_total{task="check-worthiness",upstream="m",status="aborted"} 1',
  ]);
});
