import { afterAll, beforeAll, expect, test } from "bun:test";
import { createRoute, z } from "./mod.ts";
import { type Listening, listen } from "./listen.ts";
import { testService } from "./testing.ts";

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
