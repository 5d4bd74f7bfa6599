import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  createEmbedder,
  createReranker,
  type Embedder,
  openRegistry,
  type Passage,
  type Reranker,
} from "@isnad/lib/models";
import { indexCollection, type Indexed } from "../indexed.ts";
import type { Collection } from "../retrieval-sets.ts";
import { evalHybrid } from "./retrieval.ts";
import { candidates, evalRerank } from "./rerank.ts";

const collection: Collection = {
  documents: [
    { id: "rates", title: "Central bank", text: "The bank raised interest rates to slow inflation." },
    { id: "cup", title: "Cup final", text: "The striker scored twice and the team won." },
    { id: "rain", title: "أمطار", text: "هطلت أمطار غزيرة على شمال البلاد." },
  ],
  queries: [
    { id: "q1", text: "interest rates" },
    { id: "q2", text: "الأمطار في الشمال" },
  ],
  grades: new Map([
    ["q1", new Map([["rates", 1]])],
    ["q2", new Map([["rain", 1]])],
  ]),
};

let embedder: Embedder;
let reranker: Reranker;
let indexed: Indexed;
beforeAll(async () => {
  const registry = openRegistry();
  [embedder, reranker] = await Promise.all([createEmbedder({ registry }), createReranker({ registry })]);
  indexed = await indexCollection(collection, embedder);
}, 300_000);
afterAll(async () => {
  await indexed[Symbol.asyncDispose]();
  await Promise.all([embedder.close(), reranker.close()]);
});

test("evalHybrid() scores both branches and the fused list, with a ranking a query", async () => {
  const { keyword, vector, hybrid, rankings } = await evalHybrid(indexed, collection);
  expect([keyword, vector, hybrid]).toEqual([1, 1, 1]);
  expect(rankings.map(({ query, ids }) => [query, ids[0]])).toEqual([
    ["q1", "rates"],
    ["q2", "rain"],
  ]);
});

test("evalRerank() scores the order before and after", async () => {
  const worst = {
    rerank: async (_query: string, passages: readonly object[]) => Float32Array.from(passages, (_, i) => i),
  };
  const right = await evalRerank(indexed, { reranker }, collection);
  expect([right.before, right.after]).toEqual([1, 1]);
  const wrong = await evalRerank(indexed, { reranker: worst }, collection);
  expect(wrong.before).toBe(1);
  expect(wrong.rankings[0]?.ids.at(-1)).toBe("rates");
});

test("evalRerank() has each document read once where there is a reader", async () => {
  const read: string[] = [];
  const reader = {
    read: async (passages: readonly string[]) => {
      read.push(...passages);
      return passages.map((text) => Int8Array.of(text.includes("rates") ? 9 : 1));
    },
  };
  const judge = {
    rerank: async (_query: string, passages: readonly Passage[]) =>
      Float32Array.from(passages, ({ vectors }) => vectors?.[0] ?? Number.NaN),
  };
  const twice = { ...collection, queries: [...collection.queries, ...collection.queries] };
  const { rankings } = await evalRerank(indexed, { reranker: judge, reader }, twice);
  expect(rankings.map(({ scores }) => scores[0])).toEqual([9, expect.any(Number), 9, expect.any(Number)]);
  expect(read).toHaveLength(new Set(read).size);
  expect(read).toContain("Central bank\nThe bank raised interest rates to slow inflation.");
});

test("candidates are found by keywords alone where that is the stage", async () => {
  const found = await candidates(indexed.branches, collection, "interest rates", { stage: "keyword", count: 5 });
  expect(found.map(({ document }) => document)).toEqual([0]);
  expect(found[0]?.passage).toMatchObject({ title: "Central bank", keywordScore: expect.any(Number) });
});
