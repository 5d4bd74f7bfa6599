import { afterAll, beforeAll, expect, test } from "bun:test";
import { ENTITY_TYPES } from "@isnad/lib/contract";
import { createTagger, openRegistry, type Tagger } from "@isnad/lib/models";
import { loadConfig } from "@isnad/lib/service/config";
import { createService, type Limiter, listen, type Listening } from "@isnad/lib/service/http";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { type EntityFinder, openEntities } from "../models.ts";
import { addNer, tagsOf } from "./ner.ts";

let tagger: Tagger;
let server: Listening;
const limiter: Limiter = { run: (work) => work() };
const serviceOf = (entities: EntityFinder) => {
  const logger = createLogger({ service: "nlp", level: "fatal" });
  const config = loadConfig({}, { service: "nlp" });
  const { app } = createService({ name: "nlp", version: "1", config, logger, metrics: createMetrics(), deps: {} });
  addNer(app, { entities, limiter });
  return app;
};
beforeAll(async () => {
  tagger = await createTagger({ registry: openRegistry(), nestedOnly: true, timeoutMs: 240_000 });
  server = await listen(serviceOf(openEntities({ model: tagger })).fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server.stop(0);
  await tagger.close();
});

type Params = { text: string; mode?: "nested" | "flat"; include_offsets?: boolean };
type Found = {
  tokens: { token: string; tags?: string[]; tag?: string; start?: number; end?: number }[];
  entities: { type: string; text: string; start: number; end: number; level: number }[];
};

const post = (body: unknown): Promise<Response> =>
  fetch(`${server.url}/ner`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const get = (query: Record<string, string>): Promise<Response> =>
  fetch(`${server.url}/ner?${new URLSearchParams(query)}`);
const ask = async (params: Params): Promise<Found> => Object(await (await post(params)).json());

const SENTENCE = "قال رئيس بلدية نابلس إن وزارة الصحة الفلسطينية ستفتح مستشفى في رام الله.";

test("entities nest, the outermost first, each with its level", async () => {
  const { tokens, entities } = await ask({ text: SENTENCE });
  expect(entities).toEqual(
    expect.arrayContaining([
      { type: "OCC", text: "رئيس بلدية نابلس", name: "رئيس بلدية نابلس", start: 4, end: 20, level: 0 },
      { type: "ORG", text: "بلدية نابلس", name: "بلدية نابلس", start: 9, end: 20, level: 1 },
      { type: "GPE", text: "نابلس", name: "نابلس", start: 15, end: 20, level: 2 },
      { type: "ORG", text: "وزارة الصحة الفلسطينية", name: "وزارة الصحة الفلسطينية", start: 24, end: 46, level: 0 },
    ]),
  );
  expect(tokens.slice(0, 4)).toEqual([
    { token: "قال", tags: ["O"] },
    { token: "رئيس", tags: ["B-OCC"] },
    { token: "بلدية", tags: ["I-OCC", "B-ORG"] },
    { token: "نابلس", tags: ["I-OCC", "I-ORG", "B-GPE"] },
  ]);
});

test("flat: one tag a token, and only the entities that lie in no other", async () => {
  const nested = await ask({ text: SENTENCE });
  const flat = await ask({ text: SENTENCE, mode: "flat" });
  expect(flat.entities).toEqual(nested.entities.filter(({ level }) => level === 0));
  expect(flat.tokens).toEqual(nested.tokens.map(({ token, tags }) => ({ token, tag: tags?.[0] ?? "" })));
});

test("GET and POST give the same bytes, in every mode", async () => {
  const text = "وصل ٣ وزراء إلى U.S. في 12 آذار 2020؟ نعم 😀";
  const cases: Omit<Params, "text">[] = [
    {},
    { mode: "flat" },
    { include_offsets: true },
    { mode: "flat", include_offsets: true },
  ];
  for (const params of cases) {
    const posted = await (await post({ text, ...params })).text();
    const query = Object.fromEntries(Object.entries({ text, ...params }).map(([name, value]) => [name, String(value)]));
    expect(await (await get(query)).text()).toBe(posted);
    if (params.include_offsets === true) {
      expect(await (await get({ ...query, include_offsets: "1" })).text()).toBe(posted);
    }
  }
});

test.each([
  "ك",
  "\u064e\u0651",
  "😀😀 😀",
  "\ufeffزار 😀 الرَّئيسُ بَيْـــروتَ و\u200fدمشق",
  "ٱلْحَمْدُ لِلَّهِ رَبِّ ٱلْعَٰلَمِينَ",
  "سعر 12.5٪ و١٢٫٥ و3-5 دولارات، CNN وBBC في New York",
  "a\u0301 𝒳 ﷺ ﻻ",
  "...\n\n؟!",
])("offsets of %p are code points of the text as it was sent", async (text) => {
  const { tokens, entities } = await ask({ text, include_offsets: true });
  const points = [...text];
  for (const { token, start, end } of tokens) expect(points.slice(start, end).join("")).toBe(token);
  for (const { type, text: shown, start, end } of entities) {
    expect(points.slice(start, end).join("")).toBe(shown);
    expect(ENTITY_TYPES.map(String)).toContain(type);
  }
  const left = tokens.reduce<string>((rest, { token }) => rest.replace(token, ""), text);
  expect(left).toMatch(/^[\s\p{Cf}\u0640\p{M}]*$/u);
});

test("tags and entities say the same", async () => {
  const { tokens, entities } = await ask({ text: SENTENCE, include_offsets: true });
  const begun = tokens.flatMap(({ tags = [] }) => tags.filter((tag) => tag.startsWith("B-")));
  expect(begun).toEqual(entities.map(({ type }) => `B-${type}`));
});

test("a text of 20,000 characters is read to its end, as the same sentence is by itself; one more is 413", async () => {
  const times = Math.floor(20_000 / (SENTENCE.length + 1));
  const text = `${SENTENCE}\n`.repeat(times).padEnd(20_000, " ");
  const { entities } = await ask({ text });
  const last = entities.filter(({ start }) => start >= (times - 1) * (SENTENCE.length + 1));
  expect(last.map(({ text: shown }) => shown)).toContain("رئيس بلدية نابلس");
  // One sentence of many windows: whatever lies at the edge of one is read in the next as well.
  const long = `${SENTENCE.slice(0, -1)} `.repeat(40).trim();
  const places = (await ask({ text: long })).entities.filter((entity) => entity.text === "نابلس");
  expect(places.map(({ start }) => start)).toEqual(Array.from({ length: 40 }, (_, i) => i * SENTENCE.length + 15));
  expect((await post({ text: `${text}x` })).status).toBe(413);
  expect((await get({ text: "ك".repeat(2_001) })).status).toBe(414);
});

test("bad input is told what rule it breaks", async () => {
  const errors = async (response: Response) => [response.status, Object(await response.json()).errors];
  expect(await errors(await post({ text: " \n" }))).toEqual([422, { text: ["must not be empty"] }]);
  expect(await errors(await post({}))).toEqual([422, { text: ["is required"] }]);
  expect((await errors(await post({ text: "كتب", mode: "deep" })))[0]).toBe(422);
  expect((await get({ text: "كتب", include_offsets: "yes" })).status).toBe(422);
  expect((await fetch(`${server.url}/ner`, { method: "POST", body: "كتب" })).status).toBe(415);
  const broken = { method: "POST", headers: { "content-type": "application/json" }, body: "{" };
  expect((await fetch(`${server.url}/ner`, broken)).status).toBe(400);
});

const tokens = ["رئيس", "بلدية", "نابلس", "وجنين"].map((text, i, all) => {
  const start = all.slice(0, i).join(" ").length + (i > 0 ? 1 : 0);
  return { text, start, end: start + text.length };
});
const entity = (type: string, start: number, end: number, level: number) => {
  return { type, start, end, level, text: "", name: "", confidence: 1 };
};

test("tags go from the outermost entity inwards; a token in none has none", () => {
  const entities = [entity("OCC", 0, 17, 0), entity("ORG", 5, 17, 1), entity("GPE", 11, 17, 2)];
  expect(tagsOf({ tokens, entities })).toEqual([["B-OCC"], ["I-OCC", "B-ORG"], ["I-OCC", "I-ORG", "B-GPE"], []]);
});

test("an entity that begins within a word, after its conjunction, tags the word", () => {
  expect(tagsOf({ tokens, entities: [entity("GPE", 11, 17, 0), entity("GPE", 19, 23, 0)] })).toEqual([
    [],
    [],
    ["B-GPE"],
    ["B-GPE"],
  ]);
});
