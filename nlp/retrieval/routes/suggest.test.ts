import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestRetrieval, testRetrieval } from "../testing.ts";
import { createEntityNames } from "./suggest.ts";

const filler = "The council met and nobody raised a hand. ".repeat(6);
const article = (title: string, content = filler) => ({ title, content, axis: 0 });

let service: TestRetrieval;
beforeAll(async () => {
  service = await testRetrieval([
    article("Harbour reopens in Marrakesh"),
    article("Harbour dues rise"),
    article("Harvest begins"),
    article("افتتاح مكتبة المدينة", `${filler} المكتبة الجديدة`),
  ]);
  const [first = 0, second = 0] = service.ids;
  const found = (name: string, key: string) => ({ name, key, type: "LOC", mentions: 1, confidence: 1, spans: [0, 1] });
  await service.store.entities.put(
    [
      { articleId: first, entities: [found("Marrakesh", "marrakesh"), found("Port of Harwich", "port of harwich")] },
      { articleId: second, entities: [found("Marrakesh", "marrakesh"), found("Mars", "mars")] },
    ],
    { modelId: "test" },
  );
}, 300_000);
afterAll(() => service.close());

async function suggested(query: string) {
  const { status, body } = await service.get(`/suggest?${query}`);
  expect(status).toBe(200);
  const { suggestions } = body;
  return Array.isArray(suggestions) ? suggestions : [];
}
const texts = async (query: string, kind: string) =>
  (await suggested(query)).filter((each) => each.kind === kind).map((each) => each.text);

test("titles, words and entities go on from what was typed, each as articles write it", async () => {
  expect((await texts("q=harb", "title")).toSorted()).toEqual(["Harbour dues rise", "Harbour reopens in Marrakesh"]);
  expect(await texts("q=har", "word")).toEqual(["Harbour", "Harvest"]);
  expect(await texts("q=harbour%20re", "word")).toEqual(["harbour reopens"]);
  expect(await texts(`q=${encodeURIComponent("مكت")}`, "word")).toEqual(["مكتبة"]);
  expect(await texts(`q=${encodeURIComponent("المكت")}`, "title")).toEqual(["افتتاح مكتبة المدينة"]);
});

test("entities are found by any of their words, those that more articles name first", async () => {
  const entities = (await suggested("q=mar")).filter(({ kind }) => kind === "entity");
  expect(entities.map(({ text, count }) => [text, count])).toEqual([
    ["Marrakesh", 2],
    ["Mars", 1],
  ]);
  expect(entities[0]?.entity_id).toBeGreaterThan(0);
  expect(await texts("q=harw", "entity")).toEqual(["Port of Harwich"]);
});

test("a typing error is no obstacle, a word without meaning suggests nothing, and so do signs", async () => {
  expect(await texts("q=harbuor", "title")).toContain("Harbour dues rise");
  expect(await suggested("q=zzzqqqxx")).toEqual([]);
  expect(await suggested("q=%3F%21")).toEqual([]);
});

test("there are no more than are asked for, and bad parameters are named", async () => {
  expect(await suggested("q=har&limit=2")).toHaveLength(2);
  for (const [query, field] of [
    ["", "q"],
    ["q=", "q"],
    ["q=a&limit=0", "limit"],
    ["q=a&limit=21", "limit"],
  ] as const) {
    const { status, body } = await service.get(`/suggest?${query}`);
    expect([query, status, Object.keys(Object(body.errors))]).toEqual([query, 422, [field]]);
  }
});

test("names are read once, and again only after a failure", async () => {
  let reads = 0;
  const names = createEntityNames({
    async mostNamed() {
      if (++reads === 1) throw new Error("away");
      return [{ entityId: 1, name: "Taiz", key: "taiz", articles: 3 }];
    },
  });
  await expect(names.beginning("ta", 5)).rejects.toThrow("away");
  for (let i = 0; i < 3; i++) expect(await names.beginning("Ta", 5)).toHaveLength(1);
  expect(await names.beginning("?", 5)).toEqual([]);
  expect(reads).toBe(2);
});
