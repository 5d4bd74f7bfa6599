import { afterAll, expect, test } from "bun:test";
import { createEmbedder, createReranker, openRegistry, type Passage } from "../../models/mod.ts";
import { rankSentences } from "./sentences.ts";

const registry = openRegistry();
const embedder = await createEmbedder({ registry, timeoutMs: 240_000 });
const reranker = await createReranker({ registry, timeoutMs: 240_000 });
afterAll(async () => {
  await reranker.close();
  await embedder.close();
});
const { signal } = new AbortController();

const source = (n: number, text: string) => ({ n, articleId: n, title: "", url: "", passages: [{ text, start: 0 }] });
const ANSWER = "The bridge of Sahlan cost 38 million dinars.";

test("of many sentences the reranker judges the nearest ones, in the order of the sources and their texts", async () => {
  const asked: (readonly Passage[])[] = [];
  const watched = {
    rerank: (query: string, passages: readonly Passage[]) => {
      asked.push(passages);
      return reranker.rerank(query, passages, { signal });
    },
  };
  const filler = Array.from({ length: 80 }, (_, i) => `Visitor number ${i} liked the olives and went home.`);
  const texts = [...filler.slice(0, 70), ANSWER, ...filler.slice(70)];
  const sources = [source(1, texts.slice(0, 40).join(" ")), source(2, texts.slice(40).join(" "))];
  const ranked = await rankSentences("How much did the bridge cost?", sources, { embedder, reranker: watched }, signal);
  const places = asked[0]?.map(({ text }) => texts.indexOf(text)) ?? [];
  expect(places).toContain(70);
  expect(places.length).toBeLessThan(texts.length);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(ranked[0]).toMatchObject({ text: ANSWER, source: { n: 2 } });
});

test("without a sentence nothing is asked", async () => {
  expect(await rankSentences("Why?", [source(1, " … ")], { embedder, reranker }, signal)).toEqual([]);
});
