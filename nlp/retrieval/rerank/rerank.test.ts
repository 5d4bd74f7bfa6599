import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SearchBody } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import {
  createPassageReader,
  createReranker,
  InferenceError,
  openRegistry,
  type PassageReader,
  type Passage,
  passagesOf,
  type Reranker,
} from "@isnad/lib/models";
import type { TestRetrieval } from "../testing.ts";
import { testRetrieval } from "../testing.ts";
import { READ_ALONG, RERANKED } from "./rerank.ts";

const QUESTION = "When did the bridge over the river open?";
const FILLER = "The council discussed the budget of the city and many other matters of the week. ".repeat(3);
const ARTICLES = [
  {
    title: "River report",
    content: `The river and the bridge, the bridge and the river: open debate, open questions. ${FILLER}`,
    axis: 1,
  },
  {
    title: "New bridge over the river",
    content: `The bridge over the river opened in 1932 after six years of work. ${FILLER}`,
    axis: 1,
  },
  { title: "Football", content: `The match ended in a draw. ${FILLER}`, axis: 1 },
];

let real: Reranker;
let reader: PassageReader | undefined;
let service: TestRetrieval;
/** What the service is given as its reranker; the real one unless a test puts another in its place. */
let judge: Pick<Reranker, "rerank">;

beforeAll(async () => {
  real = await createReranker({ registry: openRegistry() });
  judge = real;
  reader = await createPassageReader({ registry: openRegistry() });
  const { modelId, dims } = real;
  const model = { modelId, dims, rerank: (...args: Parameters<Reranker["rerank"]>) => judge.rerank(...args) };
  service = await testRetrieval(ARTICLES, { reranker: { model } });
}, 300_000);
afterAll(async () => {
  await service.close();
  await real.close();
  await reader?.close();
});

type Row = { title: string; final_rank: number; rrf_score: number; rerank_score: number | null };
const ask = async (body: object) => {
  const answer = await service.retrieve({ query: QUESTION, rerank: true, ...body });
  expect(answer.status).toBe(200);
  const results: Row[] = JSON.parse(JSON.stringify(answer.body.results));
  return { results, body: answer.body };
};

describe("POST /retrieve with rerank", () => {
  test("orders the hits by the reranker's scores, ranks from 1, and says how long it took", async () => {
    const { results, body } = await ask({});
    const scores = results.map((hit) => hit.rerank_score ?? Number.NaN);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(results.map((hit) => hit.final_rank)).toEqual(results.map((_, i) => i + 1));
    expect(results[0]?.title).toBe("New bridge over the river");
    expect(body.params).toMatchObject({ rerank: true });
    expect(body.diagnostics).toMatchObject({ rerank_ms: expect.any(Number) });
    expect(body.degraded).toBe(false);
  });

  test("judges the best hits even where fewer are asked for", async () => {
    const { results } = await ask({ limit: 1 });
    expect(results.map((hit) => hit.title)).toEqual(["New bridge over the river"]);
  });

  test("the reranker is given the first hits only, each with its passage", async () => {
    const seen: unknown[] = [];
    judge = {
      rerank: async (query, passages) => {
        seen.push({ query, passages });
        return Float32Array.from(passages, (_, i) => i);
      },
    };
    const { results } = await ask({ k_knn: 0 });
    judge = real;
    expect(results.map((hit) => hit.rerank_score)).toEqual(results.map((_, i) => results.length - 1 - i));
    expect(results.length).toBeLessThanOrEqual(RERANKED);
    const keywordScore = expect.any(Number);
    expect(seen).toMatchObject([
      { query: QUESTION, passages: [{ text: expect.stringContaining("bridge"), keywordScore }, { keywordScore }] },
    ]);
  });

  test("hits that were read beforehand are judged by their vectors, without their text, beside others by theirs", async () => {
    const { results: before } = await ask({});
    const seen: Passage[] = [];
    judge = {
      rerank: (query, passages, options) => {
        seen.push(...passages);
        return real.rerank(query, passages, options);
      },
    };
    const vectors = await Promise.all(ARTICLES.map(async (article) => (await reader?.read(passagesOf(article))) ?? []));
    await service.read("another@1", new Map([[1, at(vectors, 2)]]));
    await service.read(real.modelId, new Map([[0, at(vectors, 0)]]));
    const { results } = await ask({});
    judge = real;
    expect(seen.filter(({ vectors }) => vectors?.length === 384)).toMatchObject([{ title: "River report", text: "" }]);
    expect(seen.filter(({ vectors }) => vectors === undefined)).toMatchObject([
      { title: "New bridge over the river", text: expect.stringContaining("1932") },
    ]);
    expect(results.map(({ title }) => title)).toEqual(before.map(({ title }) => title));
    for (const [i, { rerank_score: score }] of results.entries()) {
      expect(Math.abs((score ?? 0) - (before[i]?.rerank_score ?? Number.NaN))).toBeLessThan(3);
    }
  });

  test("a reranker that fails leaves the fused order, and says so", async () => {
    const plain = await ask({ rerank: false });
    judge = { rerank: async () => Promise.reject(new InferenceError("timed-out", "too slow")) };
    const { results, body } = await ask({});
    judge = real;
    expect(results).toEqual(plain.results);
    expect(results.every((hit) => hit.rerank_score === null)).toBe(true);
    expect(body.degraded).toBe(true);
    expect(plain.body.degraded).toBe(false);
  });
});

