import { describe, expect, test } from "bun:test";
import { pythonClient, syncClient } from "./python.ts";
import { clientOperations } from "./typescript.ts";

test("the client that waits has nothing of asyncio, and says the same", () => {
  const source = `"""The asynchronous client."""

import asyncio
import json


class AsyncIsnad(AsyncOperations):
    """An asynchronous client."""

    async def __aenter__(self) -> Self:
        async for line in response.aiter_lines():
            await asyncio.sleep(1)
        await self._http.aclose()
`;
  expect(syncClient(source)).toBe(`# Made by \`bun run clients\` from \`_async.py\`: do not edit.
"""The client that waits."""

import json
import time


class Isnad(Operations):
    """A client that waits."""

    def __enter__(self) -> Self:
        for line in response.iter_lines():
            time.sleep(1)
        self._http.close()
`);
});

test("what it does not know of asyncio is told, not left", () => {
  expect(() => syncClient('"""x"""\nawaitable = 1\n')).toThrow("awaitable");
});

type Schema = Record<string, unknown>;

/** Returns the generated module of a document with these schemas and operations. */
function moduleOf(schemas: Record<string, Schema>, paths: Record<string, unknown> = {}): string {
  const document = { components: { schemas }, paths };
  return pythonClient(document, clientOperations(document));
}

/** Returns the lines that define a name. */
function definition(text: string, name: string): string | undefined {
  const blocks = text.split(/\n\n+/);
  return blocks.find((block) => new RegExp(`^(?:class )?${name}\\b`).test(block.trim()))?.trim();
}

describe("a shape", () => {
  const field = (schema: Schema, more: Record<string, Schema> = {}) => {
    const text = moduleOf({ Thing: { type: "object", required: ["it"], properties: { it: schema } }, ...more });
    return /^ {4}it: (.*)$/m.exec(definition(text, "Thing") ?? "")?.[1];
  };

  test.each<[string, Schema, string]>([
    ["a text", { type: "string" }, "str"],
    ["a number", { type: "number" }, "float"],
    ["a whole number", { type: "integer" }, "int"],
    ["a yes or no", { type: "boolean" }, "bool"],
    ["a text or null", { type: ["string", "null"] }, "str | None"],
    ["anything", {}, "Any"],
    ["what nobody knows", { type: "file" }, "Any"],
    ["a list", { type: "array", items: { type: "integer" } }, "list[int]"],
    ["a list of anything", { type: "array" }, "list[Any]"],
    ["some texts", { enum: ["a", 'b"'] }, 'Literal["a", "b\\""]'],
    ["other constants", { enum: [true, false, null, 3] }, "Literal[True, False, None, 3]"],
    ["one constant", { const: "v1" }, 'Literal["v1"]'],
    ["one of several, each once", { anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] }, "str | None"],
    ["one of several by another name", { oneOf: [{ type: "integer" }, { type: "string" }] }, "int | str"],
    ["a reference", { $ref: "#/components/schemas/other-thing" }, "OtherThing"],
    ["all of one", { allOf: [{ type: "string" }] }, "str"],
    ["all of several", { allOf: [{ type: "object" }, { type: "object" }] }, "dict[str, Any]"],
    ["an object without fields", { type: "object" }, "dict[str, Any]"],
    ["an object of values", { type: "object", additionalProperties: { type: "integer" } }, "dict[str, int]"],
    ["an object of anything", { type: "object", additionalProperties: true }, "dict[str, Any]"],
    ["an object with fields", { type: "object", properties: { a: { type: "string" } } }, "ThingIt"],
  ])("has the type of %s", (_, schema, type) => {
    expect(field(schema, { "other-thing": { type: "string" } })).toBe(type);
  });

  test("is a class where its fields are names of Python, those that may be missing as such", () => {
    const properties = { id: { type: "integer" }, note: { type: "string" } };
    const text = moduleOf({ "a-thing": { type: "object", required: ["id"], properties } });
    expect(definition(text, "AThing")).toBe("class AThing(TypedDict):\n    id: int\n    note: NotRequired[str]");
  });

  test.each(["from", "a-b", "@id", "None"])("is a table where a field is called %s", (name) => {
    const text = moduleOf({ Thing: { type: "object", required: [name], properties: { [name]: { enum: ["x"] } } } });
    expect(definition(text, "Thing")).toBe(
      `Thing = TypedDict(\n    "Thing",\n    {\n        "${name}": "Literal['x']",\n    },\n)`,
    );
  });

  test("that is no object is another name, and objects within it have names of their own, each once", () => {
    const inner = { type: "object", properties: { a: { type: "string" } } };
    const text = moduleOf({
      Name: { type: "string" },
      Empty: { type: "object", properties: {} },
      Thing: { type: "object", properties: { list: { type: "array", items: inner } } },
    });
    expect(definition(text, "Name")).toBe('Name: TypeAlias = "str"');
    expect(definition(text, "Empty")).toBe('Empty: TypeAlias = "dict[str, Any]"');
    expect(definition(text, "ThingListItem")).toBe("class ThingListItem(TypedDict):\n    a: NotRequired[str]");
    expect(text.match(/^class ThingListItem/gm)).toHaveLength(1);
  });
});

