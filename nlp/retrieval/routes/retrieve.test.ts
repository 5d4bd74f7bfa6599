import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RetrieveResponse, USUAL_FIELDS } from "./retrieve.ts";
import { type TestRetrieval, testRetrieval } from "../testing.ts";

const filler = "The council met on the first floor and nobody raised a hand. ".repeat(4);
let service: TestRetrieval;

beforeAll(async () => {
  service = await testRetrieval([
    { title: "Harbour reopens", content: `Fishing boats left at dawn. ${filler}`, axis: 1, sourceId: "a" },
    { title: "Boats at the pier", content: `No harbour is as quiet. ${filler}`, axis: 1, sourceId: "b" },
    { title: "ميناء المدينة", content: `عادت المراكب صباحاً. ${filler}`, axis: 2, lang: "ar", sourceId: "b" },
  ]);
});
afterAll(() => service.close());

const retrieved = async (body: object) => {
  const answer = await service.retrieve(body);
  expect(answer.status).toBe(200);
  return RetrieveResponse.parse(answer.body);
};
const order = (body: RetrieveResponse) => body.results.map((hit) => service.ids.indexOf(hit.article_id ?? -1));

describe("POST /retrieve", () => {
  test("echoes its parameters with their defaults and gives whole hits", async () => {
    const body = await retrieved({ query: "axis:1 harbour" });
    expect(body.params).toEqual({ k_bm25: 50, k_knn: 50, k_rrf: 60, rerank: false });
    expect(body.results.map((hit) => hit.final_rank)).toEqual([1, 2]);
    expect(Object.keys(body.results[0] ?? {})).toEqual(USUAL_FIELDS);
    expect(Object.values(body.diagnostics).every((ms) => typeof ms === "number")).toBe(true);
    for (const hit of body.results) {
      const expected = 1 / (60 + (hit.bm25_rank ?? Infinity)) + 1 / (60 + (hit.knn_rank ?? Infinity));
      expect(hit.rrf_score).toBeCloseTo(expected, 12);
    }
  });

  test("gives every hit of both branches, each with the rank of every branch that found it", async () => {
    const many = await testRetrieval(
      Array.from({ length: 30 }, (_, i) => ({
        title: `${"harbour ".repeat(1 + (i % 5))}${i}`,
        content: `Boat number ${i} is at the pier. ${filler}`,
        axis: i % 2,
      })),
    );
    const { body } = await many.retrieve({ query: "axis:1 harbour" });
    const both = RetrieveResponse.parse(body).results;
    await many.close();
    const ranks = (key: "bm25_rank" | "knn_rank") =>
      both.map((hit) => hit[key] ?? null).filter((rank) => rank !== null);
    expect(ranks("bm25_rank").toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(ranks("knn_rank").toSorted((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    expect(Object.keys(Object(body.diagnostics))).toEqual(["bm25_ms", "knn_ms", "rrf_ms", "rerank_ms"]);
  });

  test("a host is compared in one form, as a filter and as a term", async () => {
    for (const domain of ["NEWS.Example.", "news.example", "ＮＥＷＳ.example"]) {
      const filtered = await retrieved({ query: "axis:1 harbour", filters: { domain } });
      expect(order(filtered).toSorted()).toEqual([0, 1]);
      const term = await retrieved({ query: "harbour", k_knn: 0, filters: { term: { domain } } });
      expect(order(term).toSorted()).toEqual([0, 1]);
    }
    expect(order(await retrieved({ query: "axis:1 harbour", filters: { domain: "Other.Example" } }))).toEqual([]);
  });

  test("a k of 0 skips the branch", async () => {
    const keyword = await retrieved({ query: "axis:2 harbour", k_knn: 0 });
    expect(order(keyword).toSorted()).toEqual([0, 1]);
    expect(keyword.diagnostics.knn_ms).toBe(0);
    const vector = await retrieved({ query: "axis:2 harbour", k_bm25: 0 });
    expect(order(vector)).toEqual([2]);
    expect(vector.results[0]).toMatchObject({ bm25_rank: null, knn_rank: 1 });
  });

  test("`fields` chooses the keys of a hit, `limit` the number of hits", async () => {
    const body = await retrieved({ query: "axis:1 harbour", fields: ["doc_id", "final_rank"], limit: 1 });
    expect(body.results).toHaveLength(1);
    expect(Object.keys(body.results[0] ?? {})).toEqual(["doc_id", "final_rank"]);
    expect((await retrieved({ query: "harbour", fields: null })).results[0]).toHaveProperty("passage");
  });

  test("the passage is the nearest chunk, or the one with the query's words", async () => {
    const [hit] = (await retrieved({ query: "axis:2", k_bm25: 0 })).results;
    expect(hit?.passage).toStartWith("عادت المراكب");
    const [word] = (await retrieved({ query: "pier", k_knn: 0 })).results;
    expect(word?.passage).toContain("harbour");
  });

  test("boosts decide which field counts", async () => {
    const fields = (search_fields: string[]) =>
      retrieved({ query: "harbour boats", k_knn: 0, filters: { search_fields } }).then(order);
    expect(await retrieved({ query: "harbour", k_knn: 0, filters: { search_fields: ["title"] } }).then(order)).toEqual([
      0,
    ]);
    expect((await fields(["title^9", "content"])).length).toBe(2);
  });

  test("a term filter narrows the keyword branch alone; other filters both", async () => {
    const short = await retrieved({ query: "axis:2 harbour", filters: { term: { source_id: "a" } } });
    expect(order(short).toSorted()).toEqual([0, 2]);
    const long = await retrieved({ query: "harbour", k_knn: 0, filters: { term: { source_id: { value: "b" } } } });
    expect(order(long)).toEqual([1]);
    expect(order(await retrieved({ query: "axis:1 axis:2 harbour", filters: { lang: "en" } })).toSorted()).toEqual([
      0, 1,
    ]);
  });

  test("an article that is named narrows both branches", async () => {
    const [, second = 0] = service.ids;
    const both = { query: "axis:1 axis:2 harbour" };
    expect(order(await retrieved({ ...both, filters: { article_id: second } }))).toEqual([1]);
    expect(order(await retrieved({ ...both, filters: { article_id: second, lang: "ar" } }))).toEqual([]);
    expect(order(await retrieved({ ...both, filters: { article_id: 999_999 } }))).toEqual([]);
  });

  test("a term's value may be a text or a number, whatever its field is", async () => {
    const among = (term: object) => retrieved({ query: "harbour", k_knn: 0, filters: { term } }).then(order);
    for (const source_tier of [3, "3", { value: "3" }])
      expect((await among({ source_tier })).toSorted()).toEqual([0, 1]);
    expect(await among({ source_tier: "1" })).toEqual([]);
    expect(await among({ source_tier: "three" })).toEqual([]);
    expect(await among({ article_id: String(service.ids[1]) })).toEqual([1]);
  });

  test("what the query excludes is not highlighted", async () => {
    const kept = await retrieved({ query: 'axis:1 harbour -"dawn fishing"' });
    expect(
      JSON.stringify(kept.results.map(({ highlights }) => highlights))
        .match(/<mark>\w+/g)
        ?.toSorted(),
    ).toEqual(["<mark>Harbour", "<mark>harbour"]);
  });

  test("top-level lang is a hint and filters nothing", async () => {
    expect(order(await retrieved({ query: "axis:1 harbour", lang: "ar" })).toSorted()).toEqual([0, 1]);
  });

  test("serves one branch when the other is away, unless only that one was asked for", async () => {
    service.breakVectors(true);
    try {
      const body = await retrieved({ query: "axis:1 harbour" });
      expect(body.degraded).toBe(true);
      expect(order(body).toSorted()).toEqual([0, 1]);
      expect((await service.retrieve({ query: "harbour", k_bm25: 0 })).status).toBe(503);
    } finally {
      service.breakVectors(false);
    }
  });

  test("the index and the vector field are the configured ones", async () => {
    const index = await service.retrieve({ query: "x", filters: { index: "nope".repeat(20_000) } });
    expect([index.status, index.body.detail]).toEqual([404, `There is no index named ${"nope".repeat(16)}.`]);
    const field = await service.retrieve({ query: "x", filters: { vector_field: "nope" } });
    expect(field.status).toBe(422);
    expect(Object.keys(Object(field.body.errors))).toEqual(["filters.vector_field"]);
  });

  test("rerank without a reranker is 503 that says what to do; everything else serves", async () => {
    const { status, body } = await service.retrieve({ query: "x", rerank: true });
    expect(status).toBe(503);
    expect(body.type).toBe("/errors/model-not-installed");
    expect(body.detail).toContain("bun run models");
    expect((await service.retrieve({ query: "x" })).status).toBe(200);
  });

  test("every wrong value is 422 and names its field", async () => {
    const wrong: [object, string][] = [
      [{}, "query"],
      [{ query: "" }, "query"],
      [{ query: "😀".repeat(2001) }, "query"],
      [{ query: 7 }, "query"],
      [{ query: "x", lang: "fr" }, "lang"],
      [{ query: "x", k_bm25: 1001 }, "k_bm25"],
      [{ query: "x", k_knn: -1 }, "k_knn"],
      [{ query: "x", k_knn: 1.5 }, "k_knn"],
      [{ query: "x", k_rrf: 0 }, "k_rrf"],
      [{ query: "x", k_bm25: 0, k_knn: 0 }, "body"],
      [{ query: "x", rerank: "yes" }, "rerank"],
      [{ query: "x", limit: 0 }, "limit"],
      [{ query: "x", fields: ["secret"] }, "fields.0"],
      [{ query: "x", filters: { search_fields: ["body"] } }, "filters.search_fields.0"],
      [{ query: "x", filters: { search_fields: ["title^-1"] } }, "filters.search_fields.0"],
      [{ query: "x", filters: { search_fields: [] } }, "filters.search_fields"],
      [{ query: "x", filters: { term: { nope: 1 } } }, "filters.term.nope"],
      [{ query: "x", filters: { term: {} } }, "filters.term"],
      [{ query: "x", filters: { term: { lang: "ar", category: "x" } } }, "filters.term"],
      [{ query: "x", filters: { source_tier: 4 } }, "filters.source_tier"],
      [{ query: "x", filters: { from: "yesterday" } }, "filters.from"],
      [{ query: "x", filters: { from: "2024-02-02", to: "2024-02-01" } }, "body"],
      [{ query: "x", filters: { source: "a\0b" } }, "filters.source"],
    ];
    for (const [body, field] of wrong) {
      const answer = await service.retrieve(body);
      expect([answer.status, Object.keys(Object(answer.body.errors))]).toEqual([422, [field]]);
    }
  });

  test("bodies that are no JSON, too large, or of another type get their own answers", async () => {
    expect((await service.retrieve("{")).body.type).toBe("/errors/malformed-json");
    const post = (headers: Record<string, string>, body: string) =>
      service.app.request("/retrieve", { method: "POST", headers, body });
    expect((await post({ "content-type": "text/plain" }, "{}")).status).toBe(415);
    expect((await post({ "content-type": "application/json" }, " ".repeat(20_000_000))).status).toBe(413);
    expect((await service.app.request("/retrieve")).status).toBe(405);
  });
});
