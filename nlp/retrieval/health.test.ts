import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestRetrieval, testRetrieval } from "./testing.ts";

let service: TestRetrieval;
beforeAll(async () => {
  service = await testRetrieval([{ title: "Harbour reopens", content: "Boats left at dawn. ".repeat(20), axis: 1 }]);
}, 300_000);
afterAll(() => service.close());

test("without its check-worthiness model the service is degraded, says so, and serves everything else", async () => {
  const health = await service.get("/health");
  expect(health.status).toBe(200);
  expect(health.body).toMatchObject({
    status: "degraded",
    deps: { check_worthiness: "fail", database: "ok", threads: "ok" },
  });
  const response = await service.app.request("/s1/check-worthiness", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "It rose by 5 percent." }),
  });
  expect(response.status).toBe(503);
  expect((await service.get("/search?q=harbour")).status).toBe(200);
});

test("a thread that does not run makes the service degraded, and is no reason to serve nothing", async () => {
  const lastError = "keyword index: its thread has ended: exit code 7";
  const keyword = { threads: 2, alive: 1, failing: 1, restarts: 4, lastError };
  const limping = await testRetrieval([{ title: "Harbour reopens", content: "Boats left.", axis: 1 }], {
    threads: () => ({ keyword }),
  });
  const health = await limping.get("/health");
  expect(health).toMatchObject({ status: 200, body: { status: "degraded", deps: { threads: "fail", keyword: "ok" } } });
  expect((await limping.get("/search?q=harbour")).status).toBe(200);
  await limping.close();
});

test("the document of the service knows both paths of check-worthiness", async () => {
  const { body } = await service.get("/openapi.json");
  expect(Object.keys(body.paths ?? {})).toEqual(expect.arrayContaining(["/s1/check-worthiness", "/s1/score"]));
});

test("the document of the service says which bodies of /retrieve and of check-worthiness are right", async () => {
  const { body } = await service.get("/openapi.json");
  const { CheckRequest, RetrieveRequest } = Object(body.components).schemas;
  expect(CheckRequest.oneOf.map(({ required }: { required: string[] }) => required)).toEqual([["text"], ["sentences"]]);
  expect(RetrieveRequest.anyOf).toEqual(["k_bm25", "k_knn"].map((k) => ({ properties: { [k]: { minimum: 1 } } })));
  const { search_fields, term } = RetrieveRequest.properties.filters.properties;
  expect([term.minProperties, term.maxProperties, term.additionalProperties]).toEqual([1, 1, false]);
  for (const name of Object.keys(term.properties)) {
    const asked = await service.retrieve({ query: "harbour", filters: { term: { [name]: "1" } } });
    expect([name, asked.status]).toEqual([name, 200]);
  }
  const { pattern } = search_fields.items;
  for (const [field, status] of [
    ["title^2.5", 200],
    ["content", 200],
    ["body", 422],
    ["title^", 422],
  ] as const) {
    const asked = await service.retrieve({ query: "harbour", filters: { search_fields: [field] } });
    expect([asked.status, new RegExp(pattern).test(field)]).toEqual([status, status === 200]);
  }
});