describe("a method", () => {
  const body = { type: "object", required: ["text"], properties: { text: { type: "string" }, k: { type: "integer" } } };
  const content = (schema: Schema) => ({ content: { "application/json": { schema } } });
  const text = moduleOf(
    { Match: body },
    {
      "/v1/things/{thing_id}": {
        get: {
          ...{ operationId: "getThing", summary: "One thing" },
          parameters: [
            { in: "path", name: "thing_id", required: true, schema: { type: "integer" } },
            { in: "query", name: "from", schema: { type: ["string", "null"] } },
            { in: "query", name: "lang", schema: { enum: ["ar", "en"] } },
          ],
          responses: { 200: content({ $ref: "#/components/schemas/Match" }) },
        },
        delete: { operationId: "deleteThing", summary: "No thing", responses: { 204: {} } },
      },
      "/v1/match": {
        post: {
          ...{ operationId: "matchThings", summary: "Matches" },
          requestBody: content({ $ref: "#/components/schemas/Match" }),
          responses: { 200: { content: { "text/event-stream": {}, ...content({ type: "array" }).content } } },
        },
      },
      "/v1/file": {
        put: { operationId: "putFile", requestBody: { content: { "text/csv": {} } }, responses: { 204: {} } },
      },
      "/v1/list": {
        get: {
          ...{ operationId: "listThings", summary: "A page" },
          parameters: ["cursor", "format"].map((name) => ({ in: "query", name, schema: { type: "string" } })),
          responses: { 200: content({ type: "array", items: { type: "string" } }) },
        },
      },
    },
  );
  const [, waiting = "", asynchronous = ""] = text.split(/^class \w*Operations:$/m);
  const methods = (of: string) => Array.from(of.matchAll(/def ([a-z]\w*)\(/g), ([, name]) => name);

  test("is there for each operation, once in each client, with its pages, rows and events", () => {
    const expected = [
      ...["delete_thing", "get_thing", "list_things", "list_things_pages", "list_things_rows"],
      ...["match_things", "match_things_events", "put_file"],
    ];
    expect(methods(waiting)).toEqual(expected);
    expect(methods(asynchronous)).toEqual(expected);
    expect(waiting).not.toContain("await ");
    // What is asynchronous is a generator by what it yields.
    expect([waiting, asynchronous].map((text) => text.match(/^ {8}yield \{\}$/gm)?.length ?? 0)).toEqual([0, 3]);
    expect(asynchronous.match(/await self\._call/g)).toHaveLength(5);
  });

  test("takes what is required first, by names that Python has, and sends it by those of the route", () => {
    const method = waiting.slice(waiting.indexOf("def get_thing"), waiting.indexOf("def list_things"));
    expect(method).toContain("        thing_id: int,\n        from_: str | None = None,\n");
    expect(method).toContain('        lang: Literal["ar", "en"] | None = None,\n');
    expect(method).toContain('f"/v1/things/{_part(thing_id)}"');
    expect(method).toContain('{"from": from_, "lang": lang}');
    expect(method).toContain(") -> Match:");
  });

  test("sends the fields of its body that are given, or bytes as they are, and returns nothing where there is nothing", () => {
    expect(waiting).toContain('_given({"text": text, "k": k})');
    expect(waiting).toContain("        text: str,\n        k: int | None = None,\n");
    expect(waiting).toContain("        body: bytes,\n    ) -> None:");
    expect(waiting).toContain('self._call("PUT", "/v1/file", {}, body)');
    expect(waiting).toContain('        self._call("DELETE", f"/v1/things/{_part(thing_id)}", {})\n');
    expect(waiting).toContain('yield from self._events("/v1/match"');
    expect(asynchronous).toContain('async for each in self._pages("GET", "/v1/list"');
  });
});
