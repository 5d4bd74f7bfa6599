import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestService, type TestService } from "./testing.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const TEXT_ROUTES = ["/morph", "/ner", "/wsd", "/re", "/dialect/nabra/glossary"];
const ROUTES = [...TEXT_ROUTES, "/dialect/nabra"];

type Answer = [status: number, errors: unknown];

async function send(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(`${service.url}${path}`, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { errors, status } = Object(await response.json());
  expect(status).toBe(response.status);
  return [response.status, errors];
}
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json"): Promise<Answer> =>
  send(path, { method: "POST", headers: { "content-type": type }, body });

test.each([
  ["null", { text: null }, ["must be a string"]],
  ["a number", { text: 5 }, ["must be a string"]],
  ["a list", { text: ["كتب"] }, ["must be a string"]],
  ["empty", { text: "" }, ["must not be empty"]],
  ["white space", { text: " \t\n\u00a0\u2003\u3000" }, ["must not be empty"]],
  ["a byte order mark alone", { text: "\ufeff" }, ["must not be empty"]],
])("a text that is %s is 422 at every route, and says why", async (_, body, rules) => {
  for (const path of ROUTES)
    expect([path, await post(path, JSON.stringify(body))]).toEqual([path, [422, { text: rules }]]);
});

test("a text that is not given is 422 by GET and POST, and so is one that is given twice or left empty", async () => {
  for (const path of TEXT_ROUTES) {
    for (const answer of [await post(path, "{}"), await send(path)])
      expect(answer).toEqual([422, { text: ["is required"] }]);
  }
  for (const path of ROUTES) {
    expect(await send(`${path}?text=a&text=b`)).toEqual([422, { text: ["must be given once"] }]);
    for (const empty of ["", "+", "%EF%BB%BF"]) {
      expect(await send(`${path}?text=${empty}`)).toEqual([422, { text: ["must not be empty"] }]);
    }
  }
});

test("a body that is no object is 422, one that is no JSON or no UTF-8 is 400, another type is 415", async () => {
  for (const path of ROUTES) {
    for (const body of ["[]", "null", '"كتب"', "5"]) {
      expect(await post(path, body)).toEqual([422, { body: ["must be an object"] }]);
    }
    for (const body of ["", "{", '{"text":"كتب"', new Uint8Array([0x22, 0xff, 0x22])]) {
      expect((await post(path, body))[0]).toBe(400);
    }
    expect((await post(path, "text=كتب", "application/x-www-form-urlencoded"))[0]).toBe(415);
  }
});

test("a text or body that is too long is 413", async () => {
  for (const path of ROUTES) {
    for (const length of [20_001, 1_500_000]) {
      expect((await post(path, JSON.stringify({ text: "ك".repeat(length) })))[0]).toBe(413);
    }
  }
});

test.each([
  ["/morph", { task: "x" }, { task: ["must be full, lemmatization, pos or root"] }],
  ["/morph", { flag: 1 }, { flag: ["must be 1 or *"] }],
  ["/morph", { include_lemma: "true" }, { include_lemma: ["must be true or false"] }],
  ["/ner", { mode: null }, { mode: ["must be nested or flat"] }],
  ["/ner", { include_offsets: 1 }, { include_offsets: ["must be true or false"] }],
  ["/wsd", { include_gloss: "yes" }, { include_gloss: ["must be true or false"] }],
  ["/dialect/nabra", { sentence_id: "1" }, { sentence_id: ["must be a number"] }],
  ["/dialect/nabra/glossary", { top_k: "3" }, { top_k: ["must be a number"] }],
  ["/dialect/nabra/glossary", { top_k: 0 }, { top_k: ["must be at least 1"] }],
  ["/dialect/nabra/glossary", { similarity_threshold: 1.1 }, { similarity_threshold: ["must be at most 1"] }],
])("%s with %j is 422 and names the field", async (path, parameters, errors) => {
  expect(await post(path, JSON.stringify({ text: "كتب", ...parameters }))).toEqual([422, errors]);
});

test("a field that no route knows changes nothing", async () => {
  const answers = (body: object) =>
    Promise.all(
      ROUTES.map(async (path) => {
        const headers = { "content-type": "application/json" };
        const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
        return [response.status, await response.text()];
      }),
    );
  expect(await answers({ text: "كتب", colour: "red", toString: 1 })).toEqual(await answers({ text: "كتب" }));
});

test("other methods are 405 with those that there are, other paths 404", async () => {
  for (const path of ROUTES) {
    for (const method of ["PUT", "DELETE", "PATCH"]) {
      const response = await fetch(`${service.url}${path}`, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    }
    expect((await send(`${path}/`))[0]).toBe(404);
  }
  for (const path of ["/senses/", "/senses/%00", "/senses/..%2f..%2fetc"]) expect((await send(path))[0]).toBe(404);
  for (const id of ["-1", "1e3", "9".repeat(16), "9".repeat(20)]) {
    expect((await send(`/lemmas/${id}`))[0]).toBe(404);
  }
});

test("a name that nobody has is told back shortened", async () => {
  const { detail } = Object(await (await fetch(`${service.url}/senses/${"a".repeat(50_000)}`)).json());
  expect(detail).toBe(`There is no sense ${"a".repeat(64)}.`);
});

test("the document says how long a text may be in each form, and that it is not blank", async () => {
  const { paths, components } = Object(await (await fetch(`${service.url}/openapi.json`)).json());
  for (const path of ROUTES) {
    const { get, post: posted } = paths[path];
    const inUrl = get.parameters.find(({ name }: { name: string }) => name === "text").schema;
    const [, named] = posted.requestBody.content["application/json"].schema.$ref.split("schemas/");
    const inBody = components.schemas[named].properties.text;
    expect([inUrl.maxLength, inBody.maxLength]).toEqual([2_000, 20_000]);
    expect([inUrl.pattern, inBody.pattern]).toEqual(["\\S", "\\S"]);
  }
  const { anyOf } = components.schemas.DialectSentenceRequest;
  expect(anyOf).toEqual([{ required: ["sentence_id"] }, { required: ["text"] }]);
});
