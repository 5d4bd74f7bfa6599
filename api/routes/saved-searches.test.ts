import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { indexedArticles } from "@isnad/lib/store/testing";
import { bodyOf, type TestApi, testApi, TOKEN } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ API_PUBLIC_KEYS: "reader", PUBLIC_BASE_URL: "https://news.example/api/" });
}, 300_000);
afterAll(() => api.close());

const desk = { authorization: `Bearer ${TOKEN}` };
const reader = { "x-api-key": "reader" };

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = desk) {
  const response = await api.app.request(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = response.headers.get("content-type") ?? "";
  const isJson = type.includes("json");
  const text = isJson ? "" : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? Object(await bodyOf(response)) : {},
  };
}

async function keep(over: Record<string, unknown> = {}): Promise<Record<string, unknown> & { search_id: number }> {
  const { status, body } = await ask("POST", "/v1/searches", { name: "n", query: { q: "harbour" }, ...over });
  expect(status).toBe(201);
  return body;
}

/** Articles that a search matches, as the workers would store it; newest last. */
async function matched(searchId: number, count: number): Promise<number[]> {
  const ids = await indexedArticles(api.store, count);
  const matches = ids.map((articleId) => ({ searchId, articleId, similarity: null }));
  const outcome = await api.store.searches.putMatches({ matches, version: await api.store.searches.version() });
  expect(outcome).toMatchObject({ state: "stored", matches: count });
  return ids;
}

