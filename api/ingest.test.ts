import { expect, test } from "bun:test";
import { AppError } from "@isnad/lib/service/http";
import { answerOf, ingestLimits, itemsOf, summarize, summaryId } from "./ingest.ts";

test("summarize() counts the statuses", () => {
  const results = (["accepted", "accepted", "duplicate", "failed", "conflict"] as const).map((status) => ({
    external_id: "a",
    status,
  }));
  expect(summarize(results, "id")).toEqual({ request_id: "id", received: 5, accepted: 2, failed: 1, conflicts: 1 });
});

test("answerOf() is a 202 without conflicts and a 409 problem with them", () => {
  expect(answerOf([{ external_id: "a", status: "duplicate", article_id: 3 }], "id").status).toBe(202);
  const { status, body } = answerOf(
    [
      { external_id: "a", status: "conflict" },
      { external_id: "b", status: "conflict" },
    ],
    "id",
  );
  expect(status).toBe(409);
  expect(body).toMatchObject({
    type: "/errors/conflict",
    detail: "2 articles are known with other content; nothing was stored.",
    summary: { conflicts: 2 },
  });
});

test("summaryId() keeps a UUID and replaces anything else by one", () => {
  const id = "3F0E6D2A-8F1C-4D43-9A7E-0A4F4E1F2B3C";
  expect(summaryId(id)).toBe(id);
  expect(summaryId("import-1")).toMatch(/^[0-9a-f-]{36}$/);
});

/** Returns what is wrong with a body: its slug, and what it says of fields. */
function refusalOf(text: string, maxBatch = 3, itemHas: readonly string[] = []): unknown {
  try {
    return itemsOf(text, maxBatch, itemHas);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { slug: error.slug, errors: error.errors };
  }
}

test("itemsOf() gives the entries of a batch up to its limit, whatever they are, or the body as the one item", () => {
  expect(itemsOf('{"articles":[1,null,{"a":1}]}', 3)).toEqual([1, null, { a: 1 }]);
  expect(itemsOf('{"external_id":"a"}', 3)).toEqual([{ external_id: "a" }]);
  expect(itemsOf("{}", 3)).toEqual([{}]);
  expect(itemsOf('{"external_id":"a"}', 3, ["url", "external_id"])).toEqual([{ external_id: "a" }]);
});

test.each([
  ["no JSON", '{"articles":[}', "malformed-json", undefined],
  ["nothing", "", "malformed-json", undefined],
  ["a list", "[1]", "validation-error", "body"],
  ["a text", '"articles"', "validation-error", "body"],
  ["null", "null", "validation-error", "body"],
  ["articles that are no list", '{"articles":{"0":1}}', "validation-error", "articles"],
  ["articles that are null", '{"articles":null}', "validation-error", "articles"],
  ["an empty batch", '{"articles":[]}', "validation-error", "articles"],
])("itemsOf() refuses %s", (_, text, slug, field) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatchObject({ slug });
  if (field !== undefined) expect(refusal).toMatchObject({ errors: { [field]: [expect.any(String)] } });
});

test("itemsOf() refuses one more than the limit, and one item that has none of its fields", () => {
  expect(refusalOf('{"articles":[1,2,3]}')).toEqual([1, 2, 3]);
  expect(refusalOf('{"articles":[1,2,3,4]}')).toMatchObject({ slug: "batch-too-large" });
  expect(refusalOf('{"title":"x"}', 3, ["url", "external_id"])).toEqual({
    slug: "validation-error",
    errors: { body: ["must have `articles`, or be one item, with url and external_id"] },
  });
  // What an object inherits is no field of it.
  expect(refusalOf('{"title":"x"}', 3, ["toString"])).toMatchObject({ slug: "validation-error" });
  expect(refusalOf('{"__proto__":{"articles":[1]}}')).toHaveLength(1);
});

test("answerOf() says of one conflict that it is one, beside what became of the others", () => {
  const results = [
    { external_id: "a", status: "accepted" as const, article_id: 1 },
    { external_id: "b", status: "conflict" as const },
  ];
  const { status, body } = answerOf(results, "id");
  expect([status, body.results]).toEqual([409, results]);
  expect(body).toMatchObject({
    detail: "One article is known with other content; nothing was stored.",
    schema: "ingest.v1",
  });
});

test("the limits of a body grow with the batch, and are never less than those of other routes", () => {
  const limits = (maxBatch: number) =>
    ingestLimits({ maxBodyBytes: 1_000, maxBatch, requireKnownSource: false, idempotencyTtlS: 1, mayDelete: false });
  expect(limits(1).limit).toBe(1_000);
  const values = [1, 2, 1_000, 2_000].map((maxBatch) => limits(maxBatch).values ?? 0);
  expect(values[0]).toBeGreaterThan(500);
  expect(values[1]).toBe(values[0] ?? -1);
  expect(values[3]).toBe(2 * (values[2] ?? -1));
});
