import { expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { addIndexGauges } from "./app.ts";

const status = { articles: 3, chunks: 7, linked: 0, depth: null, recall: null, bytes: 0 };

test("both indexes say how much they hold", async () => {
  const metrics = createMetrics();
  addIndexGauges(metrics, { keyword: { count: async () => 4 }, vectors: { status: async () => status } });
  const text = await metrics.metrics();
  expect(text).toContain('retrieval_index_articles{index="keyword"} 4');
  expect(text).toContain('retrieval_index_articles{index="vector"} 3');
  expect(text).toContain("retrieval_index_passages 7");
});

test("an index that cannot answer does not take the other metrics with it", async () => {
  const metrics = createMetrics();
  const fails = async () => {
    throw new Error("loading");
  };
  addIndexGauges(metrics, { keyword: { count: async () => 4 }, vectors: { status: fails } });
  const text = await metrics.metrics();
  expect(text).toContain('retrieval_index_articles{index="keyword"} 4');
  expect(text).toContain('retrieval_index_articles{index="vector"} -1');
});
