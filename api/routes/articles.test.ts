import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, SENTENCE, type TestApi, TOKEN, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

const INGEST = { authorization: `Bearer ${TOKEN}` };
const get = (id: string | number, headers: Record<string, string> = {}) =>
  api.app.request(`/v1/articles/${id}`, { headers });
const remove = (id: string | number, headers: Record<string, string> = INGEST) =>
  api.app.request(`/v1/articles/${id}`, { method: "DELETE", headers });

/** Submits an item and returns its number. */
async function submit(over: Record<string, unknown> = {}): Promise<number> {
  const body = await bodyOf(await api.post(item({ external_id: crypto.randomUUID(), ...over })));
  return Object(body).results[0].article_id;
}

describe("GET /v1/articles/{article_id}", () => {
  test("shows every field of the article as it is stored", async () => {
    const id = await submit({
      external_id: "whole",
      url: "https://NEWS.test/a?utm_source=x&b=1#top",
      title: "<b>عنوان</b> &amp; خبر",
      content: `<p>${SENTENCE.repeat(6)}</p>`,
      lang: "ar",
      published_at: "2024-05-06T10:00:00+03:00",
      authors: [" أحمد  علي ", "<i>Sara</i>"],
      images: ["https://img.test/1.jpg"],
      category_label: "اقتصاد",
      provider: "alwatan",
      category_confidence: 250,
    });
    const res = await get(id);
    expect(res.status).toBe(200);
    expect(await bodyOf(res)).toEqual({
      article_id: id,
      doc_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      source_id: "s-1",
      external_id: "whole",
      url: "https://NEWS.test/a?utm_source=x&b=1#top",
      canonical_url: "https://news.test/a?b=1",
      title: "عنوان & خبر",
      content: SENTENCE.repeat(6).trim(),
      lang: "ar",
      published_at: "2024-05-06T07:00:00.000Z",
      authors: ["أحمد علي", "Sara"],
      images: ["https://img.test/1.jpg"],
      category_label: "اقتصاد",
      provider: "alwatan",
      category_id: null,
      category_source: null,
      category_confidence: 100,
      taxonomy_version: null,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: "accepted",
      state_reason: null,
      summary: null,
      gone_at: null,
      paywalled: false,
      story_id: null,
      near_duplicates: [],
      entities: [],
      relations: [],
      stages: [{ name: "ingestion", state: "waiting", attempts: 0, reason: null }],
    });
  });

  test("shows in which stage it was set aside, and why", async () => {
    const id = await submit();
    const step = { stage: "ingestion", owner: "o", next: [] };
    await api.store.work.claim({ stage: "ingestion", owner: "o", leaseS: 3_600, limit: 100 });
    await api.store.work.fail(step, [{ articleId: id, reason: "it is odd", delayS: 0 }], { maxAttempts: 1 });
    const answer = await get(id);
    expect(await bodyOf(answer)).toMatchObject({
      state: "failed",
      state_reason: "it is odd",
      stages: [{ name: "ingestion", state: "set-aside", attempts: 1, reason: "it is odd" }],
    });
  });

  test("shows the entities with the places of their mentions in the content", async () => {
    const id = await submit();
    const berlin = {
      name: "Berlin",
      key: "berlin",
      type: "LOC",
      mentions: 3,
      confidence: 0.75,
      spans: [4, 10, 40, 46],
    };
    await api.store.entities.put([{ articleId: id, entities: [berlin] }], { modelId: "test@1" });
    expect(Object(await bodyOf(await get(id))).entities).toEqual([
      {
        entity_id: expect.any(Number),
        name: "Berlin",
        type: "LOC",
        mentions: 3,
        confidence: 0.75,
        offsets: [
          { start: 4, end: 10 },
          { start: 40, end: 46 },
        ],
      },
    ]);
  });

  test("shows no address with a user name and password", async () => {
    const id = await submit({
      url: "https://editor:secret@news.test/a",
      canonical_url: "https://editor:secret@news.test/b",
      images: ["https://editor:secret@img.test/1.jpg"],
    });
    expect(await bodyOf(await get(id))).toMatchObject({
      url: "https://news.test/a",
      canonical_url: "https://news.test/b",
      images: ["https://img.test/1.jpg"],
    });
  });

  test("prefers the canonical_url that was given", async () => {
    const id = await submit({ canonical_url: "https://www.news.test:443/b/" });
    expect(await bodyOf(await get(id))).toMatchObject({ canonical_url: "https://www.news.test/b" });
  });

  test("takes the doc_id as well", async () => {
    const id = await submit();
    const { doc_id } = await bodyOf(await get(id));
    expect(await bodyOf(await get(String(doc_id)))).toMatchObject({ article_id: id });
    expect(await bodyOf(await get(String(doc_id).toUpperCase()))).toMatchObject({ article_id: id });
  });

  test("shows raw to holders of the ingest token only", async () => {
    const raw = { provider: "p", ai: { relations: [] } };
    const id = await submit({ raw });
    expect(await bodyOf(await get(id))).not.toHaveProperty("raw");
    expect(await bodyOf(await get(id, { authorization: "Bearer wrong" }))).not.toHaveProperty("raw");
    expect(await bodyOf(await get(id, INGEST))).toMatchObject({ raw });
    expect(await bodyOf(await get(id, { authorization: "Bearer next-token" }))).toMatchObject({ raw });
  });

  test("answers 404 to what is no article", async () => {
    for (const id of [
      "0",
      "-1",
      "999999999",
      "abc",
      "1e3",
      "1.5",
      "99999999999999999999",
      crypto.randomUUID(),
      "%00",
      "%ff",
    ]) {
      const res = await get(id);
      expect(res.status).toBe(404);
      expect(await bodyOf(res)).toMatchObject({ type: "/errors/not-found", status: 404 });
    }
  });

  test("needs a public key where there are some", async () => {
    const guarded = await testApi({ API_PUBLIC_KEYS: "old, new" });
    const body = await bodyOf(await guarded.post(item()));
    const { article_id } = Object(body).results[0];
    const ask = (headers: Record<string, string>) => guarded.app.request(`/v1/articles/${article_id}`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ "x-api-key": "wrong" })).status).toBe(401);
    expect((await ask({ "x-api-key": "old" })).status).toBe(200);
    expect((await ask({ "x-api-key": "new", ...INGEST })).status).toBe(200);
    await guarded.close();
  });
});

