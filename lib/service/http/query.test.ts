import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Listening, listen } from "./listen.ts";
import { createRoute, z } from "./mod.ts";
import { testService } from "./testing.ts";

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
