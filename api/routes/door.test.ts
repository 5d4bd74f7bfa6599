import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type Listening, listen } from "@isnad/lib/service/http";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

type Behind = (request: Request) => Response | Promise<Response>;

/** A service behind the door, which answers what the test says. */
let answer: Behind = () => Response.json({ ok: true });
let seen: { method: string; path: string; headers: Headers; body: string; signal: AbortSignal }[] = [];
let behind: ReturnType<typeof Bun.serve>;
let api: TestApi;
let server: Listening;

beforeAll(async () => {
  behind = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers, signal } = request;
      if (pathname === "/livez") return Response.json({ status: "ok" });
      seen.push({ method, path: `${pathname}${search}`, headers, body: await request.text(), signal });
      return await answer(request);
    },
  });
  const url = `http://127.0.0.1:${behind.port}`;
  const services = { EDGE_URL: url, NLP_URL: url, RETRIEVAL_URL: url, SCRAPER_URL: url };
  api = await testApi({ ...services, INTERNAL_TOKEN: "internal-secret", EDGE_API_KEY: "edge-secret" });
  server = await listen(api.app.fetch, { host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await server.stop(0);
  await api.close();
  await behind.stop(true);
});
afterEach(() => {
  seen = [];
  answer = () => Response.json({ ok: true });
});

const JSON_TYPE = { "content-type": "application/json" };

describe("the door", () => {
  test.each([
    ["/nlp/morph?text=%D9%83%D8%AA%D8%A8&all=true", "/morph?text=%D9%83%D8%AA%D8%A8&all=true"],
    ["/edge/llm/health", "/llm/health"],
    ["/scraper/v1/profiles", "/v1/profiles"],
    ["/retrieval/openapi.json", "/openapi.json"],
  ])("passes GET %s on as %s", async (path, passed) => {
    const response = await fetch(`${server.url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${passed}`]);
  });

  test.each(["/s1/check-worthiness", "/retrieve"])("passes POST %s on to the search service", async (path) => {
    const response = await fetch(`${server.url}${path}`, { method: "POST", headers: JSON_TYPE, body: '{"text":"نص"}' });
    expect(response.status).toBe(200);
    expect(seen[0]).toMatchObject({ method: "POST", path, body: '{"text":"نص"}' });
  });

  test("gives a problem of the service as the service put it, and what it allows", async () => {
    const problem = {
      type: "/errors/validation-error",
      status: 422,
      instance: "/re",
      errors: { text: ["is required"] },
    };
    answer = () =>
      Response.json(problem, {
        status: 422,
        headers: { "content-type": "application/problem+json", "retry-after": "7" },
      });
    const response = await fetch(`${server.url}/nlp/morph`, { method: "POST", headers: JSON_TYPE, body: "{}" });
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("7");
    // Its path is the one that the client asked for.
    const { pathname: instance } = new URL(response.url);
    expect(await response.json()).toEqual({ ...problem, instance });
  });

  test("a request is good for what its own credentials are good for, and is counted for its client", async () => {
    await fetch(`${server.url}/edge/llm/chat`, {
      method: "POST",
      headers: {
        ...JSON_TYPE,
        "x-api-key": "mine",
        "x-internal-token": "guess",
        "x-isnad-client": "other",
        cookie: "a=b",
      },
      body: "{}",
    });
    const [{ headers } = { headers: new Headers() }] = seen;
    expect(headers.get("x-api-key")).toBe("mine");
    expect(headers.get("x-isnad-passed")).toBe("1");
    expect(headers.get("x-internal-token")).toBe("internal-secret");
    expect(headers.get("x-isnad-client")).toBe("127.0.0.1");
    expect(headers.get("cookie")).toBeNull();
  });

  test("a bearer token stands for the key of routes that look for one", async () => {
    await fetch(`${server.url}/edge/llm/health`, { headers: { authorization: "Bearer edge-secret" } });
    expect(seen[0]?.headers.get("x-api-key")).toBe("edge-secret");
  });

  test("streams both ways, and lets go when the client leaves", async () => {
    const left = Promise.withResolvers<void>();
    answer = ({ signal }) => {
      signal.addEventListener("abort", () => left.resolve());
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const leaving = new AbortController();
    const big = new Uint8Array(3_000_000).fill(97);
    const response = await fetch(`${server.url}/edge/llm/asr`, { method: "POST", body: big, signal: leaving.signal });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe("data: 1\n\n");
    expect(seen[0]?.body.length).toBe(big.length);
    leaving.abort();
    await left.promise;
  });

  test("a service that is away is 503 at once, and a path of no service 404", async () => {
    const away = await testApi({ NLP_URL: "http://127.0.0.1:1" });
    const response = await away.app.request("http://localhost/nlp/morph?text=a");
    expect(response.status).toBe(503);
    expect(await bodyOf(response)).toMatchObject({ type: "/errors/service-unavailable" });
    expect((await away.app.request("http://localhost/nlpx/morph")).status).toBe(404);
    await away.close();
  });
});
