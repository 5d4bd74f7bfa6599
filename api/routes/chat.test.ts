import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Listening, listen } from "@isnad/lib/service/http";
import { aborted } from "@isnad/lib/service/process";
import { formatEvent } from "@isnad/lib/std";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

type Edge = (request: Request) => Response | Promise<Response>;

/** An edge worker on loopback that answers with what the test puts here. */
let answer: Edge;
let seen: { body: Record<string, unknown>; headers: Headers; signal: AbortSignal }[];
let edge: ReturnType<typeof Bun.serve>;
let api: TestApi;
let server: Listening;

beforeAll(async () => {
  edge = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      seen.push({ body: Object(await request.json()), headers: request.headers, signal: request.signal });
      return await answer(request);
    },
  });
  api = await testApi({
    EDGE_URL: `http://127.0.0.1:${edge.port}`,
    EDGE_API_KEY: "edge-secret,older",
    STREAM_HEARTBEAT_MS: "40",
  });
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server.stop(0);
  await api.close();
  await edge.stop(true);
});
beforeEach(() => {
  seen = [];
});

const META = {
  request_id: "r-1",
  model: "m",
  sources: [{ n: 1, article_id: 7, title: "T", url: "https://n.test/7", passages: [] }],
};
const DONE = {
  finish_reason: "stop",
  citations: [],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
};
const WHOLE = [
  formatEvent("meta", META),
  formatEvent("delta", { text: "مر" }),
  formatEvent("delta", { text: "حبا [1]" }),
  formatEvent("done", DONE),
];

const stream = (body: string | ReadableStream) =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

