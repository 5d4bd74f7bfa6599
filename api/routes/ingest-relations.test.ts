import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, type TestApi, TOKEN, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

const INGEST = { authorization: `Bearer ${TOKEN}` };

const send = (body: unknown, headers: Record<string, string> = INGEST) =>
  api.app.request("/ingest/relations", {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

/** Submits an article and returns its number. */
async function submit(over: Record<string, unknown> = {}): Promise<number> {
  const body = await bodyOf(await api.post(item({ external_id: crypto.randomUUID(), ...over })));
  return Object(body).results[0].article_id;
}

const articleOf = async (id: number) =>
  Object(await bodyOf(await api.app.request(`/v1/articles/${id}`, { headers: INGEST })));

const relation = (over: Record<string, unknown> = {}) => ({
  type: "located_in",
  args: { subject: "القطار", object: "المدينة" },
  confidence: 0.75,
  offsets: { start: 4, end: 26 },
  ...over,
});
const pack = (id: number | string, over: Record<string, unknown> = {}) => ({
  doc_id: String(id),
  lang: "ar",
  task_version: "re-3",
  nlp_lab_version: "2.1.0",
  enrichment_status: "ok",
  relations: [relation()],
  enrich_ms: 120,
  ...over,
});

describe("POST /ingest/relations", () => {
  test("`ok` stores the relations with their offsets, upserts the entities of their arguments, and says so", async () => {
    const id = await submit();
    const res = await send(
      pack(id, {
        relations: [relation(), relation({ type: "moves", args: { agent: "قطار", note: "…" }, confidence: 1 })],
      }),
      { ...INGEST, "x-request-id": "worker-7" },
    );
    expect(res.status).toBe(200);
    expect(res.headers.get("x-request-id")).toBe("worker-7");
    const { doc_id, relations, entities, raw } = await articleOf(id);
    expect(await bodyOf(res)).toEqual({
      doc_id,
      article_id: id,
      stored: 2,
      entities: 2,
      enrichment_status: "ok",
      request_id: "worker-7",
    });
    const [train, city] = entities.map(({ entity_id }: { entity_id: number }) => entity_id);
    expect(entities).toEqual([
      { entity_id: train, name: "القطار", type: "", mentions: 2, confidence: 1, offsets: [] },
      { entity_id: city, name: "المدينة", type: "", mentions: 1, confidence: 0.75, offsets: [] },
    ]);
    expect(relations).toEqual([
      { ...relation(), meta: { entities: { subject: train, object: city } } },
      {
        ...relation({ type: "moves", args: { agent: "قطار", note: "…" }, confidence: 1 }),
        meta: { entities: { agent: train } },
      },
    ]);
    expect(raw.ai.re_rid).toBe("worker-7");
    expect(raw.ai.ie.relations_summary).toEqual({ located_in: 1, moves: 1 });
  });

  test("the whole package is kept beside what the provider sent, further fields too", async () => {
    const id = await submit({ raw: { provider: "x", ai: { other: 1 } } });
    const body = pack(id, { relations: [relation({ note: "kept" })], extra: { deep: [1] } });
    expect((await send(body)).status).toBe(200);
    const { raw } = await articleOf(id);
    expect(raw.provider).toBe("x");
    expect(raw.ai.other).toBe(1);
    expect(raw.ai.relations).toEqual(body);
  });

  test("the article is named by its number or its uuid, in any case", async () => {
    const id = await submit();
    const { doc_id } = await articleOf(id);
    expect((await send(pack(doc_id))).status).toBe(200);
    const byNumber = await send({ ...pack(id), doc_id: id });
    expect(Object(await bodyOf(byNumber))).toMatchObject({ article_id: id, doc_id });
    expect(Object(await bodyOf(await send(pack(doc_id.toUpperCase()))))).toMatchObject({ article_id: id, doc_id });
  });

  test("a second package replaces the relations and their entities; the tagger's stay", async () => {
    const id = await submit();
    const berlin = { name: "Berlin", key: "berlin", type: "LOC", mentions: 3, confidence: 0.75, spans: [4, 10] };
    await api.store.entities.put([{ articleId: id, entities: [berlin] }], { modelId: "test@1" });
    await send(pack(id));
    await send(pack(id, { relations: [relation({ type: "visits", args: { who: "Berlin" } })] }));
    const { relations, entities, raw } = await articleOf(id);
    expect(relations.map(({ type }: { type: string }) => type)).toEqual(["visits"]);
    expect(entities.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ["Berlin", "LOC"],
      ["Berlin", ""],
    ]);
    expect(entities[0].entity_id).toBe(entities[1].entity_id);
    expect(relations[0].meta.entities).toEqual({ who: entities[0].entity_id });
    expect(raw.ai.ie.relations_summary).toEqual({ visits: 1 });
    await send(pack(id, { relations: [] }));
    expect((await articleOf(id)).relations).toEqual([]);
  });

  test("sending the same again changes nothing, whoever sends at the same time", async () => {
    const id = await submit();
    const headers = { ...INGEST, "x-request-id": "same" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(pack(id), headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const before = await articleOf(id);
    await send(pack(id), headers);
    expect(await articleOf(id)).toEqual(before);
    expect(before.relations).toHaveLength(1);
  });

  test("any other status is 202: the payload is kept, the relations stay", async () => {
    const id = await submit();
    await send(pack(id));
    const before = await articleOf(id);
    for (const enrichment_status of ["cached", "timeout", "error", "skipped"]) {
      const body = pack(id, { enrichment_status, relations: undefined });
      const res = await send(body, { ...INGEST, "x-request-id": enrichment_status });
      expect(res.status).toBe(202);
      expect(await bodyOf(res)).toMatchObject({
        stored: 0,
        entities: 0,
        enrichment_status,
        request_id: enrichment_status,
      });
      const { raw, relations, entities } = await articleOf(id);
      expect({ relations, entities }).toEqual({ relations: before.relations, entities: before.entities });
      expect(raw.ai.relations).toEqual(JSON.parse(JSON.stringify(body)));
      expect(raw.ai.re_rid).toBe(enrichment_status);
      expect(raw.ai.ie).toEqual(before.raw.ai.ie);
    }
  });

  test("offsets count code points of the stored content, the end exclusive", async () => {
    const content = `${"😀".repeat(250)}.`;
    const id = await submit({ content });
    const at = (start: number, end: number) => send(pack(id, { relations: [relation({ offsets: { start, end } })] }));
    expect((await at(0, 251)).status).toBe(200);
    expect((await at(251, 251)).status).toBe(200);
    const res = await at(0, 252);
    expect(res.status).toBe(422);
    expect(await bodyOf(res)).toMatchObject({
      errors: { "relations.0.offsets": ["must lie within the 251 characters of the stored content"] },
    });
  });

  test("one bad relation fails the whole package, and is named", async () => {
    const id = await submit();
    await send(pack(id));
    const before = await api.snapshot();
    for (const [bad, field] of [
      [{ offsets: { start: 0, end: 100_000 } }, "relations.1.offsets"],
      [{ offsets: { start: 9, end: 8 } }, "relations.1.offsets"],
      [{ offsets: { start: -1, end: 8 } }, "relations.1.offsets.start"],
      [{ offsets: { start: 0.5, end: 8 } }, "relations.1.offsets.start"],
      [{ offsets: { start: "0", end: 8 } }, "relations.1.offsets.start"],
      [{ offsets: undefined }, "relations.1.offsets"],
      [{ confidence: 1.01 }, "relations.1.confidence"],
      [{ confidence: -0.01 }, "relations.1.confidence"],
      [{ confidence: null }, "relations.1.confidence"],
      [{ args: ["a"] }, "relations.1.args"],
      [{ args: { agent: 7 } }, "relations.1.args.agent"],
      [{ type: "" }, "relations.1.type"],
      [{ args: { agent: "x".repeat(10_001) } }, "relations.1.args.agent"],
      [{ args: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`role${i}`, "x"])) }, "relations.1.args"],
    ] as const) {
      for (const enrichment_status of ["ok", "error"]) {
        const res = await send(pack(id, { enrichment_status, relations: [relation(), relation(bad)] }));
        expect([field, res.status]).toEqual([field, 422]);
        const { type, instance, errors } = await bodyOf(res);
        expect({ type, instance }).toEqual({ type: "/errors/validation-error", instance: "/ingest/relations" });
        expect(Object.keys(Object(errors))).toEqual([field]);
      }
    }
    expect(await api.snapshot()).toEqual(before);
  });

  test("names each wrong field of the package", async () => {
    const id = await submit();
    for (const [over, field] of [
      [{ doc_id: undefined }, "doc_id"],
      [{ doc_id: 1.5 }, "doc_id"],
      [{ enrichment_status: "done" }, "enrichment_status"],
      [{ enrichment_status: undefined }, "enrichment_status"],
      [{ relations: undefined }, "relations"],
      [{ relations: {} }, "relations"],
      [{ enrich_ms: 1.5 }, "enrich_ms"],
      [{ extra: Array.from({ length: 200 }).reduce((inner) => [inner], 1) }, "body"],
    ] as const) {
      const res = await send(pack(id, over));
      expect([field, res.status]).toEqual([field, 422]);
      expect(Object.keys(Object((await bodyOf(res)).errors))).toEqual([field]);
    }
  });

  test("a confidence beyond what the database keeps is clamped", async () => {
    const id = await submit();
    expect((await send(pack(id, { relations: [relation({ confidence: 1e-46 })] }))).status).toBe(200);
    const { relations, entities } = await articleOf(id);
    expect([relations[0].confidence, entities[0].confidence]).toEqual([0, 0]);
  });

  test("has at most 5,000 relations", async () => {
    const id = await submit();
    const few = { ...relation(), args: {} };
    const res = await send(pack(id, { relations: Array.from({ length: 5001 }, () => few) }));
    expect([res.status, Object(await bodyOf(res)).errors]).toEqual([
      422,
      { relations: ["must have at most 5000 entries"] },
    ]);
    expect((await send(pack(id, { relations: Array.from({ length: 5000 }, () => few) }))).status).toBe(200);
  });

  test("counts the fields and arguments of a relation before it reads them", async () => {
    const id = await submit();
    const argumentsOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`, 1]));
    const many = await send(pack(id, { relations: [{ ...argumentsOf(101), type: 1 }] }));
    expect(Object(await bodyOf(many)).errors).toEqual({ "relations.0": ["must have at most 100 entries"] });
    expect((await send(pack(id, { relations: [{ ...argumentsOf(96), ...relation() }] }))).status).toBe(200);
    const errorsOf = async (count: number) =>
      Object(await bodyOf(await send(pack(id, { relations: [relation({ args: argumentsOf(count) })] })))).errors;
    expect(await errorsOf(33)).toEqual({ "relations.0.args": ["must have at most 32 entries"] });
    expect(Object.keys(await errorsOf(32))).toHaveLength(32);
  });

  test("has at most 50,000 values", async () => {
    const id = await submit();
    const further = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`x${i}`, 1]));
    expect((await send(pack(id, further))).status).toBe(413);
  });

  test("an unknown article is 404", async () => {
    for (const id of [999_999_999, crypto.randomUUID(), "none", "0", "99999999999999999999", "\u0000"]) {
      const res = await send(pack(id));
      expect([id, res.status]).toEqual([id, 404]);
      expect(Object(await bodyOf(res)).type).toBe("/errors/not-found");
    }
  });

  test("needs the ingest token, JSON and at most 1.5 MB", async () => {
    const id = await submit();
    const { enrich_ms: _, ...rest } = pack(id);
    const res = await send(rest, {});
    expect([res.status, res.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Bearer")]);
    expect((await send(rest, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await send(rest, { authorization: "Bearer next-token" })).status).toBe(200);
    expect((await send("{", INGEST)).status).toBe(400);
    expect((await send("{}", { ...INGEST, "content-type": "text/plain" })).status).toBe(415);
    const large = await send({ ...rest, extra: "x".repeat(1_500_000) });
    expect([large.status, large.headers.get("retry-after")]).toEqual([413, "30"]);
    expect((await api.app.request("/ingest/relations")).status).toBe(405);
  });

  test("odd texts are stored: U+0000, half characters, roles named like members of every object, clauses", async () => {
    const id = await submit();
    const args = { constructor: "بيروت\u0000", half: "\ud800 x", toString: "كلمة ".repeat(2000) };
    const res = await send(pack(id, { relations: [relation({ type: "constructor", args })] }));
    expect(res.status).toBe(200);
    const { relations, raw } = await articleOf(id);
    expect(relations[0].args).toEqual({ constructor: "بيروت", half: "\ufffd x", toString: "كلمة ".repeat(2000) });
    expect(Object.keys(relations[0].meta.entities).toSorted()).toEqual(["constructor", "half"]);
    expect(raw.ai.ie.relations_summary).toEqual({ constructor: 1 });
  });

  test("a deleted article takes its relations along", async () => {
    const id = await submit();
    await send(pack(id));
    await api.app.request(`/v1/articles/${id}`, { method: "DELETE", headers: INGEST });
    expect((await send(pack(id))).status).toBe(404);
  });
});
