import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createDemoClient, type DemoClient } from "./client.ts";

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = { status?: number; body: unknown };

/** A client of services on loopback that answer as `answer` says. */
async function clientOf(
  answer: (request: IncomingMessage, body: string) => Answer,
  publicKey?: string,
): Promise<DemoClient> {
  const listening = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { status = 200, body } = answer(request, text);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  const target = { url: `http://127.0.0.1:${address.port}`, ingestToken: "t", dataDir: "" };
  const scraper = { url: target.url, token: "s" };
  return createDemoClient(publicKey === undefined ? target : { ...target, publicKey }, scraper);
}

const { signal } = new AbortController();

test("a run is started with the scraper's token, and its counts are told once it has ended", async () => {
  const seen: string[] = [];
  const client = await clientOf((request, text) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.method === "GET") {
      const status = seen.length < 4 ? "running" : "succeeded";
      return { body: { run_id: "r1", status, error: null, counts: { discovered: 3, sent: 2 } } };
    }
    expect(request.headers.authorization).toBe("Bearer s");
    expect(JSON.parse(text)).toEqual({ profile_id: "demo" });
    return { status: 202, body: { run_id: "r1", status: "queued" } };
  });
  const crawl = await client.crawl("demo", signal);
  expect(crawl).toEqual({ status: "succeeded", error: null, counts: { discovered: 3, sent: 2 } });
  expect(seen).toEqual(["POST /runs", "GET /runs/r1", "GET /runs/r1", "GET /runs/r1"]);
});

test("a run that is under way already is waited for", async () => {
  const client = await clientOf((request) =>
    request.method === "POST"
      ? { status: 409, body: { run_id: "r0" } }
      : { body: { status: request.url === "/runs/r0" ? "partial" : "failed", error: "one page", counts: {} } },
  );
  expect(await client.crawl("demo", signal)).toEqual({ status: "partial", error: "one page", counts: {} });
});

test("hits come with their ranks in both branches", async () => {
  const hit = {
    article_id: 3,
    title: "t",
    snippet: "s",
    url: "u",
    source: "x",
    lang: "ar",
    category: null,
    published_at: "2026-01-01T00:00:00.000Z",
    score: 0.5,
    bm25_rank: null,
    knn_rank: 2,
  };
  const client = await clientOf((request) => {
    expect(new URL(request.url ?? "", "http://x").searchParams.get("q")).toBe("سؤال & جواب");
    expect(request.headers["x-api-key"]).toBe("k");
    return { body: { results: [hit], meta: { took_ms: 4 } } };
  }, "k");
  expect(await client.search({ q: "سؤال & جواب", mode: "hybrid" })).toEqual({
    tookMs: 4,
    hits: [
      {
        articleId: 3,
        title: "t",
        snippet: "s",
        url: "u",
        source: "x",
        lang: "ar",
        category: null,
        publishedAt: "2026-01-01T00:00:00.000Z",
        score: 0.5,
        byWord: null,
        byMeaning: 2,
      },
    ],
  });
});

test("any other answer is an error that tells the route, the status and the reason", async () => {
  const client = await clientOf(() => ({ status: 503, body: { title: "Service Unavailable", detail: "database" } }));
  const failure = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);
  expect(await failure(client.crawl("demo", signal))).toBe("POST /runs answered 503: database");
  expect(await failure(client.search({ q: "x" }))).toBe("GET /v1/search answered 503: database");
});
