import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, type TestEdge, testEdge } from "../testing/edge.ts";
import { passage } from "../testing/passages.ts";

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
