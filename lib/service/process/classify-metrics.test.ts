import { expect, test } from "bun:test";
import { AppError } from "../http/mod.ts";
import { InferenceError } from "../../models/mod.ts";
import { type ClassifyMetrics, classifyMetrics } from "./classify-metrics.ts";
import { createMetrics } from "./metrics.ts";

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