describe("DELETE /v1/articles/{article_id}", () => {
  test("removes the article, once", async () => {
    const id = await submit();
    const res = await remove(id);
    expect(res.status).toBe(204);
    expect(await res.text()).toBe("");
    expect((await get(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  test("emits article.deleted", async () => {
    await api.store.outbox.claim("test", { owner: "test", limit: 1_000, leaseS: 3_600 });
    const id = await submit();
    await remove(id);
    const events = await api.store.outbox.claim("test", { owner: "test", limit: 10, leaseS: 3_600 });
    expect(events).toMatchObject([{ type: "article.deleted", article: { article_id: id } }]);
  });

  test("lets the article be submitted again, under a new number", async () => {
    const again = { external_id: "again" };
    const id = await submit(again);
    await remove(id);
    expect(await submit(again)).toBeGreaterThan(id);
  });

  test("needs the ingest token, and leaves the database as it was without it", async () => {
    const id = await submit();
    const before = await api.snapshot();
    for (const headers of [{}, { authorization: "Bearer wrong" }, { "x-api-key": TOKEN }]) {
      const res = await remove(id, headers as Record<string, string>);
      expect(res.status).toBe(401);
      expect(res.headers.get("www-authenticate")).toStartWith("Bearer");
    }
    expect(await api.snapshot()).toEqual(before);
  });

  test("of what is no article is 404 and changes nothing", async () => {
    const before = await api.snapshot();
    for (const id of ["0", "999999999", "abc", crypto.randomUUID()]) expect((await remove(id)).status).toBe(404);
    expect(await api.snapshot()).toEqual(before);
  });

  test("is listed in Allow, with GET", async () => {
    const res = await api.app.request("/v1/articles/1", { method: "PATCH" });
    expect(res.status).toBe(405);
    expect(res.headers.get("allow")).toBe("DELETE, GET, HEAD");
  });
});
