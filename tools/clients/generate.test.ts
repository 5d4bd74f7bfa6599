import { expect, test } from "bun:test";
import { documentProblems, operationsOf } from "./generate.ts";

const good = {
  servers: [{ url: "http://127.0.0.1:8080" }],
  paths: {
    "/v1/articles/{article_id}": {
      get: {
        operationId: "getArticle",
        parameters: [{ in: "path", name: "article_id", schema: { type: "integer" } }],
        responses: { 200: { content: { "application/json": { schema: { type: "array", items: {} } } } } },
      },
    },
  },
  components: { schemas: { Run: { type: "object" } } },
};
const problems = (over: object) => documentProblems(new Map([["api", { ...good, ...over }]]));

test("a document that generators read has no problem", () => {
  expect(problems({})).toEqual([]);
  expect(operationsOf("api", good)).toMatchObject([{ place: "get /v1/articles/{article_id}", id: "getArticle" }]);
});

test.each([
  [{ servers: [] }, "api: there are no servers"],
  [{ paths: { "/a": { get: {} } } }, "api: get /a has no operationId"],
  [{ paths: { "/a": { get: { operationId: "get_a" } } } }, "get_a is not a verb and a noun in camelCase"],
  [
    { paths: { "/a": { get: { operationId: "getA" }, post: { operationId: "getA" } } } },
    "getA is the name of 2 operations",
  ],
  [{ components: { schemas: { Run: { type: ["object", "null"] } } } }, "the component Run may be null"],
  [{ components: { schemas: { Run: { type: ["array", "null"] } } } }, "an array without items"],
  [
    {
      paths: {
        "/a": {
          get: { operationId: "getA", parameters: [{ in: "query", name: "article_id", schema: { type: "string" } }] },
        },
      },
    },
    "article_id is not documented as an integer",
  ],
])("%j is told", (over, message) => {
  expect(problems(over).join("\n")).toContain(message);
});

test("the same name in two services is told of both", () => {
  expect(
    documentProblems(
      new Map([
        ["api", good],
        ["edge", good],
      ]),
    ),
  ).toHaveLength(2);
});
