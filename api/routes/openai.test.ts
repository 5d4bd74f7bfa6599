import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Listening, listen } from "@isnad/lib/service/http";
import { formatEvent } from "@isnad/lib/std";
import OpenAI, { APIError, AuthenticationError, NotFoundError, UnprocessableEntityError } from "openai";
import { join } from "node:path";
import { PYTHON } from "../../tools/python.ts";
import { type TestApi, testApi } from "../testing.ts";

const META = { request_id: "r-1", model: "m", sources: [{ n: 1, article_id: 7, title: "T", url: "https://n.test/7" }] };
const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const MODEL = "small@1";

const whole = (finish_reason = "stop") => [
  formatEvent("meta", META),
  formatEvent("delta", { text: "مر" }),
  formatEvent("delta", { text: "حبا [1]" }),
  formatEvent("done", { finish_reason, usage: USAGE }),
];

let events = whole();
let asked: Record<string, unknown>[] = [];
let edge: ReturnType<typeof Bun.serve>;
let api: TestApi;
let server: Listening;
let client: OpenAI;

beforeAll(async () => {
  edge = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/llm/health") return Response.json({ capabilities: { embed: { model: MODEL } } });
      const body: Record<string, unknown> = Object(await request.json());
      asked.push(body);
      if (pathname === "/llm/embed") {
        const { texts } = Object(body);
        return Response.json({ ok: true, model: MODEL, vectors: [...texts].map((_, i) => [0.5, i]) });
      }
      return new Response(events.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  api = await testApi({ EDGE_URL: `http://127.0.0.1:${edge.port}`, API_PUBLIC_KEYS: "reader" });
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "reader", maxRetries: 0 });
});
afterAll(async () => {
  await server.stop(0);
  await api.close();
  await edge.stop(true);
});
beforeEach(() => {
  events = whole();
  asked = [];
});

const messages = [{ role: "user" as const, content: "سؤال" }];

const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (e) => e,
  );

describe("OpenAI's own client", () => {
  test("gets an answer with its sources by the base URL alone", async () => {
    const answer = await client.chat.completions.create({ model: "isnad", messages, max_completion_tokens: 9 });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { role: "assistant", content: "مرحبا [1]" },
    });
    expect(answer.usage).toEqual(USAGE);
    expect(answer).toMatchObject({ object: "chat.completion", model: "isnad", sources: META.sources, answered: true });
    expect(asked[0]).toMatchObject({ messages, max_tokens: 9, stream: true, grounded: true });
  });

  test("limits what is read by the platform's own fields", async () => {
    const limits = { filters: { lang: "en" }, article_id: 7, story_id: 3 };
    const body = { model: "isnad", messages, ...limits };
    await client.post("/chat/completions", { body });
    expect(asked[0]).toMatchObject(limits);
    const refused = failureOf(client.post("/chat/completions", { body: { ...body, story_id: 0 } }));
    expect(await refused).toBeInstanceOf(UnprocessableEntityError);
  });

  test("gets a stream, its usage where that is asked for, and its end", async () => {
    const given = { model: "isnad", messages, stream: true as const, stream_options: { include_usage: true } };
    const chunks = await Array.fromAsync(await client.chat.completions.create(given));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("مرحبا [1]");
    expect(chunks[0]).toMatchObject({ object: "chat.completion.chunk", sources: META.sources });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: USAGE });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  test("an answer that the articles do not give ends as clients know it, and says so beside", async () => {
    events = whole("no_answer");
    const answer = await client.chat.completions.create({ model: "isnad", messages });
    expect(answer.choices[0]?.finish_reason).toBe("stop");
    expect(answer).toMatchObject({ answered: false });
  });

  test("parts of a message are joined, and a developer speaks as the system", async () => {
    await client.chat.completions.create({
      model: "isnad",
      messages: [
        { role: "developer", content: "brief" },
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    });
    expect(asked[0]?.messages).toEqual([
      { role: "system", content: "brief" },
      { role: "user", content: "ab" },
    ]);
  });

  test("a stream that breaks off is an error of the client's", async () => {
    events = events.slice(0, 2);
    const stream = await client.chat.completions.create({ model: "isnad", messages, stream: true });
    expect(await failureOf(Array.fromAsync(stream))).toMatchObject({ error: { code: "service-unavailable" } });
  });

  test("lists the models, and knows one by its name", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["isnad", MODEL]);
    expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: "model" });
    expect(await failureOf(client.models.retrieve("other"))).toBeInstanceOf(NotFoundError);
  });

  test("gets vectors in the form that it asks for", async () => {
    // The client asks for base64 by itself, and reads it.
    const { data, model } = await client.embeddings.create({ model: "isnad", input: ["a b", "c"] });
    expect(data.map(({ embedding }) => [...embedding])).toEqual([
      [0.5, 0],
      [0.5, 1],
    ]);
    expect(model).toBe(MODEL);
    const floats = await client.embeddings.create({ model: MODEL, input: "a b", encoding_format: "float" });
    expect(floats.data[0]?.embedding).toEqual([0.5, 0]);
    expect(floats.usage.prompt_tokens).toBe(2);
    expect(asked.map(({ kind }) => kind)).toEqual(["passage", "passage"]);
  });

  test.each([
    ["another model", { model: "gpt", messages }, NotFoundError, "not-found"],
    [
      "no user",
      { model: "isnad", messages: [{ role: "system" as const, content: "a" }] },
      UnprocessableEntityError,
      "validation-error",
    ],
    ["two answers", { model: "isnad", messages, n: 2 }, UnprocessableEntityError, "validation-error"],
  ])("is told what is wrong: %s", async (_, given, kind, code) => {
    const error = await failureOf(client.chat.completions.create(given));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ code });
  });

  test("is told which field is wrong, and of a wrong key", async () => {
    const wide = await failureOf(client.embeddings.create({ model: "isnad", input: "a", dimensions: 5 }));
    expect(wide).toBeInstanceOf(APIError);
    expect(wide).toMatchObject({ param: "dimensions", message: expect.stringContaining("must be 2") });
    const other = await failureOf(client.embeddings.create({ model: "nothing", input: "a" }));
    expect(other).toBeInstanceOf(NotFoundError);
    expect(await failureOf(client.models.retrieve("nothing"))).toBeInstanceOf(NotFoundError);
    const stranger = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "other", maxRetries: 0 });
    const refused = await failureOf(stranger.models.list());
    expect(refused).toBeInstanceOf(AuthenticationError);
    expect([refused, other]).toMatchObject([{ type: "authentication_error" }, { type: "invalid_request_error" }]);
  });
});

test("OpenAI's package for Python works by the base URL alone", async () => {
  const script = join(import.meta.dirname, "../../e2e/clients/openai_package.py");
  const run = Bun.spawn([PYTHON, script, `${server.url}/v1`, "reader"], { stdout: "pipe", stderr: "pipe" });
  const [said, failure, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  if (code === 3) return void process.stdout.write(`skipped: ${PYTHON} has no package openai\n`);
  expect(failure).toBe("");
  expect(
    said
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { text: "مرحبا [1]", usage: 3 },
    { text: "مرحبا [1]", end: "stop" },
    ["isnad", MODEL],
    "isnad",
    { error: "NotFoundError", status: 404 },
    [
      [0.5, 0],
      [0.5, 1],
    ],
    { error: "AuthenticationError", status: 401 },
  ]);
}, 300_000);
