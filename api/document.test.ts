import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bodyOf, type TestApi, testApi, TOKEN } from "./testing.ts";

type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: Record<string, unknown> };

/** Holds what the published document says of a route. */
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
  security?: Record<string, unknown>[];
};

const PUBLISHED: { paths: Record<string, Record<string, Operation>>; components: { schemas: object } } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../clients/openapi/api.json"), "utf8"),
);
const OPERATIONS = Object.entries(PUBLISHED.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);
/** The routes that take a body of JSON; that of agents answers as their protocol says. */
const WITH_BODY = OPERATIONS.filter(
  ({ path, requestBody }) => requestBody?.content["application/json"] !== undefined && path !== "/mcp",
);
/** The routes that nobody asks without a credential. */
const GUARDED = OPERATIONS.filter(({ security = [{}] }) => security.every((way) => Object.keys(way).length > 0));

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
}, 300_000);
afterAll(() => api.close());

const ask = (
  method: string,
  path: string,
  { token = TOKEN, body }: { token?: string; body?: string | undefined } = {},
) =>
  api.app.request(path.replaceAll(/\{\w+\}/g, "999999"), {
    method,
    headers: {
      ...(token !== "" && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  });

describe("the document of the API", () => {
  test.each(Object.keys(PUBLISHED.paths))("says of %s what is published", async (path) => {
    const { paths } = await bodyOf(await api.app.request("/openapi.json"));
    expect(Object(paths)[path]).toEqual(PUBLISHED.paths[path]);
  });

  test("is published as a whole", async () => {
    const { servers, ...served } = await bodyOf(await api.app.request("/openapi.json"));
    const { servers: _, ...published } = Object(PUBLISHED);
    expect(Object.keys(served)).toEqual(Object.keys(published));
    expect(served).toEqual(published);
  });
});

describe("a route answers as it documents", () => {
  test.each(GUARDED)("$method $path without a credential, or with a wrong one", async ({ method, path }) => {
    for (const token of ["", "wrong"]) {
      const response = await ask(method, path, { token, body: method === "GET" ? undefined : "{}" });
      expect([token, response.status]).toEqual([token, 401]);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect(await bodyOf(response)).toMatchObject({ type: "/errors/unauthorized", status: 401 });
    }
  });

  test.each(OPERATIONS)("$method $path, asked with a parameter that it does not know", async (operation) => {
    const response = await ask(operation.method, `${operation.path}?zzz=1`);
    expect(response.status).toBe(422);
    expect(Object.keys(operation.responses)).toContain("422");
  });

  test.each(WITH_BODY)("$method $path, where its body is no JSON", async ({ method, path, responses }) => {
    const response = await ask(method, path, { body: "{" });
    expect(await bodyOf(response)).toMatchObject({ type: "/errors/malformed-json", status: 400 });
    expect(Object.keys(responses)).toContain("400");
  });

  test.each(WITH_BODY)("$method $path, where its body is no object", async ({ method, path, responses }) => {
    for (const body of ["[]", "1", '"x"', "null"]) {
      const { status } = await ask(method, path, { body });
      expect([body, status >= 400 && status < 500, Object.keys(responses)]).toEqual([
        ...[body, true, expect.arrayContaining([String(status)])],
      ]);
    }
  });
});

const BOUNDED = OPERATIONS.flatMap(({ method, path, parameters = [] }) =>
  parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, schema }) => wrongOf(schema).map((value) => ({ method, path, name, value }))),
);

/** Returns values of a parameter just outside of its documented bounds. */
function wrongOf({ minimum, maximum, maxLength, enum: choices }: Record<string, unknown>): string[] {
  return [
    ...(typeof minimum === "number" ? [String(minimum - 1)] : []),
    ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? [String(maximum + 1)] : []),
    ...(typeof maxLength === "number" ? ["x".repeat(maxLength + 1)] : []),
    ...(Array.isArray(choices) ? [`no-${choices[0]}`] : []),
  ];
}

describe("a parameter outside of its documented bounds is refused by its name", () => {
  test("and there are such parameters", () => {
    expect(BOUNDED.length).toBeGreaterThan(60);
  });

  test.each(BOUNDED.map((each) => [each.method, each.path, each.name, each.value.slice(0, 20), each] as const))(
    "%s %s?%s=%s",
    async (method, path, name, _, { value }) => {
      const response = await ask(method, `${path}?${name}=${encodeURIComponent(value)}`);
      expect(response.status).toBe(422);
      expect(Object.keys(Object((await bodyOf(response)).errors))).toContain(name);
    },
  );
});
