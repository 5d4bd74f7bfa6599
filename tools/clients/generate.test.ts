import { describe, expect, test } from "bun:test";
import { RIGHT_MEMBER } from "@isnad/lib/service/http";
import { documentProblems, mergedDocument, operationRights, operationsOf } from "./generate.ts";

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

describe("one document of all services", () => {
  const schema = { type: "object" };
  const document = (path: string, name: string, more: object = {}) => ({
    ...{ openapi: "3.1.0", info: { title: "Api", version: "1" }, servers: [{ url: "http://a.test" }] },
    paths: { [path]: { get: { operationId: "getA", security: [{ key: [] }] }, parameters: [] } },
    components: { schemas: { [name]: schema } },
    ...more,
  });

  test("has the routes of each under its prefix, open to any key, and all schemas", () => {
    const merged = mergedDocument(
      new Map([
        ["api", document("/v1/a", "A")],
        ["edge", document("/chat", "A", { info: { title: "Edge", version: "9" } })],
        ["nlp", document("/ner", "B")],
      ]),
    );
    expect(merged).toEqual({
      ...{ openapi: "3.1.0", info: { title: "Isnad", version: "1" }, servers: [{ url: "http://a.test" }] },
      paths: Object.fromEntries(
        ["/v1/a", "/edge/chat", "/nlp/ner"].map((path) => [path, { get: { operationId: "getA" }, parameters: [] }]),
      ),
      components: { schemas: { A: schema, B: schema } },
    });
  });

  test("is refused where two mean different things by one name, or one has no way through the door", () => {
    const other = document("/chat", "A", { components: { schemas: { A: { type: "string" } } } });
    expect(() =>
      mergedDocument(
        new Map([
          ["api", document("/v1/a", "A")],
          ["edge", other],
        ]),
      ),
    ).toThrow("edge and another service have different schemas A");
    expect(() => mergedDocument(new Map([["shop", other]]))).toThrow("no way through the door to shop");
  });
});

test("the right that a guard says is told of each operation, null where it is open", () => {
  const get = { operationId: "getA", [RIGHT_MEMBER]: "read", responses: { 200: {}, 404: {} } };
  const documents = new Map([
    ["api", { paths: { "/a": { get, post: { operationId: "addA" } }, "/b": null } }],
    ["edge", {}],
  ]);
  expect(operationRights(documents)).toEqual([
    { ...{ service: "api", id: "getA", method: "GET", path: "/a" }, right: "read", statuses: [200, 404] },
    { ...{ service: "api", id: "addA", method: "POST", path: "/a" }, right: null, statuses: [] },
  ]);
});
