import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PassagesResponse } from "@isnad/lib/contract";
import { isObject } from "@isnad/lib/std";
import { type TestRetrieval, testRetrieval } from "../testing.ts";

const CONTENT = "The lighthouse keeper retired in May after forty years. He will be missed by the ferry crews. ".repeat(
  4,
);

let service: TestRetrieval;
beforeAll(async () => {
  service = await testRetrieval([
    { title: "Lighthouse", content: CONTENT, axis: 1, lang: "en", categoryId: "society" },
    {
      title: "المنارة",
      content: "تقاعد حارس المنارة. ".repeat(20),
      axis: 1,
      lang: "ar",
      publishedAt: "2023-12-31T23:00:00.000Z",
    },
    { title: "Elsewhere", content: CONTENT, axis: 2, lang: "en" },
  ]);
}, 300_000);
afterAll(() => service.close());

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await service.app.request("/passages", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const parsed: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, body: parsed };
}

/** The titles of the passages that are found. */
async function titles(body: unknown): Promise<unknown[]> {
  const { results } = (await post(body)).body;
  return Array.isArray(results) ? results.map((result) => isObject(result) && result.title) : [];
}

describe("POST /passages", () => {
  test("gives the nearest chunks with what they are of, as plain text", async () => {
    const { status, body } = await post({ query: "axis:1 keeper", k: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [
        {
          doc_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          article_id: service.ids[0],
          chunk_no: 0,
          title: "Lighthouse",
          text: CONTENT.slice(0, 60),
          url: expect.any(String),
          lang: "en",
          source: "test-source",
          published_at: "2024-05-06T07:08:09.000Z",
          score: 1,
        },
      ],
      diagnostics: { embed_ms: expect.any(Number), search_ms: expect.any(Number) },
    });
  });

  test("keeps filters, an article's uuid among them", async () => {
    const query = "axis:1";
    expect(await titles({ query })).toEqual(["Lighthouse", "المنارة"]);
    expect(await titles({ query, filters: { lang: "ar" } })).toEqual(["المنارة"]);
    expect(await titles({ query, filters: { published_at_bucket: { $lt: 202401 } } })).toEqual(["المنارة"]);
    expect(await titles({ query, filters: { category: { $ne: "society" } } })).toEqual(["المنارة"]);
    const [first] = await service.store.articles.byIds([service.ids[0] ?? 0], ["docId"]);
    expect(await titles({ query, filters: { article_id: first?.docId } })).toEqual(["Lighthouse"]);
    expect(await titles({ query, filters: { article_id: first?.docId.toUpperCase() } })).toEqual(["Lighthouse"]);
    expect(await titles({ query, filters: { article_id: [service.ids[1]] } })).toEqual(["المنارة"]);
    expect(await titles({ query, filters: { article_id: crypto.randomUUID() } })).toEqual([]);
  });

  test("finds nothing for a question without a letter or digit", async () => {
    expect(await titles({ query: "؟؟ !" })).toEqual([]);
  });

  test.each([
    [{}, "query"],
    [{ query: "" }, "query"],
    [{ query: "a", k: 0 }, "k"],
    [{ query: "a", k: 101 }, "k"],
    [{ query: "a", filters: { from: "2024" } }, "filters"],
    [{ query: "a", filters: { lang: { $gte: 1 } } }, "filters.lang.$gte"],
  ])("refuses %j with 422 and names the field", async (asked, field) => {
    const { status, body } = await post(asked);
    expect([status, Object.keys(Object(body.errors))]).toEqual([422, [field]]);
  });

  test("is 503 while the vectors are away", async () => {
    service.breakVectors(true);
    const { status, body } = await post({ query: "axis:1" });
    service.breakVectors(false);
    expect([status, body.type]).toEqual([503, "/errors/service-unavailable"]);
  });
});

test("what the reranker made of the chunks is given to who asks for that reranker", async () => {
  const model = { modelId: "judge@1", dims: 2, rerank: async () => new Float32Array() };
  const articles = [
    { title: "Lighthouse", content: CONTENT.slice(0, 60), axis: 1, lang: "en" as const },
    { title: "Of an index that cut texts otherwise", content: CONTENT, axis: 2, lang: "en" as const },
  ];
  const read = await testRetrieval(articles, { reranker: { model } });
  const vectorOf = async (body: object) => {
    const { status, body: answer } = await read.post("/passages", { query: "axis:1", k: 1, ...body });
    expect(status).toBe(200);
    return PassagesResponse.parse(answer).results.map(({ vector }) => vector);
  };
  expect(await vectorOf({ vectors_of: "judge@1" })).toEqual([undefined]);
  const vectors = [Int8Array.of(-1, 127), Int8Array.of(3, 4)];
  await read.read("judge@1", new Map([0, 1].map((place) => [place, vectors])));
  expect(await vectorOf({ vectors_of: "judge@1" })).toEqual([Buffer.from([255, 127]).toString("base64")]);
  expect(await vectorOf({ vectors_of: "judge@1", query: "axis:2" })).toEqual([undefined]);
  expect(await vectorOf({ vectors_of: "judge@2" })).toEqual([undefined]);
  expect(await vectorOf({})).toEqual([undefined]);
  await read.close();
});
