import { describe, expect, test } from "bun:test";
import { clientOperations, typescriptOperations } from "./typescript.ts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const parameter = (place: string, name: string, more: object = {}) => ({
  ...{ in: place, name, schema: { type: "string" } },
  ...more,
});

const DOCUMENT = {
  paths: {
    "/v1/stories/{story_id}": {
      get: {
        ...{ operationId: "getStory", summary: "One story" },
        parameters: [parameter("path", "story_id", { required: true }), parameter("header", "accept")],
        responses: { 404: json({ type: "string" }), 200: json({ type: "object" }) },
      },
      delete: { operationId: "deleteStory", responses: { 204: {} } },
      // No method that a client is made of.
      head: { operationId: "headStory" },
    },
    "/v1/articles": {
      get: {
        ...{ operationId: "listArticles", summary: "A page of articles" },
        parameters: [parameter("query", "cursor"), parameter("query", "format"), parameter("query", "lang")],
        responses: { 200: json({ type: "array", items: {} }) },
      },
      post: {
        ...{ operationId: "addArticles", requestBody: json({ type: "object" }) },
        responses: { 202: json({ type: "object" }) },
      },
    },
    "/v1/files": {
      put: { operationId: "putFile", requestBody: { content: { "application/octet-stream": {} } }, responses: {} },
    },
    "/v1/chat": {
      post: {
        ...{ operationId: "startChat", requestBody: json({ type: "object" }) },
        responses: {
          200: { content: { "text/event-stream": {}, "application/json": { schema: { type: "object" } } } },
        },
      },
    },
    "/mcp": { post: { operationId: "callTool", responses: { 200: { content: { "text/event-stream": {} } } } } },
    "/docs": { get: { operationId: "getDocs" } },
    "/edge/docs": { get: { operationId: "getDocs" } },
    "/nlp/openapi.json": { get: { operationId: "getDocument" } },
    "/v1/docs/more": { get: { operationId: "getMore", responses: {} } },
  },
};

describe("the operations of a document", () => {
  const operations = new Map(clientOperations(DOCUMENT).map((operation) => [operation.id, operation]));

  test("are those that clients call, in the order of their names", () => {
    expect([...operations.keys()]).toEqual([
      ...["addArticles", "callTool", "deleteStory", "getMore", "getStory", "listArticles", "putFile", "startChat"],
    ]);
    for (const nothing of [{}, { paths: null }, { paths: { "/a": null } }])
      expect(clientOperations(nothing)).toEqual([]);
  });

  test("have their parameters by place, and the JSON of a success as their answer", () => {
    expect(operations.get("getStory")).toEqual({
      ...{ id: "getStory", method: "get", path: "/v1/stories/{story_id}", summary: "One story" },
      inPath: [{ name: "story_id", required: true, schema: { type: "string" } }],
      ...{ inQuery: [], body: undefined, answer: { type: "object" }, streams: false },
    });
    expect(operations.get("listArticles")?.inQuery.map(({ name, required }) => [name, required])).toEqual([
      ["cursor", false],
      ["format", false],
      ["lang", false],
    ]);
    expect(operations.get("deleteStory")).toMatchObject({ answer: undefined, summary: "", inPath: [] });
  });

  test("have a body of JSON, of bytes, or none, and say whether they stream", () => {
    expect([...operations.values()].map(({ id, body, streams }) => [id, body?.kind, streams])).toEqual([
      ["addArticles", "json", false],
      ["callTool", undefined, true],
      ["deleteStory", undefined, false],
      ["getMore", undefined, false],
      ["getStory", undefined, false],
      ["listArticles", undefined, false],
      ["putFile", "bytes", false],
      ["startChat", "json", true],
    ]);
  });
});

describe("operations.ts", () => {
  const text = typescriptOperations(clientOperations(DOCUMENT));
  const group = (name: string) => new RegExp(`\\n${name}: \\{\\n([\\s\\S]*?)\\n?\\},`).exec(text)?.[1] ?? "";

  test("says how each operation is sent", () => {
    expect(text).toContain(
      '  getStory: { method: "GET", path: "/v1/stories/{story_id}", inPath: ["story_id"], inQuery: [] },\n',
    );
    expect(text).toContain(
      '  putFile: { method: "PUT", path: "/v1/files", inPath: [], inQuery: [], body: "bytes" },\n',
    );
    expect(text).toContain('inQuery: ["cursor","format","lang"] },');
    expect(text.match(/^ {2}\w+: \{ method:/gm)).toHaveLength(8);
  });

  test("has a method an operation, with its summary, and pages, rows and streams of those that have them", () => {
    expect(text).toContain('/** One story. */\ngetStory: call("getStory"),');
    expect(text.match(/: call\("\w+"\),/g)).toHaveLength(8);
    expect(group("pages")).toBe('/** A page of articles. */\nlistArticles: pages("listArticles"),');
    expect(group("rows")).toBe('/** A page of articles. */\nlistArticles: rows("listArticles"),');
    // What agents speak is a stream of its own kind.
    expect(group("stream")).toBe('/** . */\nstartChat: stream("startChat"),');
  });
});
