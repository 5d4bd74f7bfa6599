import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createPassageReader, NOT_LOADED, openRegistry } from "@isnad/lib/models";
import { bodyOf, passage, type TestEdge, testEdge } from "../testing/edge.ts";

describe("rag query", () => {
  const open: TestEdge[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  /** Answers with as many chunks as are asked for, five at most; the last one is about ferries. */
  const search = ({ body }: { body: Record<string, unknown> }) => ({
    results: [1, 2, 3, 4, 5]
      .map((no) => passage(no, no === 5 ? { title: "Ferries", text: "The battery ferry crosses silently." } : {}))
      .slice(0, Number(body.k)),
    diagnostics: { embed_ms: 1.4, search_ms: 2.6 },
  });

  let edge: TestEdge;
  beforeAll(async () => {
    edge = await testEdge({ search, env: { APP_ENV: "test", EDGE_API_KEY: "k", METRICS_TOKEN: "m" } });
  });
  afterAll(() => edge.close());

  const query = async (body: unknown, on = edge) => bodyOf(await on.post("/rag/query", body));

  test("candidates are asked for, reranked, and shown with ids, months and positions", async () => {
    const body = await query({ query: "silent battery ferry", k: 2 });
    expect(body).toEqual({
      ok: true,
      timing_ms: { embed: 1, search: 3, rerank: expect.any(Number), total: expect.any(Number) },
      reranked: true,
      results: [
        {
          id: "article:00000000-0000-7000-8000-000000000005:chunk:0",
          article_id: "00000000-0000-7000-8000-000000000005",
          chunk_no: 0,
          url: "https://news.test/5",
          title: "Ferries",
          snippet: "The battery ferry crosses silently.",
          lang: "en",
          source: "demo",
          published_at_bucket: 202405,
          vector_score: 0.5,
          rerank_pos: 1,
        },
        expect.objectContaining({ rerank_pos: 2 }),
      ],
    });
    expect(Object.values(Object(body.timing_ms)).every(Number.isInteger)).toBe(true);
    expect(edge.searches.at(-1)).toMatchObject({ path: "/passages", body: { query: "silent battery ferry", k: 20 } });
  });

  test("what the reranker made of chunks beforehand counts, and is asked for by its name where it is to judge", async () => {
    const registry = openRegistry();
    const reader = await createPassageReader({ registry });
    const [ferries = new Int8Array()] = (await reader?.read(["Ferries The battery ferry crosses silently."])) ?? [];
    await reader?.close();
    const vector = Buffer.from(ferries).toString("base64");
    const results = [1, 2, 3].map((no) => passage(no, no === 3 ? { vector } : {}));
    const read = await testEdge({ search: () => ({ results, diagnostics: { embed_ms: 1, search_ms: 1 } }) });
    open.push(read);
    const { results: found } = await query({ query: "silent battery ferry", k: 2 }, read);
    expect(found).toMatchObject([{ title: "Title 3" }, {}]);
    expect(JSON.stringify(found)).not.toContain(vector);
    const named = expect.stringMatching(/^rerank-ar-en@/);
    expect(read.searches.at(-1)?.body).toMatchObject({ vectors_of: named });
    await query({ query: "silent battery ferry", rerank_top_n: 0 }, read);
    expect(read.searches.at(-1)?.body).not.toHaveProperty("vectors_of");
  });

  test("as many candidates are asked for as the larger of both numbers says, 10 and 20 by default", async () => {
    for (const [body, k] of [
      [{}, 20],
      [{ k: 30 }, 30],
      [{ k: 5, rerank_top_n: 7 }, 7],
      [{ k: 5, rerank_top_n: 0 }, 5],
      [{ k: 100, rerank_top_n: 100 }, 100],
    ] as const) {
      await query({ query: "ferry", ...body });
      expect(edge.searches.at(-1)?.body.k).toBe(k);
    }
  });

  test("without reranking the order by meaning stands, and positions are its own", async () => {
    const { results, reranked, timing_ms } = await query({ query: "silent battery ferry", rerank_top_n: 0 });
    expect(Object(results).map((each: { chunk_no: number; vector_score: number; rerank_pos: number }) => each)).toEqual(
      [0.9, 0.8, 0.7, 0.6, 0.5].map((vector_score, i) => expect.objectContaining({ vector_score, rerank_pos: i + 1 })),
    );
    expect([reranked, Object(timing_ms).rerank]).toEqual([false, 0]);
  });

  test("only the first so many are reranked, the others follow in their order", async () => {
    const { results } = await query({ query: "silent battery ferry", rerank_top_n: 3, k: 5 });
    const order = Object(results).map(({ article_id }: { article_id: string }) => Number(article_id.slice(-1)));
    expect(order.slice(0, 3).sort()).toEqual([1, 2, 3]);
    expect(order.slice(3)).toEqual([4, 5]);
  });

  test("where the reranker is away the order by meaning is served, and the log says why", async () => {
    const lame = await testEdge({
      search,
      models: { embedder: NOT_LOADED, reader: NOT_LOADED, reranker: NOT_LOADED, translators: [] },
    });
    open.push(lame);
    const body = await query({ query: "ferry", k: 2 }, lame);
    expect(body).toMatchObject({ ok: true, reranked: false, results: [{ vector_score: 0.9 }, { vector_score: 0.8 }] });
    expect(lame.lines.at(-1)).toMatchObject({ reranked: false, rerank: expect.stringContaining("reranking") });
  });

  test("where nothing is found nothing was reranked", async () => {
    const bare = await testEdge({ search: () => ({ results: [], diagnostics: { embed_ms: 0, search_ms: 0 } }) });
    open.push(bare);
    expect(await query({ query: "ferry" }, bare)).toMatchObject({
      reranked: false,
      results: [],
      timing_ms: { rerank: 0 },
    });
    expect(bare.lines.at(-1)).toMatchObject({ hits: 0, reranked: false });
  });

  test("filters are passed on as they are", async () => {
    const filters = { lang: ["ar", "en"], published_at_bucket: { $gte: 202401, $lt: 202501 }, source: { $ne: "x" } };
    await query({ query: "ferry", filters });
    expect(edge.searches.at(-1)?.body.filters).toEqual(filters);
  });

  test("an article without a date or language has none", async () => {
    const bare = await testEdge({
      search: () => ({
        results: [passage(1, { published_at: null, lang: null })],
        diagnostics: { embed_ms: 0, search_ms: 0 },
      }),
    });
    open.push(bare);
    expect(await query({ query: "ferry" }, bare)).toMatchObject({
      results: [{ lang: null, published_at_bucket: null }],
    });
  });

  describe("a bad request", () => {
    test.each([
      ["no query", {}, "query"],
      ["an empty query", { query: "" }, "query"],
      ["a query of 2,001 characters", { query: "x".repeat(2001) }, "query"],
      ["k 0", { query: "a", k: 0 }, "k"],
      ["k 101", { query: "a", k: 101 }, "k"],
      ["k 1.5", { query: "a", k: 1.5 }, "k"],
      ["k as text", { query: "a", k: "1" }, "k"],
      ["rerank_top_n -1", { query: "a", rerank_top_n: -1 }, "rerank_top_n"],
      ["rerank_top_n 101", { query: "a", rerank_top_n: 101 }, "rerank_top_n"],
      ["filters that are none", { query: "a", filters: ["ar"] }, "filters"],
      ["an unknown filter", { query: "a", filters: { author: "x" } }, "filters"],
      ["a story that is none", { query: "a", filters: { story_id: 0 } }, "filters.story_id"],
      ["an unknown comparison", { query: "a", filters: { lang: { $like: "a" } } }, "filters.lang"],
      ["a language that there is not", { query: "a", filters: { lang: "fr" } }, "filters.lang"],
      ["a month as text", { query: "a", filters: { published_at_bucket: "202405" } }, "filters.published_at_bucket"],
      ["a month that is none", { query: "a", filters: { published_at_bucket: 202413 } }, "filters.published_at_bucket"],
    ])("with %s is 422 and names the field", async (_, body, field) => {
      const before = edge.searches.length;
      const response = await edge.post("/rag/query", body);
      expect(response.status).toBe(422);
      expect(Object.keys(Object((await bodyOf(response)).errors))).toEqual([field]);
      expect(edge.searches.length).toBe(before);
    });

    test("of another type is 415, of broken JSON 400, too large 413, by another method 405", async () => {
      expect((await edge.post("/rag/query", "a", { "content-type": "text/plain" })).status).toBe(415);
      expect((await edge.post("/rag/query", "{")).status).toBe(400);
      expect((await edge.post("/rag/query", { query: "x".repeat(1_600_000) })).status).toBe(413);
      expect((await fetch(`${edge.url}/rag/query`)).status).toBe(405);
    });
  });

  test("a key is needed only where some are set", async () => {
    expect((await edge.post("/rag/query", { query: "a" }, { "x-api-key": "" })).status).toBe(200);
    const guarded = await testEdge({ search, env: { EDGE_QUERY_KEYS: "q1,q2" } });
    open.push(guarded);
    const statusWith = async (key: string) =>
      (await guarded.post("/rag/query", { query: "a" }, { "x-api-key": key })).status;
    expect(await Promise.all(["", "edge-key", "q1", "q2"].map(statusWith))).toEqual([401, 401, 200, 200]);
  });

  test("while the search is away the answer is 503 with when to come again", async () => {
    const away = { type: "/errors/service-unavailable", detail: "The vector index cannot answer now." };
    const broken = await testEdge({
      search: () => Response.json(away, { status: 503, headers: { "retry-after": "9" } }),
    });
    open.push(broken);
    const response = await broken.post("/rag/query", { query: "a" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "9"]);
    expect(await bodyOf(response)).toMatchObject({ ...away, instance: "/rag/query" });
  });
});

describe("rag dev", () => {
  const DEV = { "x-dev-key": "local-dev" };
  const UUID = "0198c0de-0000-7000-8000-00000000abcd";

  let edge: TestEdge;
  beforeAll(async () => {
    edge = await testEdge({
      search: () => ({ results: [passage(5, { score: 0.1 })], diagnostics: { embed_ms: 0, search_ms: 0 } }),
    });
  });
  afterAll(() => edge.close());

  const dev = (path: string, body: unknown, headers: Record<string, string> = DEV) =>
    edge.post(`/rag/dev/${path}`, body, headers);

  const idsFor = async (query: string, filters = {}) => {
    const { results } = await bodyOf(await edge.post("/rag/query", { query, filters, rerank_top_n: 0 }));
    return Object(results).map(({ id }: { id: string }) => id);
  };

  test("echo-embed gives the vector of a text, of length 1, by the model of the index", async () => {
    const body = await bodyOf(await dev("echo-embed", { text: "قطار" }));
    expect(body).toMatchObject({ ok: true, model: expect.stringMatching(/^static-ar-en-256@/), dims: 256 });
    const vector: number[] = Object(body.vector);
    expect(vector).toHaveLength(256);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
  });

  test("vectorize-smoke finds its item and leaves nothing behind", async () => {
    const text = "A heron landed on the tower of the mint.";
    const body = await bodyOf(await dev("vectorize-smoke", { text }));
    expect(body).toMatchObject({
      ok: true,
      found: true,
      id: expect.stringMatching(/^article:[0-9a-f-]{36}:chunk:0$/),
      timing_ms: {
        embed: expect.any(Number),
        upsert: expect.any(Number),
        query: expect.any(Number),
        total: expect.any(Number),
      },
    });
    expect(await idsFor(text)).not.toContain(body.id);
    expect(await bodyOf(await dev("vectorize-smoke", {}))).toMatchObject({ ok: true, found: true });
  });

  test("items of a batch are found by meaning and by their metadata, beside the articles; a second one takes the first one's place", async () => {
    const id = `article:${UUID}:chunk:3`;
    const item = { id, text: "The lighthouse keeper retired.", metadata: { lang: "en", published_at_bucket: 202405 } };
    const other = { id: "note-1", text: "حارس المنارة تقاعد.", metadata: { lang: "ar", title: "ملاحظة", extra: [1] } };
    expect(await bodyOf(await dev("upsert-batch", { items: [item, other] }))).toEqual({ ok: true, upserted: 2 });
    expect((await idsFor("lighthouse keeper"))[0]).toBe(id);
    expect(await idsFor("lighthouse keeper")).toContain("article:00000000-0000-7000-8000-000000000005:chunk:0");
    expect(await idsFor("lighthouse keeper", { published_at_bucket: { $gte: 202405 }, lang: "en" })).toContain(id);
    expect(await idsFor("lighthouse keeper", { published_at_bucket: 202404 })).not.toContain(id);
    expect(await idsFor("lighthouse keeper", { article_id: UUID })).toContain(id);
    expect(await idsFor("lighthouse keeper", { story_id: 5 })).not.toContain(id);
    const made = (await idsFor("المنارة", { lang: "ar" }))[0];
    expect(made).toMatch(/^article:[0-9a-f-]{36}:chunk:0$/);

    const again = { ...item, text: "Olive prices rose.", metadata: {} };
    expect(await bodyOf(await dev("upsert-batch", { items: [again] }))).toEqual({ ok: true, upserted: 1 });
    expect((await idsFor("olive prices"))[0]).toBe(id);
    expect(await idsFor("olive prices", { lang: "en" })).not.toContain(id);
  });

  describe("a bad request", () => {
    const item = { id: "a", text: "b" };
    test.each([
      ["echo-embed", {}, "text"],
      ["echo-embed", { text: "" }, "text"],
      ["echo-embed", { text: "x".repeat(20_001) }, "text"],
      ["vectorize-smoke", { text: 7 }, "text"],
      ["upsert-batch", {}, "items"],
      ["upsert-batch", { items: [] }, "items"],
      ["upsert-batch", { items: Array.from({ length: 257 }, () => item) }, "items"],
      ["upsert-batch", { items: [{ text: "b" }] }, "items.0.id"],
      ["upsert-batch", { items: [{ id: "a" }] }, "items.0.text"],
      ["upsert-batch", { items: [{ ...item, metadata: { lang: 7 } }] }, "items.0.metadata.lang"],
    ])("to %s with %j is 422 and names the field", async (path, body, field) => {
      const response = await dev(path, body);
      expect(response.status).toBe(422);
      expect(Object.keys(Object((await bodyOf(response)).errors))).toEqual([field]);
    });

    test("a batch of 256 is none", async () => {
      const items = Array.from({ length: 256 }, (_, i) => ({ id: `n-${i}`, text: `Number ${i}` }));
      expect(await bodyOf(await dev("upsert-batch", { items }))).toEqual({ ok: true, upserted: 256 });
    });

    test("without the developers' key is 401", async () => {
      for (const path of ["echo-embed", "vectorize-smoke", "upsert-batch"]) {
        expect((await dev(path, { text: "a" }, {})).status).toBe(401);
        expect((await dev(path, { text: "a" }, { "x-dev-key": "edge-key" })).status).toBe(401);
      }
    });
  });

  test("outside of local environments none of it is there, with the key or without", async () => {
    const elsewhere = await testEdge({ env: { APP_ENV: "production", METRICS_TOKEN: "m" } });
    for (const path of ["echo-embed", "vectorize-smoke", "upsert-batch"]) {
      for (const headers of [DEV, {}]) {
        const response = await elsewhere.post(`/rag/dev/${path}`, { text: "a" }, headers);
        expect(response.status).toBe(404);
        expect(await bodyOf(response)).toMatchObject({ type: "/errors/not-found" });
      }
    }
    expect(await (await fetch(`${elsewhere.url}/openapi.json`)).text()).not.toContain("/rag/dev");
    await elsewhere.close();
  });
});
