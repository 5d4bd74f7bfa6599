import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { createIsnad, IsnadError } from "./mod.ts";

type Seen = { method: string; url: URL; headers: Headers; body: string };

let answer: (request: Seen) => Response = () => Response.json({});
let seen: Seen[] = [];
let server: ReturnType<typeof Bun.serve>;
let baseUrl = "";

beforeAll(() => {
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method, headers } = request;
      const each = { method, headers, url: new URL(request.url), body: await request.text() };
      seen.push(each);
      return answer(each);
    },
  });
  baseUrl = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.stop(true));
beforeEach(() => {
  seen = [];
});

const isnad = () => createIsnad({ baseUrl, key: "k-1" });

const problem = (status: number, slug: string, over: object = {}, headers: Record<string, string> = {}) =>
  Response.json(
    { type: `/errors/${slug}`, title: "T", status, detail: "No.", ...over },
    { status, headers: { "content-type": "application/problem+json", "x-request-id": "r-1", ...headers } },
  );

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

describe("a call", () => {
  test("puts path, query and body where the document says, under the key", async () => {
    answer = () => Response.json({ article_id: 7 });
    await isnad().searchArticles({ q: "ميناء بيروت", limit: 3, rerank: true });
    await isnad().getArticle({ article_id: 7 });
    await isnad().updateSource({ key: "a/b", active: false });
    expect(seen.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      "GET /v1/search",
      "GET /v1/articles/7",
      "PATCH /v1/sources/a%2Fb",
    ]);
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({
      q: "ميناء بيروت",
      limit: "3",
      rerank: "true",
    });
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer k-1");
    expect(seen[2]?.body).toBe('{"active":false}');
  });

  test("gives nothing where there is no content, and text where it is no JSON", async () => {
    answer = ({ method }) => (method === "DELETE" ? new Response(null, { status: 204 }) : new Response("a 1\n"));
    expect(await isnad().deleteArticle({ article_id: 1 })).toBeNull();
    expect(await isnad().getApiMetrics()).toBe("a 1\n");
  });

  test("admits articles under a key of its own, the same for each attempt", async () => {
    let attempts = 0;
    answer = () =>
      attempts++ === 0 ? problem(503, "service-unavailable", {}, { "retry-after": "0" }) : Response.json({});
    await isnad().ingestArticles({ articles: [] });
    const keys = seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    await isnad().ingestArticles({ articles: [] }, { idempotencyKey: "mine" });
    expect(seen.at(-1)?.headers.get("idempotency-key")).toBe("mine");
  });

  test("sends a recording as it is", async () => {
    await isnad().transcribeAudio({ body: new Uint8Array([1, 2, 3]) });
    expect(seen[0]?.body).toBe("\u0001\u0002\u0003");
  });
});

