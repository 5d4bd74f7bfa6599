import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { request } from "node:http";
import { loadConfig } from "../config/mod.ts";
import { listen, type Listening } from "./listen.ts";
import { createRoute, jsonBody, problems, z } from "./mod.ts";
import { requestIdOf } from "./service.ts";
import { testService, testTurns } from "./testing.ts";

const echo = createRoute({
  method: "post",
  path: "/echo/{name}",
  middleware: [jsonBody({ limit: 1000 })] as const,
  request: {
    params: z.object({ name: z.string() }),
    body: { required: true, content: { "application/json": { schema: z.object({ n: z.int().min(1) }) } } },
  },
  responses: {
    200: { description: "ok", content: { "application/json": { schema: z.object({ n: z.int() }) } } },
    ...problems("validation-error", "malformed-json"),
  },
});

function echoService() {
  const service = testService();
  service.app.openapi(echo, (c) => c.json(c.req.valid("json"), 200));
  return service.app;
}

const post = (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  echoService().request("/echo/a", { method: "POST", body, headers });

describe("a service", () => {
  test("begins requests that arrive at once in as many turns of the event loop as they need", async () => {
    const { app } = testService();
    const turns = testTurns();
    app.get("/long", (c) => c.text(String(turns.hold())));
    const server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => (await fetch(`${server.url}/long`)).text()),
    );
    turns.stop();
    await server.stop();
    expect(new Set(answers).size).toBe(12);
  });

  test("answers a valid request", async () => {
    const res = await post('{"n":3}');
    expect(res.status).toBe(200);
    expect(await res.json()).toEqual({ n: 3 });
  });

  test("names every wrong field of a body with the right syntax", async () => {
    const res = await post('{"n":0}');
    expect(res.status).toBe(422);
    expect(res.headers.get("content-type")).toBe("application/problem+json");
    expect(await res.json()).toMatchObject({
      type: "/errors/validation-error",
      title: "Validation Error",
      status: 422,
      instance: "/echo/a",
      errors: { n: [expect.any(String)] },
    });
  });

  test("names the path in a problem as it was sent: percent-encoded", async () => {
    for (const path of ["/nothing/%D8%A3%20b", "/echo/%00%7F"]) {
      const res = await testService().app.request(path);
      expect(await res.json()).toMatchObject({ status: 404, instance: path });
    }
  });

  test("calls broken JSON malformed", async () => {
    const res = await post('{"n":');
    expect(res.status).toBe(400);
    expect(await res.json()).toMatchObject({ type: "/errors/malformed-json" });
  });

  test("refuses another media type", async () => {
    const res = await post('{"n":3}', { "content-type": "text/plain" });
    expect(res.status).toBe(415);
    expect(await res.json()).toMatchObject({ type: "/errors/unsupported-media-type" });
  });

  test("answers 404 for an unknown path and 405 with Allow for a known one", async () => {
    const app = echoService();
    expect((await app.request("/nothing")).status).toBe(404);
    const res = await app.request("/echo/a");
    expect(res.status).toBe(405);
    expect(res.headers.get("allow")).toBe("POST");
  });

  test("serves livez, health, metrics and the OpenAPI document", async () => {
    const app = echoService();
    expect((await app.request("/livez")).status).toBe(200);
    expect(await (await app.request("/health")).json()).toMatchObject({ status: "ok", service: "test", deps: {} });
    expect(await (await app.request("/metrics")).text()).toContain("http_requests_total");
    const doc: unknown = await (await app.request("/openapi.json")).json();
    expect(doc).toMatchObject({ openapi: "3.1.0" });
    expect(doc).toHaveProperty(["paths", "/echo/{name}"]);
  });
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("an id of 1 to 128 visible ASCII characters is taken as it is", () => {
  for (const id of ["a", "!~", "x".repeat(128), "9f0c-Ünicode".slice(0, 5)]) expect(requestIdOf(id)).toBe(id);
});

test("any other id is replaced by a new UUID", () => {
  for (const id of [null, undefined, "", "x".repeat(129), "two words", "tab\t", "é", "رقم", "a\u007f"]) {
    expect(requestIdOf(id)).toMatch(UUID);
  }
});

test("every response carries the id, and so does the log line", async () => {
  const service = testService();
  service.app.get("/boom", () => {
    throw new Error("secret cause");
  });
  for (const path of ["/livez", "/nothing", "/boom", "/openapi.json", "/docs"]) {
    const res = await service.app.request(path, { headers: { "x-request-id": "abc-1" } });
    expect(res.headers.get("X-Request-ID")).toBe("abc-1");
    expect(service.lines.at(-1)).toMatchObject({ request_id: "abc-1", path, status: res.status });
  }
});

test("a probe that is told 503 leaves no error, also where a guard of later routes follows it", async () => {
  const down = { critical: true, check: () => Promise.reject(new Error("away")) };
  const service = testService({ deps: { store: down } });
  service.app.use(service.access.read());
  service.app.get("/boom", () => {
    throw new Error("broken");
  });
  const lineOf = async (path: string) => {
    const { status } = await service.app.request(path);
    const { level, route } = Object(service.lines.at(-1));
    return { status, level, route };
  };
  expect(await lineOf("/readyz")).toEqual({ status: 503, level: "info", route: "/readyz" });
  expect(await lineOf("/health")).toEqual({ status: 503, level: "info", route: "/health" });
  expect(await lineOf("/livez")).toEqual({ status: 200, level: "debug", route: "/livez" });
  expect(await lineOf("/boom")).toEqual({ status: 500, level: "error", route: "/boom" });
  expect(await lineOf("/nothing")).toEqual({ status: 404, level: "info", route: "unmatched" });
});

test("two requests without an id get different ones", async () => {
  const { app } = testService();
  const first = (await app.request("/livez")).headers.get("x-request-id");
  const second = (await app.request("/livez")).headers.get("x-request-id");
  expect(first).toMatch(UUID);
  expect(first).not.toBe(second);
});

describe("entity tag", () => {
  const config = loadConfig({ CORS_ORIGINS: "https://news.example" });
  const { app } = testService({ entityTags: true, config });
  let answers = 0;
  let title = "one";
  app.get("/search", (c) =>
    c.json({
      title,
      meta: { next_cursor: `c${answers}`, took_ms: ++answers + 0.5, diagnostics: { bm25_ms: answers } },
      request_id: `r-${answers}`,
    }),
  );
  app.get("/quoted", (c) => c.json({ text: `"took_ms":${++answers}` }));
  app.get("/own", (c) => c.text("own", 200, { ETag: '"v1"', "Cache-Control": "max-age=60" }));
  app.get("/lines", (c) => c.body("{}\n", 200, { "Content-Type": "application/x-ndjson" }));
  app.post("/search", (c) => c.json({ answers }));

  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.request(path, { method, headers });
  const tagOf = async (path: string) => (await ask(path)).headers.get("etag") ?? "";

  test("answers that say the same have one weak tag, whatever they took; others have another", async () => {
    const tag = await tagOf("/search");
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    expect(await tagOf("/search")).toBe(tag);
    title = "two";
    expect(await tagOf("/search")).not.toBe(tag);
  });

  test("what a text says of times is part of it", async () => {
    expect(await tagOf("/quoted")).not.toBe(await tagOf("/quoted"));
  });

  test("a client that has it gets 304 without a body, by any of the forms of If-None-Match", async () => {
    const tag = await tagOf("/search");
    for (const known of [tag, tag.slice(2), `"x", ${tag}`, `W/"x",${tag.slice(2)} , "y"`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const response = await ask("/search", { "if-none-match": known }, method);
        expect([response.status, await response.text()]).toEqual([304, ""]);
        expect(response.headers.get("etag")).toBe(tag);
        expect(response.headers.get("cache-control")).toBe("no-cache");
        expect(response.headers.get("vary")).toContain("Accept-Encoding");
        expect(response.headers.get("content-type")).toBeNull();
        expect(response.headers.get("x-request-id")).not.toBeNull();
      }
    }
    for (const other of ['"x"', "x", tag.slice(3, -1), `"${tag}"`, ""]) {
      expect((await ask("/search", { "if-none-match": other })).status).toBe(200);
    }
  });

  test("a page of another origin can read the 304", async () => {
    const headers = { "if-none-match": await tagOf("/search"), origin: "https://news.example" };
    const response = await ask("/search", headers);
    expect(response.status).toBe(304);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://news.example");
    expect(response.headers.get("vary")).toContain("Origin");
  });

  test("what a credential was sent with is for its holder alone", async () => {
    for (const headers of [{ authorization: "Bearer a" }, { "x-api-key": "a" }, { cookie: "a=b" }]) {
      expect((await ask("/search", headers)).headers.get("cache-control")).toBe("private, no-cache");
    }
  });

  test("a tag of the route's own stays, and what is written as it is made has none", async () => {
    const own = await ask("/own");
    expect([own.headers.get("etag"), own.headers.get("cache-control")]).toEqual(['"v1"', "max-age=60"]);
    expect((await ask("/own", { "if-none-match": 'W/"v1"' })).status).toBe(304);
    const lines = await ask("/lines", { "if-none-match": "*" });
    expect([lines.status, lines.headers.get("etag"), await lines.text()]).toEqual([200, null, "{}\n"]);
  });

  test("probes, errors and other methods are not kept", async () => {
    for (const path of ["/livez", "/health", "/metrics", "/nowhere"]) {
      const { status, headers } = await ask(path, { "if-none-match": "*" });
      expect(status).toBe(path === "/nowhere" ? 404 : 200);
      expect([headers.get("etag"), headers.get("cache-control")]).toEqual([null, "no-store"]);
    }
    expect((await ask("/search", { "if-none-match": "*" }, "POST")).status).toBe(200);
  });

  test("a service that is not asked to has no tags", async () => {
    const { headers } = await testService().app.request("/openapi.json");
    expect(headers.get("etag")).toBeNull();
  });
});

describe("head", () => {
  let server: Listening;

  beforeAll(async () => {
    const { app } = testService();
    app.get("/text", (c) => c.text("السلام", 200, { "X-Own": "1" }));
    app.get("/empty", (c) => c.body(null, 204));
    app.get("/none", (c) => c.text(""));
    app.get("/stream", () => {
      const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(": hello\n\n")) });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    });
    server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.stop(0));

  /** Status, headers but those that differ from answer to answer, and size of the body. */
  function ask(method: string, path: string): Promise<{ status: number | undefined; headers: object; size: number }> {
    return new Promise((resolve, reject) => {
      const sent = request(`${server.url}${path}`, { method, agent: false }, (response) => {
        const { date: _date, "x-request-id": _id, ...headers } = response.headers;
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.byteLength;
        });
        response.on("end", () => resolve({ status: response.statusCode, headers, size }));
      });
      sent.on("error", reject).end();
    });
  }

  test("HEAD has the status and the headers of GET, and no body", async () => {
    for (const path of ["/text", "/empty", "/none", "/livez", "/openapi.json", "/docs", "/nothing"]) {
      const get = await ask("GET", path);
      expect([path, await ask("HEAD", path)]).toEqual([path, { ...get, size: 0 }]);
    }
  });

  test("HEAD says how long the body is that GET has", async () => {
    expect((await ask("HEAD", "/text")).headers).toMatchObject({ "content-length": "12", "x-own": "1" });
  });

  test("HEAD of a stream is answered at once", async () => {
    const { status, headers } = await ask("HEAD", "/stream");
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "content-type": "text/event-stream" });
  });
});