describe("a saved search", () => {
  test("is kept with its defaults, and shown as it was given", async () => {
    const given = { q: "مرفأ بيروت", lang: "ar", from: "2024-05-01", source_tier: 2, limit: 3 };
    const notify = { webhook: "https://hooks.example/a?key=b", digest: "daily" };
    const { status, headers, body } = await ask("POST", "/v1/searches", { name: "موانئ", query: given, notify });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ search_id: expect.any(Number), name: "موانئ", active: true, min_similarity: null },
      query: {
        ...{ q: "مرفأ بيروت", lang: "ar", from: "2024-05-01", source_tier: 2 },
        ...{ mode: "hybrid", match: "all", typos: "off", prefix: false },
      },
      notify: { webhook: notify.webhook, digest: "daily", failures: 0, last_error: null, next_at: null },
      feed_key: expect.stringMatching(/^[\w-]{32}$/),
      feeds: {
        atom: `https://news.example/api/v1/searches/${body.search_id}/feed.atom?key=${body.feed_key}`,
        json: `https://news.example/api/v1/searches/${body.search_id}/feed.json?key=${body.feed_key}`,
      },
      ...{ matches: 0, last_match_at: null, created_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect((await ask("GET", headers.get("location") ?? "")).body).toEqual(body);
  });

  test("shows its keys and its webhook to holders of scope desk alone, and is written by them alone", async () => {
    const { search_id } = await keep({ notify: { webhook: "https://hooks.example/secret" } });
    const path = `/v1/searches/${search_id}`;
    const { key } = await api.store.keys.create({ name: "k", scopes: ["read", "desk"] });
    const shown = await ask("GET", path, undefined, reader);
    expect(shown.status).toBe(200);
    for (const secret of ["feed_key", "feeds", "notify"]) expect(shown.body).not.toHaveProperty(secret);
    expect((await ask("GET", path, undefined, { "x-api-key": key })).body.feed_key).toBeString();
    expect((await ask("GET", path, undefined, {})).status).toBe(401);
    for (const [method, to] of [
      ["POST", "/v1/searches"],
      ["PATCH", path],
      ["DELETE", path],
      ["POST", `${path}/feed-key`],
      ["DELETE", `${path}/feed-key`],
    ] as const) {
      expect((await ask(method, to, { name: "x", query: {} }, {})).status).toBe(401);
      expect((await ask(method, to, { name: "x", query: {} }, reader)).status).toBe(403);
    }
    expect((await ask("PATCH", path, { name: "y" }, { authorization: `Bearer ${key}` })).body.name).toBe("y");
  });

  test.each<[string, unknown]>([
    ["name", { query: {} }],
    ["name", { name: "", query: {} }],
    ["name", { name: " \u200b ", query: {} }],
    ["name", { name: "x".repeat(201), query: {} }],
    ["query", { name: "n" }],
    ["query", { name: "n", query: "harbour" }],
    ["query.q", { name: "n", query: { q: "" } }],
    ["query.q", { name: "n", query: { q: "x".repeat(513) } }],
    ["query.q", { name: "n", query: { mode: "vector" } }],
    ["query.q", { name: "n", query: { mode: "vector", q: "?!" } }],
    ["query.mode", { name: "n", query: { mode: "fuzzy" } }],
    ["query.match", { name: "n", query: { match: "some" } }],
    ["query.typos", { name: "n", query: { typos: "auto" } }],
    ["query.prefix", { name: "n", query: { prefix: true } }],
    ["query.lang", { name: "n", query: { lang: "fr" } }],
    ["query.domain", { name: "n", query: { domain: "no host" } }],
    ["query.source_tier", { name: "n", query: { source_tier: 4 } }],
    ["query.from", { name: "n", query: { from: "yesterday" } }],
    ["query.from", { name: "n", query: { from: "2025-01-02", to: "2025-01-01" } }],
    ["min_similarity", { name: "n", query: {}, min_similarity: 1.5 }],
    ["active", { name: "n", query: {}, active: "yes" }],
    ["notify.digest", { name: "n", query: {}, notify: { digest: "weekly" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "ftp://a.example/" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "http://10.0.0.1/" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "ntfy+http://10.0.0.1/topic" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "matrix+https://matrix.example/!room:a" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "mailto:a@b.example" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "http://[fd00::1]/" } }],
    ["notify.webhook", { name: "n", query: {}, notify: { webhook: "http://2852039166/" } }],
  ])("with a bad %s is refused, named, and not kept", async (field, body) => {
    const before = await api.store.searches.version();
    const answer = await ask("POST", "/v1/searches", body);
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
    expect(await api.store.searches.version()).toEqual(before);
    const { search_id } = await keep();
    if (field !== "query" && field !== "name") {
      const { name: _, ...change } = Object(body);
      expect((await ask("PATCH", `/v1/searches/${search_id}`, change)).status).toBe(422);
    }
  });

  test("may lead to this machine while developing, and elsewhere where the operator says so", async () => {
    const hook = (webhook: string) => ({ name: "n", query: {}, notify: { webhook } });
    expect((await ask("POST", "/v1/searches", hook("http://127.0.0.1:9/"))).status).toBe(201);
    expect((await ask("POST", "/v1/searches", hook("http://localhost:9/"))).status).toBe(201);
    expect((await ask("POST", "/v1/searches", hook("ntfy+http://127.0.0.1:9/ports"))).status).toBe(201);
  });

  test("that is not there, or no number, is 404 or 422 everywhere", async () => {
    for (const [method, rest] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/matches"],
      ["GET", "/feed.atom?key=k"],
      ["POST", "/feed-key"],
    ] as const) {
      const body = method === "PATCH" ? {} : undefined;
      expect((await ask(method, `/v1/searches/999999${rest}`, body)).status).toBe(404);
      for (const odd of ["0", "-1", "1e3", "x", "9".repeat(40)]) {
        expect((await ask(method, `/v1/searches/${odd}${rest}`, body)).status).toBe(404);
      }
    }
  });

  test("is changed in what is given alone", async () => {
    const { search_id, feed_key } = await keep({ notify: { webhook: "https://hooks.example/", digest: "hourly" } });
    const path = `/v1/searches/${search_id}`;
    const { body } = await ask("PATCH", path, { active: false, notify: { digest: "none" } });
    expect(body).toMatchObject({
      name: "n",
      active: false,
      notify: { webhook: "https://hooks.example/", digest: "none" },
    });
    expect(body).toMatchObject({ feed_key, query: { q: "harbour" } });
    const other = await ask("PATCH", path, { query: { q: "port", mode: "bm25" }, notify: null, min_similarity: 0.7 });
    expect(other.body).toMatchObject({ query: { q: "port", mode: "bm25", match: "all" }, min_similarity: 0.7 });
    expect(other.body.notify).toMatchObject({ webhook: null, digest: "none" });
  });
});

test("the list goes from the newest to the oldest, page by page", async () => {
  const ids: number[] = [];
  for (let i = 0; i < 5; i++) ids.push((await keep()).search_id);
  const seen: number[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await ask("GET", `/v1/searches?limit=2${cursor}`);
    seen.push(...body.searches.map((search: { search_id: number }) => search.search_id));
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen.slice(0, 5)).toEqual(ids.toReversed());
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  for (const bad of ["limit=0", "limit=201", "cursor=x", "cursor=-1", "before=3"]) {
    expect((await ask("GET", `/v1/searches?${bad}`)).status).toBe(422);
  }
});

