import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { bodyOf, item, type TestApi, testApi } from "../testing.ts";

setDefaultTimeout(300_000);

/** A retrieval service on loopback that answers when the test lets it. */
let release: () => void;
let answer: () => Response;
let asked = 0;
let retrieval: ReturnType<typeof Bun.serve>;
let api: TestApi;

beforeAll(async () => {
  retrieval = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch() {
      asked += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return answer();
    },
  });
  api = await testApi({
    RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}`,
    SEARCH_CONCURRENCY: "1",
    INGEST_CONCURRENCY: "1",
    REQUEST_MAX_WAITING: "0",
  });
});
afterAll(async () => {
  await api.close();
  await retrieval.stop(true);
});

const meta = { took_ms: 1, degraded: false, diagnostics: {} };
const FOUND = { schema: "search.v1", query: "a", mode: "hybrid", total: 0, results: [], meta };
const search = () => api.app.request("/v1/search?q=a");
const metrics = async () => (await api.app.request("/metrics")).text();
const asking = async (times: number): Promise<void> => {
  while (asked < times) await Bun.sleep(1);
};

test("a search beyond what can be done is refused before anybody is asked, and says when to come again", async () => {
  asked = 0;
  answer = () => Response.json(FOUND);
  const first = search();
  await asking(1);
  const refused = await search();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await bodyOf(refused)).toMatchObject({ type: "/errors/overloaded", title: "Overloaded", status: 503 });
  expect(api.lines.at(-1)).toMatchObject({ level: "warn", status: 503, error: "overloaded" });
  release();
  expect((await first).status).toBe(200);
  expect(asked).toBe(1);
  const text = await metrics();
  expect(text).toContain('search_requests_total{mode="hybrid",outcome="overloaded"} 1');
  expect(text).toContain('limiter_refused_total{limiter="search",reason="full"} 1');
  expect(text).toContain('inference_rrf_mode{mode="rrf"} 1');
});

test("what the retrieval service refuses is passed on with its Retry-After", async () => {
  asked = 0;
  answer = () =>
    Response.json({ type: "/errors/overloaded", detail: "Later." }, { status: 503, headers: { "retry-after": "17" } });
  const first = search();
  await asking(1);
  release();
  const passed = await first;
  expect([passed.status, passed.headers.get("retry-after")]).toEqual([503, "17"]);
  expect(await bodyOf(passed)).toMatchObject({ type: "/errors/overloaded", detail: "Later." });
});

test("an ingest request beyond what can be done is refused and stores nothing; sent again it is accepted", async () => {
  const items = Array.from({ length: 8 }, (_, n) => item({ external_id: `e-${n}` }));
  const answers = await Promise.all(items.map((one) => api.post(one)));
  const refused = items.filter((_, n) => answers[n]?.status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(8 - refused.length);
  for (const one of answers.filter(({ status }) => status === 503)) {
    expect(one.headers.get("retry-after")).toBe("1");
    expect(await bodyOf(one)).toMatchObject({ type: "/errors/overloaded" });
  }
  expect(await api.store.articles.countPending()).toBe(8 - refused.length);
  expect(await metrics()).toContain(`ingest_requests_total{outcome="overloaded"} ${refused.length}`);
  for (const one of refused) {
    const { results } = await bodyOf(await api.post(one));
    expect(results).toMatchObject([{ status: "accepted" }]);
  }
});