const post = (body: unknown, headers: Record<string, string> = {}, signal = new AbortController().signal) =>
  fetch(`${server.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });

const ask = (over: Record<string, unknown> = {}) => ({ messages: [{ role: "user", content: "سؤال" }], ...over });

describe("POST /chat/completions", () => {
  test("passes the request on with its id and the worker's key, and streams what comes back, byte by byte", async () => {
    answer = () => stream(WHOLE.join(""));
    const response = await post(ask({ max_tokens: 9, lang: "ar" }), { "x-request-id": "r-1" });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-request-id")).toBe("r-1");
    expect(await response.text()).toBe(WHOLE.join(""));
    expect(seen[0]?.headers.get("x-api-key")).toBe("edge-secret");
    expect(seen[0]?.headers.get("x-request-id")).toBe("r-1");
    expect(seen[0]?.body).toEqual({ ...ask(), max_tokens: 9, lang: "ar", stream: true, grounded: true });
  });

  test("gives one JSON body where no stream is asked for", async () => {
    answer = () => stream(WHOLE.join(""));
    const response = await post(ask({ stream: false }));
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await bodyOf(response)).toEqual({
      ok: true,
      ...META,
      message: { role: "assistant", content: "مرحبا [1]" },
      ...DONE,
    });
  });

  test("keeps a silent connection with comment lines", async () => {
    const kept = Promise.withResolvers<void>();
    answer = () =>
      stream(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode(WHOLE[0]));
            await kept.promise;
            controller.enqueue(new TextEncoder().encode(WHOLE[3]));
            controller.close();
          },
        }),
      );
    let text = "";
    for await (const chunk of (await post(ask())).body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes(": keep-alive\n\n")) kept.resolve();
    }
    expect(text.replace(/(: keep-alive\n\n)+/, "")).toBe(`${WHOLE[0]}${WHOLE[3]}`);
  });

  test.each([
    ["ends without a word", WHOLE.slice(0, 2).join("")],
    ["is cut within an event", WHOLE.join("").slice(0, -20)],
    ["holds something else than was agreed", `${WHOLE[0]}${formatEvent("delta", { words: 1 })}`],
    ["holds an unknown event", `${WHOLE[0]}${formatEvent("tool", {})}`],
  ])("ends a stream that %s with exactly one error", async (_, text) => {
    answer = () => stream(text);
    const events = (await (await post(ask())).text()).split("\n\n").filter((block) => block.startsWith("event"));
    expect(events.filter((block) => /^event: (done|error)\n/.test(block))).toHaveLength(1);
    expect(JSON.parse(events.at(-1)?.replace(/^event: error\ndata: /, "") ?? "")).toEqual({
      type: "/errors/service-unavailable",
      title: "Service Unavailable",
      status: 503,
      detail: "The answer broke off.",
      instance: "/chat/completions",
    });
  });

  test("says when to ask again where the answer in one piece breaks off", async () => {
    const problem = { type: "/errors/service-unavailable", title: "x", status: 503, detail: "Gone.", instance: "/x" };
    for (const text of [WHOLE.slice(0, 2).join(""), `${WHOLE[0]}${formatEvent("error", problem)}`]) {
      answer = () => stream(text);
      const whole = await post(ask({ stream: false }));
      expect([whole.status, whole.headers.get("retry-after")]).toEqual([503, "5"]);
    }
  });

  test("passes an error event on under its own path, and as a status where no stream is asked for", async () => {
    const problem = {
      type: "/errors/model-not-installed",
      title: "x",
      status: 503,
      detail: "None.",
      instance: "/llm/chat",
    };
    answer = () => stream(`${WHOLE[0]}${formatEvent("error", problem)}${WHOLE[3]}`);
    const text = await (await post(ask())).text();
    expect(text).toEndWith(
      'event: error\ndata: {"type":"/errors/model-not-installed","title":"Model Not Installed","status":503,"detail":"None.","instance":"/chat/completions"}\n\n',
    );
    const whole = await post(ask({ stream: false }));
    expect([whole.status, (await bodyOf(whole)).type]).toEqual([503, "/errors/model-not-installed"]);
  });

  test("sends nothing after the first end", async () => {
    answer = () => stream(`${WHOLE.join("")}${WHOLE.join("")}`);
    expect(await (await post(ask())).text()).toBe(WHOLE.join(""));
  });

  test("is 503 when the worker refuses, is away, or does not answer, and says nothing of why", async () => {
    const refused = { type: "/errors/unauthorized", detail: "A valid x-api-key header is required." };
    answer = () => Response.json(refused, { status: 401 });
    const response = await post(ask());
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(text).toContain("The chat service failed.");
    expect(text).not.toContain("x-api-key");
    const lost = await testApi({ EDGE_URL: "http://127.0.0.1:1" });
    const away = await lost.app.request("/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ask()),
    });
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "5"]);
    await lost.close();
  });

  test("a client that leaves is felt by the worker, streaming or not", async () => {
    for (const streaming of [true, false]) {
      answer = () =>
        stream(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(WHOLE[0])) }));
      const abort = new AbortController();
      const asked = post(ask({ stream: streaming }), {}, abort.signal).catch(() => undefined);
      while (seen.length === 0) await sleep(5);
      if (streaming) await asked;
      const signal = seen.pop()?.signal ?? AbortSignal.abort();
      expect(signal.aborted).toBe(false);
      abort.abort();
      // Sooner than the API gives up a worker that is silent.
      const late = sleep(20_000, "still there", { ref: false });
      expect(await Promise.race([aborted(signal).then(() => "left"), late])).toBe("left");
    }
  });
});

describe("a bad request", () => {
  const user = { role: "user", content: "Hi" };
  test.each([
    ["no messages", {}, "messages"],
    ["messages that are none", { messages: [] }, "messages"],
    ["an unknown role", { messages: [{ role: "developer", content: "Hi" }] }, "messages.0.role"],
    ["201 messages", { messages: Array.from({ length: 201 }, () => user) }, "messages"],
    ["200,001 characters", { messages: [{ role: "user", content: "x".repeat(200_001) }] }, "messages"],
    ["max_tokens 8193", { messages: [user], max_tokens: 8193 }, "max_tokens"],
    ["stream as text", { messages: [user], stream: "no" }, "stream"],
    ["grounded as a number", { messages: [user], grounded: 1 }, "grounded"],
  ])("with %s is 422, names the field, and does not reach the worker", async (_, body, field) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    expect(Object.keys(Object((await bodyOf(response)).errors))).toEqual([field]);
    expect(seen).toEqual([]);
  });

  test("of 2 MB is 413, of another type 415, of broken JSON 400, by another method 405", async () => {
    expect((await post(ask({ messages: [{ role: "user", content: "x".repeat(2_000_000) }] }))).status).toBe(413);
    expect((await post("a=b", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post("[")).status).toBe(400);
    const got = await fetch(`${server.url}/chat/completions`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });
});

test("a public key is needed where some are set, and a wrong one is in no log", async () => {
  answer = () => stream(WHOLE.join(""));
  const guarded = await testApi({
    API_PUBLIC_KEYS: "p1,p2",
    EDGE_URL: `http://127.0.0.1:${edge.port}`,
    EDGE_API_KEY: "e",
  });
  const statusWith = async (key: string) => {
    const headers = { "content-type": "application/json", "x-api-key": key };
    const response = await guarded.app.request("/chat/completions", {
      method: "POST",
      headers,
      body: JSON.stringify(ask()),
    });
    await response.text();
    return response.status;
  };
  expect([await statusWith("wrong-key"), await statusWith("p1"), await statusWith("p2")]).toEqual([401, 200, 200]);
  expect(JSON.stringify(guarded.lines)).not.toMatch(/wrong-key|"p1"|"e"/);
  await guarded.close();
});