describe("an error", () => {
  test("names the fields that are wrong, and is not tried again", async () => {
    answer = () => problem(422, "validation-error", { errors: { limit: ["must be at most 100"] } });
    const error = await failureOf(isnad().searchArticles({ q: "a", limit: 500 }));
    expect(error).toBeInstanceOf(IsnadError);
    expect(error).toMatchObject({ status: 422, slug: "validation-error", requestId: "r-1" });
    expect(error).toMatchObject({
      errors: { limit: ["must be at most 100"] },
      message: expect.stringContaining("limit must be"),
    });
    expect(seen).toHaveLength(1);
  });

  test("of a client over its rate is tried again when the platform says, and given up in the end", async () => {
    answer = () => problem(429, "rate-limit-exceeded", {}, { "retry-after": "0" });
    expect(await failureOf(isnad().summarizeText({ text: "a" }))).toMatchObject({ status: 429, retryAfter: 0 });
    expect(seen).toHaveLength(4);
  });

  test("that may have done something is not tried again", async () => {
    answer = () => problem(503, "service-unavailable", {}, { "retry-after": "0" });
    expect(
      await failureOf(isnad().createSource({ key: "k", provider: "rss", name: "n", feed_url: "https://n.test/f" })),
    ).toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
  });

  test("of a page of a proxy says what it begins with", async () => {
    answer = () => new Response("<html>Bad gateway</html>\nmore", { status: 502 });
    expect(await failureOf(isnad().getArticle({ article_id: 1 }))).toMatchObject({
      slug: "unknown",
      message: "502: <html>Bad gateway</html>",
    });
  });

  test("where nobody answers", async () => {
    const nobody = createIsnad({ baseUrl: "http://127.0.0.1:1", retries: 0 });
    expect(await failureOf(nobody.getArticle({ article_id: 1 }))).toMatchObject({ status: 0, slug: "no-answer" });
  });

  test("a signal ends a call", async () => {
    const reason = new Error("enough");
    expect(await failureOf(isnad().getArticle({ article_id: 1 }, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe("what comes bit by bit", () => {
  test("pages to the end", async () => {
    answer = ({ url }) => Response.json({ sources: [], next_cursor: url.searchParams.has("cursor") ? null : "c-2" });
    const pages = await Array.fromAsync(isnad().pages.listSources({ limit: 2 }));
    expect(pages).toHaveLength(2);
    expect(seen.map(({ url }) => url.search)).toEqual(["?limit=2", "?limit=2&cursor=c-2"]);
  });

  test("events, wherever the bytes are cut, to the end or to the error that ends them", async () => {
    const text = 'event: meta\ndata: {"sources":[]}\n\n: keep-alive\n\nevent: delta\ndata: {"text":"مر"}\n\n';
    const events = (tail: string) =>
      new Response(
        new ReadableStream({
          start(controller) {
            for (const byte of new TextEncoder().encode(text + tail)) controller.enqueue(Uint8Array.of(byte));
            controller.close();
          },
        }),
      );
    const messages = [{ role: "user" as const, content: "سؤال" }];
    answer = () => events("data: [DONE]\n\n");
    const all = await Array.fromAsync(isnad().stream.createChatCompletion({ messages }));
    expect(all).toEqual([
      { event: "meta", data: { sources: [] } },
      { event: "delta", data: { text: "مر" } },
    ]);
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ messages, stream: true });
    answer = () => events('event: error\ndata: {"type":"/errors/service-unavailable","detail":"It broke off."}\n\n');
    const broken = failureOf(Array.fromAsync(isnad().stream.createChatCompletion({ messages })));
    expect(await broken).toMatchObject({ slug: "service-unavailable", message: "It broke off." });
  });
});

describe("what is no problem document", () => {
  const plain = (body: string, status = 400) => new Response(body, { status });

  test.each([
    ["a detail", '{"type":"/errors/a-b","title":"T","detail":"D"}', { slug: "a-b", message: "400: D", errors: {} }],
    ["a title where there is no detail", '{"type":"/errors/a","title":"T"}', { slug: "a", message: "400: T" }],
    ["a title beside a detail that is no text", '{"type":"/errors/a","title":"T","detail":7}', { message: "400: T" }],
    ["the first line of a text", "first\nsecond", { slug: "unknown", message: "400: first" }],
    ["200 characters of a line", "x".repeat(300), { slug: "unknown", message: `400: ${"x".repeat(200)}` }],
    ["an array as a text", '["a"]', { slug: "unknown", message: '400: ["a"]' }],
    ["fields with their texts", '{"detail":"D","errors":{"a":["b",3],"c":"d"}}', { errors: { a: ["b", "3"], c: [] } }],
    ["errors that are no fields as none", '{"detail":"D","errors":["a"]}', { errors: {} }],
  ])("says %s", async (_, body, expected) => {
    answer = () => plain(body);
    expect(await failureOf(isnad().getArticle({ article_id: 7 }))).toMatchObject({ status: 400, ...expected });
  });

  test.each([
    ["GET", 429, () => isnad().getArticle({ article_id: 7 }), 4],
    ["GET", 503, () => isnad().getArticle({ article_id: 7 }), 4],
    ["GET", 500, () => isnad().getArticle({ article_id: 7 }), 1],
    ["PATCH", 503, () => isnad().updateSource({ key: "a", active: false }), 1],
    ["PATCH", 429, () => isnad().updateSource({ key: "a", active: false }), 4],
  ])("a %s that is answered %d is sent as often as is safe", async (_, status, call, times) => {
    answer = () => problem(status, "refused", {}, { "retry-after": "0" });
    expect(await failureOf(call())).toMatchObject({ status });
    expect(seen).toHaveLength(times);
  });

  test("a key of its own makes a call one that may be sent again", async () => {
    answer = () => problem(503, "refused", {}, { "retry-after": "0" });
    const call = isnad().updateSource({ key: "a", active: false }, { idempotencyKey: "once" });
    expect(await failureOf(call)).toMatchObject({ status: 503 });
    expect(seen.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["once", "once", "once", "once"]);
  });

  test("a client of no retries sends once", async () => {
    answer = () => problem(503, "refused", {}, { "retry-after": "0" });
    const once = createIsnad({ baseUrl: `${baseUrl}//`, retries: 0 });
    expect(await failureOf(once.getArticle({ article_id: 7 }))).toBeInstanceOf(IsnadError);
    expect(seen.map(({ url, headers }) => [url.pathname, headers.has("authorization")])).toEqual([
      ["/v1/articles/7", false],
    ]);
  });
});

test.each([
  ["its own", { next_cursor: "b" }],
  ["that of its meta", { meta: { next_cursor: "b" } }],
])("a page leads on by %s cursor, up to one that has none", async (_, first) => {
  answer = ({ url }) => Response.json(url.searchParams.get("cursor") === "b" ? { next_cursor: null } : first);
  expect(await Array.fromAsync(isnad().pages.listSources({}))).toHaveLength(2);
  expect(seen.map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, "b"]);
});

/** Answers with these pieces of bytes, one after the other. */
const inPieces = (...pieces: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );

describe("rows", () => {
  test("come line by line, however lines end and wherever they are cut", async () => {
    answer = () => inPieces('{"id":1}\r\n{"i', 'd":2}\n\n', '{"id":3}');
    const rows = await Array.fromAsync(isnad().rows.listArticles({ limit: 3 }));
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(seen[0]?.url.search).toBe("?limit=3&format=jsonl");
    expect(seen[0]?.headers.get("accept")).toBe("application/x-ndjson");
  });

  test("of a body that has none are none", async () => {
    answer = () => new Response(null, { status: 204 });
    expect(await Array.fromAsync(isnad().rows.listArticles({}))).toEqual([]);
    answer = () => inPieces("\n\n");
    expect(await Array.fromAsync(isnad().rows.listArticles({}))).toEqual([]);
  });

  test("may be left before their end: no more is asked of the stream", async () => {
    const left = Promise.withResolvers<void>();
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('{"id":1}\n')),
      cancel: () => left.resolve(),
    });
    const own = createIsnad({ fetch: Object.assign(async () => new Response(endless), { preconnect: () => {} }) });
    for await (const row of own.rows.listArticles({})) {
      expect(row).toEqual({ id: 1 });
      break;
    }
    await left.promise;
  });
});

describe("events", () => {
  const messages = [{ role: "user" as const, content: "q" }];
  const all = () => Array.fromAsync(isnad().stream.createChatCompletion({ messages }));

  test("have the data of all their lines, and no name where none was given", async () => {
    answer = () => inPieces('data: {"a":\ndata:1}\n\n', "event:  named \r\ndata: 2\r\n\r\n", "id: 7\nretry: 5\n\n");
    expect(await all()).toEqual([
      { event: "message", data: { a: 1 } },
      { event: "named ", data: 2 },
    ]);
    expect(seen[0]?.headers.get("accept")).toBe("text/event-stream");
  });

  test("that are cut off before their empty line are none", async () => {
    answer = () => inPieces("data: 1\n\ndata: 2\n");
    expect(await all()).toEqual([{ event: "message", data: 1 }]);
  });

  test("of an error without a document end in one all the same", async () => {
    answer = () => inPieces('event: error\ndata: "gone"\n\n');
    expect(await failureOf(all())).toMatchObject({ status: 503, slug: "unknown" });
  });
});

describe("what is asked for", () => {
  test("leaves out what is not given, and joins lists by commas", async () => {
    answer = () => Response.json({});
    const input = { q: "a b&c", lang: undefined, facets: ["source", "lang"] };
    await isnad().searchArticles(JSON.parse(JSON.stringify(input)));
    expect(seen[0]?.url.search).toBe("?q=a+b%26c&facets=source%2Clang");
  });

  test("goes to the local platform where no address is told, by whatever sends it", async () => {
    const urls: string[] = [];
    const by = async (url: string | URL | Request) => {
      urls.push(String(url));
      return Response.json({});
    };
    await createIsnad({ fetch: Object.assign(by, { preconnect: () => {} }) }).getArticle({ article_id: 7 });
    expect(urls).toEqual(["http://127.0.0.1:8080/v1/articles/7"]);
  });

  test("may have headers of the caller's, but not another accept or key", async () => {
    answer = () => Response.json({});
    const headers = { "x-request-id": "mine", accept: "text/html", authorization: "Bearer other" };
    await isnad().getArticle({ article_id: 7 }, { headers });
    const sent = seen[0]?.headers;
    expect([sent?.get("x-request-id"), sent?.get("accept"), sent?.get("authorization")]).toEqual([
      ...["mine", "application/json", "Bearer k-1"],
    ]);
  });
});

describe("a call that has to wait", () => {
  test("is left by its signal between two attempts", async () => {
    const leaving = new AbortController();
    const reason = new Error("enough");
    answer = () => {
      setTimeout(() => leaving.abort(reason), 1);
      return problem(429, "rate-limit-exceeded", {}, { "retry-after": "3600" });
    };
    expect(await failureOf(isnad().getArticle({ article_id: 1 }, { signal: leaving.signal }))).toBe(reason);
    expect(seen).toHaveLength(1);
  });

  test("leaves nothing on a signal that outlives it", async () => {
    const { signal } = new AbortController();
    answer = () => problem(503, "service-unavailable", {}, { "retry-after": "0" });
    expect(await failureOf(isnad().getArticle({ article_id: 1 }, { signal }))).toMatchObject({ status: 503 });
    expect([seen.length > 1, getEventListeners(signal, "abort").length]).toEqual([true, 0]);
  });

  test("ends where no answer begins in its time, with the reason", async () => {
    const never = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const own = createIsnad({ timeoutMs: 1, retries: 0, fetch: Object.assign(never, { preconnect: () => {} }) });
    const error = await failureOf(own.getArticle({ article_id: 1 }));
    expect(error).toMatchObject({ status: 0, slug: "no-answer", cause: new Error("no answer within 1 ms") });
  });

  test.each([
    ["7", 7],
    ["0", 0],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
  ])("is told when to come again: %p", async (header, seconds) => {
    answer = () => problem(503, "service-unavailable", {}, { "retry-after": header });
    const once = createIsnad({ baseUrl, retries: 0 });
    expect(await failureOf(once.getArticle({ article_id: 1 }))).toMatchObject({ retryAfter: seconds });
  });
});

describe("what is given otherwise than the documents say", () => {
  test("a cursor that is no text leads nowhere", async () => {
    answer = () => Response.json({ next_cursor: 7 });
    expect(await Array.fromAsync(isnad().pages.listSources({}))).toHaveLength(1);
    answer = () => Response.json(["no page"]);
    expect(await Array.fromAsync(isnad().pages.listSources({}))).toHaveLength(1);
  });

  test("no input is an empty one", async () => {
    answer = () => Response.json({ sources: [] });
    await isnad().listSources();
    expect(seen.map(({ url }) => url.search)).toEqual([""]);
  });

  test("a recording that is no bytes is none", async () => {
    answer = () => Response.json({});
    await isnad().transcribeAudio(JSON.parse('{"body":"text"}'));
    expect(seen.map(({ body }) => body)).toEqual([""]);
  });

  test("a name of an event without a space before it is its name", async () => {
    answer = () => inPieces("event:delta\ndata:1\n\n");
    const all = await Array.fromAsync(
      isnad().stream.createChatCompletion({ messages: [{ role: "user", content: "q" }] }),
    );
    expect(all).toEqual([{ event: "delta", data: 1 }]);
  });
});
