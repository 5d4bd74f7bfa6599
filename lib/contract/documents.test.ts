import { expect, test } from "bun:test";
import { z } from "../service/http/mod.ts";
import { testService } from "../service/http/testing.ts";
import { ChunkFilters, IngestItem, nameField, RelationsPackage, SummaryRequest, timeParam } from "./mod.ts";
import { chatRequest } from "./answers.ts";
import { numberParam } from "./fields.ts";
import { hostField } from "./filters.ts";

const Body = z.object({
  name: nameField({ max: 9 }),
  number: numberParam(),
  streamed: chatRequest({ stream: true }),
  whole: chatRequest({ stream: false }),
  host: hostField(),
  time: timeParam(),
  chunks: ChunkFilters,
  relations: RelationsPackage,
  summary: SummaryRequest,
  item: IngestItem,
});

/** What the document says of the fields, and the schemas that it names. */
async function documented() {
  const { app } = testService();
  const content = { "application/json": { schema: Body } };
  app.openAPIRegistry.registerPath({ method: "post", path: "/", request: { body: { content } }, responses: {} });
  const { paths, components } = Object(await (await app.request("/openapi.json")).json());
  return { fields: paths["/"].post.requestBody.content["application/json"].schema.properties, ...components };
}

test.each(["a", "ا\nب", "a\u0000b", "\u0000", "", "0123456789"])(
  "the document and the schema of a name agree on %j",
  async (name) => {
    const { fields } = await documented();
    const { pattern, minLength, maxLength } = fields.name;
    const fits = new RegExp(pattern, "u").test(name) && name.length >= minLength && name.length <= maxLength;
    expect(fits).toBe(Body.shape.name.safeParse(name).success);
  },
);

test("the number of a claim, review, story or search has the bounds that are documented", async () => {
  const { fields } = await documented();
  const { minimum, maximum } = fields.number;
  const takes = (value: number) => Body.shape.number.safeParse(String(value)).success;
  expect([minimum, maximum].map(takes)).toEqual([true, true]);
  expect([minimum - 1, maximum + 1].map(takes)).toEqual([false, false]);
});

test("a chat that streams where nothing is said has another name than one that does not", async () => {
  const { fields, schemas } = await documented();
  const defaultOf = (field: { $ref: string }) => schemas[field.$ref.split("/").at(-1) ?? ""].properties.stream.default;
  expect([fields.streamed.$ref, defaultOf(fields.streamed)]).toEqual([expect.stringMatching(/Completion/), true]);
  expect([fields.whole.$ref, defaultOf(fields.whole)]).toEqual([expect.stringMatching(/\/ChatRequest$/), false]);
});

test("a host is documented as one, and is never empty", async () => {
  const { fields } = await documented();
  expect(fields.host).toEqual({ type: "string", format: "idn-hostname", minLength: 1, maxLength: 255 });
  expect(Body.shape.host.safeParse("").success).toBe(false);
});

test("a date alone is a time, and documented as one", async () => {
  const { fields } = await documented();
  expect(fields.time).toEqual({ type: "string", anyOf: [{ format: "date-time" }, { format: "date" }] });
  for (const time of ["2024-02-29", "2024-02-29T12:00:00Z"]) expect(Body.shape.time.safeParse(time).success).toBe(true);
});

test("comparisons of chunks and their months have the bounds that are documented", async () => {
  const { schemas } = await documented();
  const [month, , comparisons] = schemas.ChunkFilters.properties.published_at_bucket.anyOf;
  expect(comparisons.minProperties).toBe(1);
  expect(ChunkFilters.safeParse({ published_at_bucket: {} }).success).toBe(false);
  const takes = (value: number) => ChunkFilters.safeParse({ published_at_bucket: value }).success;
  expect([month.minimum, month.maximum].map(takes)).toEqual([true, true]);
  expect([month.minimum - 1, month.maximum + 1].map(takes)).toEqual([false, false]);
});

test("relations are documented as required with the status ok alone", async () => {
  const { schemas } = await documented();
  const [without, withThem] = schemas.RelationsPackage.anyOf;
  expect(withThem).toEqual({ required: ["relations"] });
  const others: string[] = without.properties.enrichment_status.enum;
  const { options } = RelationsPackage.shape.enrichment_status;
  for (const enrichment_status of options) {
    const alone = RelationsPackage.safeParse({ doc_id: "1", enrichment_status });
    expect(alone.success).toBe(others.includes(enrichment_status));
  }
});

test("a text to summarise is documented as one that is not blank", async () => {
  const { schemas } = await documented();
  const pattern = new RegExp(schemas.SummaryRequest.properties.text.pattern, "u");
  for (const text of [" ", "\n\t\u00a0", " a ", "ا"]) {
    expect(SummaryRequest.safeParse({ text }).success).toBe(pattern.test(text));
  }
});

test.each(["a", "مقال-١", " ", "a\u0000", "a\nb", "\u007f"])(
  "the document and the schema of an identifier agree on %j",
  async (id) => {
    const { schemas } = await documented();
    const pattern = new RegExp(schemas.IngestItem.properties.external_id.pattern, "u");
    expect(IngestItem.shape.external_id.safeParse(id).success).toBe(pattern.test(id));
  },
);
