import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, type TestApi, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

let used = 0;
const fresh = (): string => `key-${++used}`;
const keyed = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  api.post(body, { "idempotency-key": key, ...headers });

describe("an Idempotency-Key", () => {
  test("gets the same answer again for the same body, and stores nothing more", async () => {
    const body = item({ external_id: fresh() });
    const first = await keyed("s-1:a", body, { "x-request-id": "first" });
    const answer = await first.text();
    expect(first.headers.has("idempotency-replayed")).toBe(false);
    const before = await api.snapshot();
    const second = await keyed("s-1:a", body, { "x-request-id": "second" });
    expect(second.status).toBe(202);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.headers.get("content-type")).toBe("application/json");
    expect(second.headers.get("x-request-id")).toBe("second");
    expect(await second.text()).toBe(answer);
    expect(await api.snapshot()).toEqual(before);
  });

  test("is allowed on a batch", async () => {
    const body = { articles: [item({ external_id: fresh() }), item({ external_id: fresh(), title: "" })] };
    const first = await (await keyed("batch", body)).text();
    const second = await keyed("batch", body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(first);
  });

  test("with another body is 422, and nothing of it is stored", async () => {
    await keyed("reused", item({ external_id: fresh() }));
    const before = await api.snapshot();
    const res = await keyed("reused", item({ external_id: fresh() }));
    expect(res.status).toBe(422);
    expect(await bodyOf(res)).toMatchObject({ type: "/errors/idempotency-key-reuse", status: 422 });
    expect(await api.snapshot()).toEqual(before);
  });

  test("with another body is 409 when that is one item whose pair is known with other content", async () => {
    const id = fresh();
    await keyed(`s-1:${id}`, item({ external_id: id }));
    const before = await api.snapshot();
    const res = await keyed(`s-1:${id}`, item({ external_id: id, title: "عنوان مصحح" }));
    expect(res.status).toBe(409);
    expect(await bodyOf(res)).toMatchObject({
      type: "/errors/conflict",
      summary: { conflicts: 1 },
      results: [{ external_id: id, status: "conflict" }],
    });
    expect(await api.snapshot()).toEqual(before);
  });

  test("of a batch with another body stays 422, conflict or not", async () => {
    const id = fresh();
    await keyed("batch-2", { articles: [item({ external_id: id }), item({ external_id: fresh() })] });
    const other = { articles: [item({ external_id: id, title: "غيره" }), item({ external_id: fresh() })] };
    expect((await keyed("batch-2", other)).status).toBe(422);
  });

  test("keeps no answer that accepted nothing: mended, an item is taken under the same key", async () => {
    const id = fresh();
    await api.post(item({ external_id: id }));
    for (const [name, broken] of Object.entries({
      failed: item({ external_id: fresh(), url: "nowhere" }),
      conflict: item({ external_id: id, title: "عنوان آخر" }),
      duplicate: item({ external_id: id }),
    })) {
      const first = await keyed(`mended-${name}`, broken);
      const again = await keyed(`mended-${name}`, broken);
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([first.status, null]);
      const mended = item({ external_id: fresh() });
      expect(await bodyOf(await keyed(`mended-${name}`, mended))).toMatchObject({ results: [{ status: "accepted" }] });
      const replayed = await keyed(`mended-${name}`, mended);
      expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    }
  });

  test("keeps the answer of a batch that accepted some of it", async () => {
    const batch = { articles: [item({ external_id: fresh() }), item({ external_id: fresh(), url: "nowhere" })] };
    await keyed("mixed", batch);
    expect((await keyed("mixed", batch)).headers.get("idempotency-replayed")).toBe("true");
    expect((await keyed("mixed", { articles: [item({ external_id: fresh() })] })).status).toBe(422);
  });

  test("keeps no answer of a request that was wrong", async () => {
    expect((await keyed("wrong-first", "{")).status).toBe(400);
    expect((await keyed("wrong-first", { articles: [] })).status).toBe(422);
    const right = await keyed("wrong-first", item({ external_id: fresh() }));
    expect(right.status).toBe(202);
    expect(right.headers.has("idempotency-replayed")).toBe(false);
  });

  test("belongs to the token it came with", async () => {
    await keyed("scoped", item({ external_id: fresh() }));
    const res = await keyed("scoped", item({ external_id: fresh() }), { authorization: "Bearer next-token" });
    expect(res.status).toBe(202);
    expect(res.headers.has("idempotency-replayed")).toBe(false);
  });

  test("sent many times at once is worked on once; the others wait for its answer", async () => {
    const body = item({ external_id: fresh() });
    const responses = await Promise.all(Array.from({ length: 10 }, () => keyed("crowd", body)));
    const answers = await Promise.all(responses.map((res) => res.text()));
    expect(new Set(answers).size).toBe(1);
    expect(responses.filter((res) => res.headers.get("idempotency-replayed") === "true")).toHaveLength(9);
  });

  test("is dropped with the article that its answer names", async () => {
    const body = item({ external_id: fresh() });
    const first = await bodyOf(await keyed("dropped", body));
    const [{ article_id }] = Object(first).results;
    await api.store.articles.remove(article_id);
    const again = await keyed("dropped", body);
    expect(again.headers.has("idempotency-replayed")).toBe(false);
    expect(Object(await bodyOf(again)).results[0]).toMatchObject({ status: "accepted" });
  });

  test("of a 409 is dropped with the article that was in the way", async () => {
    const id = fresh();
    const [{ article_id }] = Object(await bodyOf(await api.post(item({ external_id: id })))).results;
    const changed = item({ external_id: id, title: "عنوان آخر" });
    expect((await keyed("in-the-way", changed)).status).toBe(409);
    await api.store.articles.remove(article_id);
    expect((await keyed("in-the-way", changed)).status).toBe(202);
  });

  test("that is empty counts as none", async () => {
    const body = item({ external_id: fresh() });
    await keyed(" ", body);
    const res = await keyed(" ", body);
    expect(res.headers.has("idempotency-replayed")).toBe(false);
    expect(Object(await bodyOf(res)).results[0]).toMatchObject({ status: "duplicate" });
  });

  test("queues the accepted articles once", async () => {
    await api.settled();
    api.jobs.length = 0;
    const body = item({ external_id: fresh() });
    await keyed("queued-once", body);
    await keyed("queued-once", body);
    await api.settled();
    expect(api.jobs).toHaveLength(1);
  });
});