test("of many hits that were not read beforehand the first ten are read with the search, and the others keep their places", async () => {
  const many = Array.from({ length: READ_ALONG + 4 }, (_, i) => ({
    title: `Report ${i}`,
    content: `${"The bridge over the river. ".repeat(20 - i)}${FILLER}`,
    axis: 1,
  }));
  const seen: number[] = [];
  const model = {
    modelId: "judge@1",
    dims: 1,
    rerank: async (_query: string, passages: readonly Passage[]) => {
      seen.push(passages.length);
      return Float32Array.from(passages, (_, i) => i);
    },
  };
  const unread = await testRetrieval(many, { reranker: { model } });
  const rows = async (rerank: boolean): Promise<Row[]> => {
    const { body } = await unread.retrieve({ query: "bridge river", k_knn: 0, rerank });
    return JSON.parse(JSON.stringify(body.results));
  };
  const plain = await rows(false);
  expect(plain).toHaveLength(READ_ALONG + 4);
  const found = await rows(true);
  const titles = (list: readonly Row[]) => list.map(({ title }) => title);
  expect(titles(found)).toEqual(titles([...plain.slice(0, READ_ALONG).toReversed(), ...plain.slice(READ_ALONG)]));
  expect(found.map(({ rerank_score: score }) => score === null)).toEqual(plain.map((_, i) => i >= READ_ALONG));
  // One further down that was read is judged, and may come first: those that were passed over stay where they are.
  const last = many.findIndex(({ title }) => title === plain.at(-1)?.title);
  await unread.read("judge@1", new Map([[last, [Int8Array.of(1)]]]));
  const places = [...plain.slice(0, READ_ALONG), ...plain.slice(-1)].toReversed();
  expect(titles(await rows(true))).toEqual(
    titles([...places.slice(0, READ_ALONG), ...plain.slice(READ_ALONG, -1), ...places.slice(READ_ALONG)]),
  );
  expect(seen).toEqual([READ_ALONG, READ_ALONG + 1]);
  await unread.close();
});

describe("GET /search with rerank", () => {
  const search = async (query: string) => {
    const { status, body } = await service.get(`/search?q=${encodeURIComponent(QUESTION)}&${query}`);
    expect(status).toBe(200);
    return SearchBody.parse(body);
  };

  test("the first results are in the order of the reranker's scores, in every mode, and pages fit together", async () => {
    for (const mode of ["hybrid", "bm25"]) {
      const { results, total, meta } = await search(`mode=${mode}&rerank=true`);
      const scores = results.map(({ rerank_score }) => rerank_score ?? Number.NaN);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(results[0]?.title).toBe("New bridge over the river");
      expect(meta).toMatchObject({ degraded: false, diagnostics: { rerank_ms: expect.any(Number) } });
      const pages = await Promise.all(results.map((_, i) => search(`mode=${mode}&rerank=true&limit=1&offset=${i}`)));
      expect(pages.flatMap((page) => page.results)).toEqual(results);
      expect(pages.map((page) => page.total)).toEqual(results.map(() => total));
    }
  });

  test("without it results have no such score", async () => {
    const { results } = await search("");
    for (const result of results) expect(result).not.toHaveProperty("rerank_score");
  });

  test("a reranker that fails leaves the fused order, and says so", async () => {
    const plain = await search("");
    judge = { rerank: async () => Promise.reject(new InferenceError("timed-out", "too slow")) };
    const { results, meta } = await search("rerank=true");
    judge = real;
    expect(results).toEqual(plain.results.map((result) => ({ ...result, rerank_score: null })));
    expect(meta.degraded).toBe(true);
    expect(meta.diagnostics.rrf_mode).toBe("rrf");
  });
});
