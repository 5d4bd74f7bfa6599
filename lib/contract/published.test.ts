import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "../service/http/mod.ts";
import { testService } from "../service/http/testing.ts";
import * as contract from "./mod.ts";

/** Returns the OpenAPI document of a service as it is published. */
function published(service: string): Record<"paths" | "components", Record<string, Record<string, unknown>>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../clients/openapi/${service}.json`), "utf8"));
}

/** A route that is published with parameters of a query, and these. */
const PARAMETERS: readonly (readonly [service: string, path: string, query: z.ZodObject])[] = [
  ["api", "/v1/search", contract.SearchParams],
  ["retrieval", "/search", contract.SearchParams],
  ["api", "/v1/articles", contract.ArticleListParams],
  ["api", "/v1/articles/{article_id}/similar", contract.SimilarParams],
  ["api", "/v1/reviews", contract.ReviewParams],
  ["api", "/v1/claims", contract.ClaimParams],
  ["api", "/v1/stories", contract.StoriesQuery],
  ["api", "/v1/suggest", contract.SuggestParams],
];

/** The schemas of this room. */
const BODIES = Object.entries(contract).filter((entry) => entry[1] instanceof z.ZodType);

/** Returns a named schema without what depends on where it is met first: whether null may stand in its place. */
function alone(schema: unknown): unknown {
  const { type, ...rest } = Object(schema);
  return JSON.parse(JSON.stringify({ type: type === undefined ? type : [type].flat()[0], ...rest }), (_, value) => {
    const [one, other] = Array.isArray(value?.anyOf) && value.anyOf.length === 2 ? value.anyOf : [];
    return other?.type === "null" && "$ref" in one ? one : value;
  });
}

const SERVICES = ["api", "edge", "nlp", "retrieval", "scraper"].map((name) => ({ name, document: published(name) }));

let document: ReturnType<typeof published>;

beforeAll(async () => {
  const { app } = testService();
  const content = { "application/json": { schema: z.object(Object.fromEntries(BODIES)) } };
  app.openAPIRegistry.registerPath({ method: "post", path: "/bodies", request: { body: { content } }, responses: {} });
  for (const [service, path, query] of PARAMETERS)
    app.openAPIRegistry.registerPath({ method: "get", path: `/${service}${path}`, request: { query }, responses: {} });
  document = Object(await (await app.request("/openapi.json")).json());
});

describe("what is published says what this room says", () => {
  test.each(SERVICES)("of the bodies of $name", ({ document: { components } }) => {
    const { schemas = {} } = document.components;
    const names = Object.keys(components.schemas ?? {}).filter((name) => name in schemas);
    expect(names).not.toEqual([]);
    for (const name of names) expect([name, alone(schemas[name])]).toEqual([name, alone(components.schemas?.[name])]);
  });

  test("and leaves none of its bodies out", () => {
    const names = SERVICES.flatMap((service) => Object.keys(service.document.components.schemas ?? {}));
    const missing = Object.keys(document.components.schemas ?? {}).filter((name) => !names.includes(name));
    expect(missing).toEqual([]);
  });

  test.each(PARAMETERS)("of the parameters of %s %s", (service, path) => {
    const { document: whole } = SERVICES.find(({ name }) => name === service) ?? {};
    const parametersOf = (route: unknown): { in: string; name: string }[] =>
      Object(Object(route).get).parameters.filter((parameter: { in: string }) => parameter.in === "query");
    const taken = parametersOf(document.paths[`/${service}${path}`]);
    expect(taken.length).toBeGreaterThan(1);
    expect(taken).toEqual(parametersOf(whole?.paths[path]));
  });
});
