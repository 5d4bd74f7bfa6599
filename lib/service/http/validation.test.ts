import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listen, type Listening } from "./listen.ts";
import { createRoute, z } from "./mod.ts";
import { testService } from "./testing.ts";
import { pageOf } from "./validation.ts";

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
  of: z.union([z.enum(["ar", "en"]), z.array(z.enum(["ar", "en"])), z.strictObject({ $ne: z.string() })]).optional(),
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
    // It has more characters than the array may have entries.
    expect(await errorsOf({ ...RIGHT, few: "ner,morph" })).toEqual({ few: ["must be an array"] });
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

  test.each([
    ["fr", { of: ["must be ar or en"] }],
    [["ar", "fr"], { "of.1": ["must be ar or en"] }],
    [{ $ne: 5 }, { "of.$ne": ["must be a string"] }],
  ])("of %j, where one or more of a set may stand, speak of the form that it has", async (of, errors) => {
    expect(await errorsOf({ ...RIGHT, of })).toEqual(errors);
  });

  test("leave the schema its own words for a value of no form", async () => {
    expect(await errorsOf({ ...RIGHT, either: [] })).toEqual({ either: ["must be a value"] });
  });
});

const { app } = testService();
const responses = { 200: { description: "Served." } };
const query = z
  .object({ q: z.string().optional(), limit: z.string().optional() })
  .refine(({ q }) => q !== "no", { error: "q must not be no" });
const search = createRoute({ method: "get", path: "/search", request: { query }, responses });
const bare = createRoute({ method: "delete", path: "/things/{id}", responses });
const raw = createRoute({ method: "post", path: "/things/{id}/raw", request: { query: query.clone() }, responses });
app.openapi(search, (c) => c.text("ok"));
app.openapi(bare, (c) => c.text("ok"));
app.openAPIRegistry.registerPath(raw);
app.post("/things/:id/raw", (c) => c.text("ok"));

const ask = async (path: string, method = "GET") => {
  const response = await app.request(path, { method });
  const { errors } = response.status === 422 ? Object(await response.json()) : { errors: undefined };
  return { status: response.status, errors };
};

test("a parameter that the route does not know is refused, with the name that was meant", async () => {
  expect(await ask("/search?q=a&limti=3")).toEqual({
    status: 422,
    errors: { limti: ["is no parameter of this route; did you mean limit?"] },
  });
  expect((await ask("/search?q=a&LIMIT=3")).errors).toEqual({
    LIMIT: ["is no parameter of this route; did you mean limit?"],
  });
});

test("where none is near, the message has all that the route takes", async () => {
  expect((await ask("/search?language=ar&page=2")).errors).toEqual({
    language: ["is no parameter of this route, which takes q, limit"],
    page: ["is no parameter of this route, which takes q, limit"],
  });
});

test.each([
  ["DELETE", "/things/7?force=1"],
  ["POST", "/things/7/raw?force=1"],
  ["HEAD", "/search?force=1"],
  ["GET", "/livez?force=1"],
  ["GET", "/openapi.json?force=1"],
  ["GET", "/health?force"],
])("%s %s is refused like any other", async (method, path) => {
  expect((await app.request(path, { method })).status).toBe(422);
});

test.each([
  ["GET", "/search?q=a&limit=1"],
  ["GET", "/search?"],
  ["GET", "/search?&&="],
  ["HEAD", "/search?q=a"],
  ["DELETE", "/things/7"],
  ["POST", "/things/7/raw?q=a"],
])("%s %s is served", async (method, path) => {
  expect((await ask(path, method)).status).toBe(200);
});

test("an unknown path stays 404 and a wrong method 405, whatever the query says", async () => {
  expect((await ask("/nowhere?force=1")).status).toBe(404);
  expect((await ask("/search?force=1", "POST")).status).toBe(405);
});

test("a thousand unknown names of any length make a short answer", async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `${n}${"x".repeat(200)}=1`).join("&");
  const { status, errors } = await ask(`/search?${names}`);
  expect(status).toBe(422);
  expect(JSON.stringify(errors).length).toBeLessThan(5_000);
});

let server: Listening;
beforeAll(async () => {
  const { app } = testService();
  const query = z.object({
    q: z.string(),
    limit: z.string().regex(/^\d+$/).optional(),
    mode: z.enum(["a"]).optional(),
  });
  const content = { "application/json": { schema: query } };
  const route = createRoute({
    method: "get",
    path: "/",
    request: { query },
    responses: { 200: { description: "As it was read.", content } },
  });
  app.openapi(route, (c) => c.json(c.req.valid("query"), 200));
  server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(() => server.stop(0));

const get = async (query: string) => {
  const response = await fetch(`${server.url}/?${query}`);
  const { errors, ...body } = Object(await response.json());
  return { status: response.status, body, errors };
};

test.each(["%", "100%", "%zz", "%FF", "%E0%A4", "%ED%A0%80", "%FF%00"])(
  "a value %p that is no percent-encoded UTF-8 is 422 and named",
  async (value) => {
    const { status, errors } = await get(`limit=1&q=${value}`);
    expect([status, errors]).toEqual([422, { q: ["must be percent-encoded UTF-8"] }]);
  },
);

test("a name that is none is 422, too, as it was sent", async () => {
  expect((await get("q=a&%FF=1")).errors).toEqual({ "%FF": ["must be percent-encoded UTF-8"] });
});

test("a parameter that is given twice is told so, whatever its rule is", async () => {
  const twice = ["must be given once"];
  expect((await get("q=a&q=b&limit=1&limit=1")).errors).toEqual({ q: twice, limit: twice });
  expect((await get("q=a&mode=a&mode=a")).errors).toEqual({ mode: twice });
  expect((await get("q=a&q=b&limit=x")).errors).toEqual({ q: twice, limit: [expect.any(String)] });
});

test.each([
  ["q=a+b%2B&&=", "a b+"],
  ["q=%D9%85%D9%8E%F0%9F%98%80", "مَ😀"],
  ["q=%25", "%"],
  ["q=%00", "\0"],
])("what is encoded rightly is read: %s", async (query, q) => {
  expect((await get(query)).body).toEqual({ q });
});

test("a parameter that breaks its rule is told the rule", async () => {
  expect((await get("limit=1")).errors).toEqual({ q: ["is required"] });
});

test("a page has a cursor where there is one row more than it holds, that of its last row", () => {
  expect(pageOf([1, 2, 3], 2, String)).toEqual({ page: [1, 2], next_cursor: "2" });
  expect(pageOf([1, 2], 2, String)).toEqual({ page: [1, 2], next_cursor: null });
  expect(pageOf([], 2, String)).toEqual({ page: [], next_cursor: null });
});
