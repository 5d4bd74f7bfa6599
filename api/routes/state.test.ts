import { afterAll, beforeAll, expect, test } from "bun:test";
import { StackState } from "@isnad/lib/contract";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestApi, testApi, TOKEN } from "../testing.ts";

const DEGRADED = {
  ...{ status: "degraded", service: "any", version: "0.2.0", uptime_s: 1 },
  deps: { database: "ok", indexes: { keyword: "fail" }, disk: "fail" },
  reasons: { disk: "full" },
  components: { "morph-ar": { kind: "model", version: "3", licence: "Apache-2.0" } },
};
let said: { body: unknown; status?: number } = { body: DEGRADED };

/** A service that says of itself what the test wants, under every address but one. */
let service: ReturnType<typeof Bun.serve>;
let api: TestApi;
beforeAll(async () => {
  service = Bun.serve({ port: 0, fetch: () => Response.json(said.body, { status: said.status ?? 200 }) });
  const url = `http://127.0.0.1:${service.port}`;
  api = await testApi({ RETRIEVAL_URL: url, NLP_URL: url, EDGE_URL: url, SCRAPER_URL: "http://127.0.0.1:9" });
}, 300_000);
afterAll(async () => {
  await service.stop(true);
  await api.close();
});

const ask = (headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
  api.app.request("/v1/state", { headers });

test("the state names what fails, what is away, what waits and what was given up", async () => {
  const [id = 0] = await admitItems(api.store, [testItem({}), testItem({})]);
  const claim = { stage: "ingestion", owner: "test", leaseS: 3_600, limit: 1 };
  const [held] = await api.store.work.claim(claim);
  const failure = { articleId: held?.articleId ?? id, reason: "<b>poison</b>", delayS: 0 };
  await api.store.work.fail({ stage: "ingestion", owner: "test" }, [failure], { maxAttempts: 1 });
  const { keyId } = await api.store.keys.create({ name: "a reader", scopes: ["read"] });
  const revoked = await api.store.keys.create({ name: "gone", scopes: ["read"] });
  await api.store.keys.revoke(revoked.keyId);
  await api.store.followers.put({ name: "keyword", state: "failing", seq: 0, resets: 0, reason: "disk" });
  // Whoever holds a right alone is no index, and keeps it while others are forgotten.
  expect(await api.store.followers.lease("a-right", { owner: "one", leaseS: 3_600 })).toBe(true);
  await api.store.followers.prune();
  expect(await api.store.followers.lease("a-right", { owner: "other", leaseS: 3_600 })).toBe(false);

  const response = await ask();
  expect(response.status).toBe(200);
  const state = StackState.parse(await response.json());
  expect(state.services.map(({ name, status }) => [name, status])).toEqual([
    ["api", "ok"],
    ["retrieval", "degraded"],
    ["nlp", "degraded"],
    ["edge", "degraded"],
    ["scraper", "away"],
  ]);
  expect(state.services[1]).toMatchObject({
    version: "0.2.0",
    failing: [
      { name: "indexes.keyword", reason: null },
      { name: "disk", reason: "full" },
    ],
    components: [{ name: "morph-ar", kind: "model", version: "3", licence: "Apache-2.0" }],
  });
  expect(state.articles).toEqual({ pending: 1, stored: 2 });
  expect(state.stages).toEqual([{ stage: "ingestion", waiting: 1, set_aside: 1 }]);
  expect(state.set_aside).toMatchObject([{ stage: "ingestion", attempts: 1, reason: "<b>poison</b>" }]);
  expect(state.indexes).toEqual([{ name: "keyword", state: "failing", behind: 0, reason: "disk" }]);
  expect(state.keys.map(({ key_id, name }) => [key_id, name])).toEqual([[keyId, "a reader"]]);
  expect(state.storage.database_bytes).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(state)).not.toContain("hash");
});

test.each([
  ["that says it is well", "ok", { body: { ...DEGRADED, status: "ok" } }],
  ["that says so and answers that it is not", "degraded", { body: { ...DEGRADED, status: "ok" }, status: 503 }],
  ["whose answer says nothing of how it is", "away", { body: { service: "any", deps: {} } }],
  ["that is another program's", "away", { body: ["hello"] }],
])("a service %s is %s", async (_, status, answer) => {
  said = answer;
  const state = StackState.parse(await (await ask()).json());
  expect(state.services.filter(({ name }) => name === "edge").map((one) => one.status as string)).toEqual([status]);
});

test("it is the desk's: nobody sees it without a credential", async () => {
  expect((await ask({})).status).toBe(401);
});
