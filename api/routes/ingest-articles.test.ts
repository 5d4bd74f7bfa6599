import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, type TestApi, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());
afterEach(() => {
  api.lines.length = 0;
  api.jobs.length = 0;
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Ids that no other test uses. */
let used = 0;
const fresh = (): string => `t-${++used}`;

describe("POST /v1/ingest/articles", () => {
  test("accepts one item, stores it, and queues it", async () => {
    const id = fresh();
    const res = await api.post(item({ external_id: id }));
    expect(res.status).toBe(202);
    expect(res.headers.get("content-type")).toBe("application/json");
    const body = await bodyOf(res);
    expect(body).toEqual({
      schema: "ingest.v1",
      summary: { request_id: expect.stringMatching(UUID), received: 1, accepted: 1, failed: 0, conflicts: 0 },
      results: [{ external_id: id, status: "accepted", article_id: expect.any(Number) }],
    });
    const [{ article_id }] = Object(body).results;
    expect(await api.store.articles.get(article_id)).toMatchObject({
      externalId: id,
      state: "accepted",
      sourceId: "s-1",
    });
    await api.settled();
    expect(api.jobs).toEqual([{ id: `articles-${article_id}`, data: { articleIds: [article_id] } }]);
  });

  test("accepts a batch, each item with its own status, in the order of the request", async () => {
    const [a, b] = [fresh(), fresh()];
    await api.post(item({ external_id: a }));
    const res = await api.post({
      articles: [
        item({ external_id: a }),
        item({ external_id: b }),
        item({ external_id: b }),
        item({ external_id: fresh(), title: "" }),
        item({
          external_id: "elsewhere",
          source_id: "s-2",
          title: item({ external_id: a }).title,
          content: item({ external_id: a }).content,
        }),
      ],
    });
    expect(res.status).toBe(202);
    const { results, summary } = await bodyOf(res);
    expect(Object(results).map(({ status }: { status: string }) => status)).toEqual([
      "duplicate",
      "accepted",
      "duplicate",
      "failed",
      "duplicate",
    ]);
    expect(summary).toMatchObject({ received: 5, accepted: 1, failed: 1, conflicts: 0 });
    const ids = Object(results).map(({ article_id }: { article_id?: number }) => article_id);
    expect(ids[1]).toBe(ids[2]);
    expect(ids[4]).toBe(ids[0]);
    expect(ids[3]).toBeUndefined();
  });

  test("a second post of the same article is a duplicate of the first, whatever its markup and white space", async () => {
    const id = fresh();
    const first = await bodyOf(await api.post(item({ external_id: id })));
    const before = await api.snapshot();
    const dressed = `<p>${String(item({ external_id: id }).content).replaceAll(" ", " \n ")}</p><script>x()</script>`;
    const second = await bodyOf(await api.post(item({ external_id: id, content: dressed })));
    expect(Object(second).results).toEqual([
      { external_id: id, status: "duplicate", article_id: Object(first).results[0].article_id },
    ]);
    expect(await api.snapshot()).toEqual(before);
  });

  test("a conflict rejects the whole batch with 409 and leaves the database as it was", async () => {
    const [known, other] = [fresh(), fresh()];
    await api.post(item({ external_id: known }));
    await api.settled();
    api.lines.length = 0;
    api.jobs.length = 0;
    const before = await api.snapshot();
    const changed = item({ external_id: known, content: `${item({ external_id: known }).content} تحديث` });
    const res = await api.post({
      articles: [item({ external_id: other }), changed, item({ external_id: fresh(), url: "x" })],
    });
    expect(res.status).toBe(409);
    expect(res.headers.get("content-type")).toBe("application/problem+json");
    expect(await bodyOf(res)).toMatchObject({
      type: "/errors/conflict",
      title: "Conflict",
      status: 409,
      instance: "/v1/ingest/articles",
      schema: "ingest.v1",
      summary: { received: 3, accepted: 1, failed: 1, conflicts: 1 },
      results: [
        { external_id: other, status: "accepted" },
        { external_id: known, status: "conflict" },
        { status: "failed", error: { type: "/errors/invalid-url" } },
      ],
    });
    expect(await api.snapshot()).toEqual(before);
    await api.settled();
    expect(api.jobs).toEqual([]);
    expect(api.lines).toMatchObject([
      { level: "warn", msg: `conflict for external_id ${known}`, source_id: "s-1" },
      { status: 409, received: 3, conflicts: 1 },
    ]);
  });

  test("an accepted item of a rejected batch carries no article_id", async () => {
    const known = fresh();
    await api.post(item({ external_id: known }));
    const changed = item({ external_id: known, title: "عنوان آخر" });
    const { results } = await bodyOf(await api.post({ articles: [item({ external_id: fresh() }), changed] }));
    expect(Object(results)[0]).not.toHaveProperty("article_id");
  });

  test("two items of one batch under one pair with different contents conflict", async () => {
    const id = fresh();
    const before = await api.snapshot();
    const res = await api.post({ articles: [item({ external_id: id }), item({ external_id: id, title: "غيره" })] });
    expect(res.status).toBe(409);
    expect(await api.snapshot()).toEqual(before);
  });

  test("of 20 parallel posts of one article exactly one is accepted", async () => {
    const body = item({ external_id: fresh() });
    const answers = await Promise.all(Array.from({ length: 20 }, async () => bodyOf(await api.post(body))));
    const results = answers.map((answer) => Object(answer).results[0]);
    expect(results.filter(({ status }) => status === "accepted")).toHaveLength(1);
    expect(results.filter(({ status }) => status === "duplicate")).toHaveLength(19);
    expect(new Set(results.map(({ article_id }) => article_id)).size).toBe(1);
  });

  test("the summary's request id is the request's when that is a UUID, else a new one", async () => {
    const id = "3f0e6d2a-8f1c-4d43-9a7e-0a4f4e1f2b3c";
    const post = (requestId: string) => api.post(item({ external_id: fresh() }), { "x-request-id": requestId });
    expect(await bodyOf(await post(id))).toMatchObject({ summary: { request_id: id } });
    const res = await post("import-7");
    expect(res.headers.get("x-request-id")).toBe("import-7");
    expect(await bodyOf(res)).toMatchObject({ summary: { request_id: expect.stringMatching(UUID) } });
  });

  test("unknown fields and those that the service sets are ignored", async () => {
    const own = { category_id: "nonsense", category_source: 7, taxonomy_version: [], article_id: 1, state: "indexed" };
    const { results } = await bodyOf(await api.post(item({ external_id: fresh(), ...own, colour: "blue" })));
    expect(Object(results)[0].status).toBe("accepted");
    expect(await api.store.articles.get(Object(results)[0].article_id)).toMatchObject({
      state: "accepted",
      categoryId: null,
      categorySource: null,
    });
  });

  test("an unknown source is registered inactive", async () => {
    const source = `new-${fresh()}`;
    await api.post(item({ external_id: fresh(), source_id: source }));
    expect((await api.store.sources.list()).find(({ key }) => key === source)).toMatchObject({ active: false });
  });

  test("every log line of the request carries its id, and none the text of an article", async () => {
    const body = item({ external_id: fresh(), title: "سرّ لا يُكتب" });
    await api.post(body, { "x-request-id": "r-9" });
    expect(api.lines).toMatchObject([
      { request_id: "r-9", received: 1, accepted: 1, failed: 0, conflicts: 0, duplicates: 0 },
    ]);
    expect(JSON.stringify(api.lines)).not.toContain("سرّ");
  });
});
