import { afterAll, beforeAll, expect, test } from "bun:test";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

const BODY = JSON.stringify({ suggestions: [{ text: "Harbour", kind: "word", count: 3 }], extra: "kept" });
let retrieval: ReturnType<typeof Bun.serve>;
let api: TestApi;
const asked: URL[] = [];

beforeAll(async () => {
  retrieval = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      asked.push(new URL(request.url));
      return new Response(BODY);
    },
  });
  api = await testApi({ RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}`, API_PUBLIC_KEYS: "public" });
}, 300_000);
afterAll(async () => {
  await api.close();
  await retrieval.stop(true);
});

const suggest = (query: string, headers: Record<string, string> = { "x-api-key": "public" }) =>
  api.app.request(`/v1/suggest?${query}`, { headers });

test("what was typed is passed on, and the suggestions come back as they are", async () => {
  const res = await suggest("q=harb&limit=5");
  expect([res.status, await res.text()]).toEqual([200, BODY]);
  expect(asked.at(-1)?.pathname).toBe("/suggest");
  expect(Object.fromEntries(asked.at(-1)?.searchParams ?? [])).toEqual({ q: "harb", limit: "5" });
});

test("a key is needed where there are some, and bad parameters are named without asking anybody", async () => {
  const before = asked.length;
  expect((await suggest("q=harb", {})).status).toBe(401);
  for (const [query, field] of [
    ["limit=5", "q"],
    ["q=a&limit=50", "limit"],
    ["q=a&size=5", "size"],
  ] as const) {
    const res = await suggest(query);
    expect([query, res.status, Object.keys(Object((await bodyOf(res)).errors))]).toEqual([query, 422, [field]]);
  }
  expect(asked).toHaveLength(before);
});
