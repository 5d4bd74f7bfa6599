import { describe, expect, test } from "bun:test";
import { createRoute, z } from "./mod.ts";
import { testService } from "./testing.ts";

const Body = z.object({
  name: z.string(),
  count: z.int().min(1).max(50),
  share: z.number().min(0).max(1).optional(),
  lang: z.enum(["ar", "en", "fr"]),
  flag: z.boolean().optional(),
  list: z.array(z.object({ url: z.string() })).optional(),
  kind: z.union([z.string(), z.number()]),
  own: z.string({ error: "must be a name" }).optional(),
  short: z.string().min(2).max(3).optional(),
  few: z.array(z.string()).min(1).max(2).optional(),
  strict: z.strictObject({ a: z.string() }).partial().optional(),
  named: z.record(z.string().min(2), z.string()).optional(),
  filter: z
    .union([
      z.string().refine((value) => value !== "*", { error: "must be the name of a host" }),
      z.array(z.string().refine((value) => value !== "*", { error: "must be the name of a host" })).max(2),
      z.strictObject({ $ne: z.string() }),
    ])
    .optional(),
  either: z.union([z.string(), z.strictObject({ value: z.string() })], { error: "must be a value" }).optional(),
});

const RIGHT = { name: "a", count: 1, lang: "ar", kind: 1 };

/** The messages by field of a 422 for this body. */
async function errorsOf(body: unknown): Promise<unknown> {
  const { app } = testService();
  const content = { "application/json": { schema: Body } };
  const route = createRoute({
    method: "post",
    path: "/",
    request: { body: { content } },
    responses: { 204: { description: "Right." } },
  });
  app.openapi(route, (c) => c.body(null, 204));
  const headers = { "content-type": "application/json" };
  const response = await app.request("/", { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(422);
  return Object(await response.json()).errors;
}

describe("the messages of a 422", () => {
  test("call what is missing required, whatever it should be", async () => {
    const required = ["is required"];
    expect(await errorsOf({})).toEqual({ name: required, count: required, lang: required, kind: required });
    expect(await errorsOf({ name: "a", count: 1, lang: "ar", kind: 1, list: [{}] })).toEqual({
      "list.0.url": required,
    });
  });

  test("say what a value of a wrong kind must be", async () => {
    expect(await errorsOf({ name: 1, count: "1", lang: "de", flag: "yes", list: {}, kind: "a", own: 1 })).toEqual({
      name: ["must be a string"],
      count: ["must be a number"],
      lang: ["must be ar, en or fr"],
      flag: ["must be true or false"],
      list: ["must be an array"],
      own: ["must be a name"],
    });
  });

  test("say how great a number may be", async () => {
    expect(await errorsOf({ ...RIGHT, share: -0.1, count: 51 })).toEqual({
      share: ["must be at least 0"],
      count: ["must be at most 50"],
    });
    expect(await errorsOf({ ...RIGHT, share: 1.1, count: 0 })).toEqual({
      share: ["must be at most 1"],
      count: ["must be at least 1"],
    });
  });

  test("say how long a text or a list may be, and what is in an object too many", async () => {
    const errors = await errorsOf({ ...RIGHT, short: "a", few: [], strict: { a: "a", b: 1, c: 2 } });
    expect(errors).toEqual({
      short: ["must have at least 2 characters"],
      few: ["must have at least 1 entry"],
      strict: ["must not have the field b or c"],
    });
    expect(await errorsOf({ ...RIGHT, short: "abcd", few: ["a", "b", "c"] })).toEqual({
      short: ["must have at most 3 characters"],
      few: ["must have at most 2 entries"],
    });
  });

  test("say what is wrong with a name", async () => {
    expect(await errorsOf({ ...RIGHT, named: { a: "b" } })).toEqual({
      "named.a": ["its name must have at least 2 characters"],
    });
  });

  test.each([
    [null, { filter: ["must be a string, an array or an object"] }],
    ["*", { filter: ["must be the name of a host"] }],
    [["a", "*"], { "filter.1": ["must be the name of a host"] }],
    [["a", "b", "c"], { filter: ["must have at most 2 entries"] }],
    [{ $ne: 5 }, { "filter.$ne": ["must be a string"] }],
    [{ $like: "a" }, { "filter.$ne": ["is required"], filter: ["must not have the field $like"] }],
  ])("of %j, where one of several forms may stand, speak of the form that it has", async (filter, errors) => {
    expect(await errorsOf({ ...RIGHT, filter })).toEqual(errors);
  });

  test("leave the schema its own words for a value of no form", async () => {
    expect(await errorsOf({ ...RIGHT, either: [] })).toEqual({ either: ["must be a value"] });
  });
});
