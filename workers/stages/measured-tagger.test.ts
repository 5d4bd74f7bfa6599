import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createTagger, openRegistry, type Tagger } from "@isnad/lib/models";
import { classifyMetrics, createMetrics } from "@isnad/lib/service/process";
import { measuredTagger } from "./entities.ts";

setDefaultTimeout(300_000);

let tagger: Tagger;
beforeAll(async () => {
  tagger = await createTagger({ registry: openRegistry(), timeoutMs: 240_000 });
});
afterAll(() => tagger.close());

test("each call of the tagger is counted and timed as a classification, by the model's name", async () => {
  const registry = createMetrics();
  const counting = measuredTagger(tagger, classifyMetrics(registry));
  const [entities] = await counting.tag(["Angela Merkel met Emmanuel Macron in Paris on Monday."]);
  expect(entities?.length).toBeGreaterThan(0);
  await expect(counting.tag(["Paris"], AbortSignal.abort())).rejects.toThrow();
  expect(counting.modelId).toBe(tagger.modelId);
  const text = await registry.metrics();
  const upstream = tagger.modelId.split("@")[0];
  expect(text).toContain(`ai_classify_requests_total{task="entities",upstream="${upstream}",status="ok"} 1`);
  expect(text).toContain(`ai_classify_requests_total{task="entities",upstream="${upstream}",status="aborted"} 1`);
  expect(text).toContain(`ai_classify_latency_ms_count{task="entities",upstream="${upstream}"} 1`);
});
