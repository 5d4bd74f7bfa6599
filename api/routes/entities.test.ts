import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { nameKey } from "@isnad/lib/text";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

let api: TestApi;

const found = (name: string, type: string, mentions: number) => ({
  name,
  key: nameKey(name),
  type,
  mentions,
  confidence: 0.9,
  spans: [],
});

beforeAll(async () => {
  api = await testApi({ API_PUBLIC_KEYS: "key-1" });
  const ids = await admitItems(api.store, [
    testItem({ publishedAt: "2024-01-01T10:00:00.000Z" }),
    testItem({ publishedAt: "2024-01-31T23:00:00.000Z" }),
    testItem({ publishedAt: null }),
  ]);
  const entities = [
    [found("السعودية", "LOC", 3), found("Beirut", "LOC", 1), found("الأحد", "DATE", 20)],
    [found("السعودية", "ORG", 1), found("Beirut Port", "LOC", 2)],
    [found("Beirut", "ORG", 9), found("Beirut", "LOC", 1)],
  ];
  const batch = ids.map((articleId, i) => ({ articleId, entities: entities[i] ?? [] }));
  await api.store.entities.put(batch, { modelId: "test@1" });
  const relation = { type: "t", confidence: 1, start: 0, end: 1 };
  const [first] = ids;
  await api.store.relations.put(first ?? 0, {
    package: {},
    requestId: "r",
    replace: true,
    relations: [
      {
        ...relation,
        args: {},
        entities: { a: { name: "سعودية", key: nameKey("سعودية") }, b: { name: "Zed", key: "zed" } },
      },
    ],
  });
}, 300_000);
afterAll(() => api.close());

const ask = async (query: string) => {
  const res = await api.app.request(`/v1/entities?${query}`, { headers: { "x-api-key": "key-1" } });
  return { status: res.status, body: Object(await bodyOf(res)) };
};
const names = async (query: string) =>
  (await ask(query)).body.entities.map(({ name, mentions }: { name: string; mentions: number }) => [name, mentions]);

describe("GET /v1/entities", () => {
  test("lists the most mentioned first, with types, mentions and articles", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(200);
    const entity_id = expect.any(Number);
    expect(body).toEqual({
      entities: [
        { entity_id, name: "Beirut", types: ["ORG", "LOC"], mentions: 11, articles: 2 },
        { entity_id, name: "السعودية", types: ["LOC", "ORG"], mentions: 4, articles: 2 },
        { entity_id, name: "Beirut Port", types: ["LOC"], mentions: 2, articles: 1 },
        { entity_id, name: "Zed", types: [], mentions: 1, articles: 1 },
      ],
    });
    expect(await names("limit=1")).toEqual([["Beirut", 11]]);
  });

  test("dates, numbers and amounts are counted only when their type is asked for", async () => {
    expect(await names("type=DATE")).toEqual([["الأحد", 20]]);
  });

  test("q is a part of the name, in any spelling", async () => {
    expect(await names(`q=${encodeURIComponent("سعوديه")}`)).toEqual([["السعودية", 4]]);
    expect(await names("q=BEIRUT")).toEqual([
      ["Beirut", 11],
      ["Beirut Port", 2],
    ]);
    expect(await names("q=port")).toEqual([["Beirut Port", 2]]);
    for (const q of ["%25", "_", "…", "nobody"]) expect(await names(`q=${q}`)).toEqual([]);
  });

  test("type, from and to narrow what is counted; bounds are inclusive, a date alone is the whole day", async () => {
    expect(await names("type=ORG")).toEqual([
      ["Beirut", 9],
      ["السعودية", 1],
    ]);
    expect(await names("from=2024-01-02")).toEqual([
      ["Beirut Port", 2],
      ["السعودية", 1],
    ]);
    expect(await names("from=2024-01-31&to=2024-01-31&type=ORG")).toEqual([["السعودية", 1]]);
    expect(await names("to=2024-01-01T10:00:00Z&type=LOC")).toEqual([
      ["السعودية", 3],
      ["Beirut", 1],
    ]);
    expect(await names("from=2025-01-01")).toEqual([]);
  });

  test("names wrong parameters", async () => {
    for (const [query, field] of [
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["from=yesterday", "from"],
      ["q=", "q"],
      ["q=%00", "q"],
      ["from=2024-02-01&to=2024-01-01", "body"],
    ] as const) {
      const { status, body } = await ask(query);
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [field]]);
    }
  });

  test("wants a public key where there are some", async () => {
    expect((await api.app.request("/v1/entities")).status).toBe(401);
  });
});

test("a type that no entity has is refused with those that there are, and one that is never kept with the reason", async () => {
  const place = await ask("type=PLACE");
  expect(place.status).toBe(422);
  expect(place.body.errors.type[0]).toStartWith("must be PER, MISC, PERS, NORP, ORG, GPE, LOC,");
  expect((await ask("type=OCC")).body.errors.type).toEqual([
    "never is OCC: offices and occupations are no entities of an article",
  ]);
  expect((await ask("type=GPE")).status).toBe(200);
});