describe("what a search has matched", () => {
  test("is listed newest first, page by page, and goes with its article", async () => {
    const { search_id } = await keep();
    const ids = await matched(search_id, 5);
    const path = `/v1/searches/${search_id}/matches`;
    const first = await ask("GET", `${path}?limit=3`, undefined, reader);
    expect(first.body.matches[0]).toEqual({
      ...{ article_id: ids[4], doc_id: expect.any(String), matched_at: expect.any(String), similarity: null },
      ...{ title: expect.any(String), url: expect.any(String), source: "test-source", lang: "en", category: null },
      published_at: "2024-05-06T07:08:09.000Z",
    });
    const second = await ask("GET", `${path}?limit=3&cursor=${first.body.next_cursor}`);
    expect(second.body.next_cursor).toBeNull();
    const all = [...first.body.matches, ...second.body.matches].map(({ article_id }) => article_id);
    expect(all).toEqual(ids.toReversed());
    await api.store.articles.remove(ids[4] ?? 0);
    expect((await ask("GET", path)).body.matches).toHaveLength(4);
    expect((await ask("GET", `/v1/searches/${search_id}`)).body.matches).toBe(4);
  });

  test("is read in feeds with the search's key, until it is renewed or taken away", async () => {
    const name = `<b>"&'</b> موانئ ]]>`;
    const search = await keep({ name });
    const ids = await matched(search.search_id, 2);
    const base = `/v1/searches/${search.search_id}`;
    const feed = (form: string, key: unknown) => ask("GET", `${base}/feed.${form}?key=${key}`, undefined, {});
    const atom = await feed("atom", search.feed_key);
    expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(atom.text).toContain(`<id>urn:isnad:search:${search.search_id}</id>`);
    expect(atom.text).toContain("<b>\"&'</b> موانئ ]]]]><![CDATA[>");
    expect(atom.text.match(/<entry>/g)).toHaveLength(2);
    const known = { "if-none-match": String(atom.headers.get("etag")) };
    expect((await ask("GET", `${base}/feed.atom?key=${search.feed_key}`, undefined, known)).status).toBe(304);
    const { paths } = (await ask("GET", "/openapi.json")).body;
    expect(Object.keys(paths["/v1/searches/{search_id}/feed.atom"].get.responses)).toContain("304");
    const json = await feed("json", search.feed_key);
    expect(json.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    expect(json.body).toMatchObject({ title: name, items: [{ url: expect.any(String) }, {}] });
    const [shown] = Object.values<{ schema: { type: string } }>(
      paths["/v1/searches/{search_id}/feed.json"].get.responses["200"].content,
    );
    expect(shown?.schema.type).toBe("object");
    for (const wrong of ["wrong", "", "x".repeat(200)]) expect((await feed("atom", wrong)).status).toBe(401);
    expect((await ask("GET", `${base}/feed.atom`, undefined, desk)).status).toBe(401);

    const renewed = await ask("POST", `${base}/feed-key`);
    expect(renewed.body.feed_key).not.toBe(search.feed_key);
    expect((await feed("json", search.feed_key)).status).toBe(401);
    expect((await feed("json", renewed.body.feed_key)).status).toBe(200);
    const revoked = await ask("DELETE", `${base}/feed-key`);
    expect(revoked.body).toMatchObject({ feed_key: null, feeds: null });
    expect((await feed("json", renewed.body.feed_key)).status).toBe(401);
    expect((await feed("json", "null")).status).toBe(401);
    expect(ids).toHaveLength(2);
  });

  test("is deleted with the search, with all that was to be told of it", async () => {
    const { search_id } = await keep({ notify: { webhook: "http://127.0.0.1:9/" } });
    await matched(search_id, 3);
    expect(await api.store.searches.hooks.events(search_id, 9)).toHaveLength(3);
    const before = await api.snapshot();
    expect((await ask("DELETE", `/v1/searches/${search_id}`)).status).toBe(204);
    expect(await api.snapshot()).not.toEqual(before);
    const sql = new Bun.SQL(api.url, { max: 1 });
    const [left] =
      await sql`select (select count(*)::int from search_matches where search_id = ${search_id}) as matches,
      (select count(*)::int from outbox where subject = ${`search:${search_id}`}) as events`;
    await sql.end();
    expect(left).toEqual({ matches: 0, events: 0 });
    expect((await ask("DELETE", `/v1/searches/${search_id}`)).status).toBe(404);
  });
});
