import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createDemoClient, type DemoClient } from "./render.ts";
import { testHit } from "./testing.ts";

let server: Server | undefined;
afterEach(() => server?.close());

const counts = {
  discovered: 3,
  fetched: 3,
  extracted: 2,
  sent: 2,
  duplicate: 0,
  conflict: 0,
  failed: 0,
  skipped: 1,
};

type Answer = { status?: number; body: unknown };

/** A client of services on loopback that answer as `answer` says. */
async function clientOf(
  answer: (request: IncomingMessage, body: string) => Answer,
  publicKey?: string,
): Promise<DemoClient> {
  const listening = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
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
      return { body: { run_id: "r1", status, error: null, counts } };
    }
    expect(request.headers.authorization).toBe("Bearer s");
    expect(JSON.parse(text)).toEqual({ profile_id: "demo" });
    return { status: 202, body: { run_id: "r1", status: "queued" } };
  });
  const crawl = await client.crawl("demo", signal);
  expect(crawl).toEqual({ status: "succeeded", error: null, counts });
  expect(seen).toEqual(["POST /runs", "GET /runs/r1", "GET /runs/r1", "GET /runs/r1"]);
});

test("a run that is under way already is waited for", async () => {
  const client = await clientOf((request) =>
    request.method === "POST"
      ? { status: 409, body: { run_id: "r0" } }
      : { body: { status: request.url === "/runs/r0" ? "partial" : "failed", error: "one page", counts } },
  );
  expect(await client.crawl("demo", signal)).toEqual({ status: "partial", error: "one page", counts });
});

test("hits come with their ranks in both branches", async () => {
  const hit = testHit({ article_id: 3, lang: "ar", published_at: "2026-01-01T00:00:00.000Z", knn_rank: 2 });
  const client = await clientOf((request) => {
    expect(new URL(request.url ?? "", "http://x").searchParams.get("q")).toBe("سؤال & جواب");
    expect(request.headers["x-api-key"]).toBe("k");
    const meta = { took_ms: 4, degraded: false, corrections: [], diagnostics: {} };
    return { body: { schema: "search.v1", query: "q", mode: "hybrid", total: 1, results: [hit], meta } };
  }, "k");
  expect(await client.search({ q: "سؤال & جواب", mode: "hybrid" })).toMatchObject({
    results: [hit],
    meta: { took_ms: 4 },
  });
});

test("an answer that is not of the contract is an error", async () => {
  const client = await clientOf(() => ({ body: { results: [{ title: "no article" }] } }));
  expect(await client.search({ q: "x" }).catch((error: Error) => error.name)).toBe("ZodError");
});

test("any other answer is an error that tells the route, the status and the reason", async () => {
  const client = await clientOf(() => ({ status: 503, body: { title: "Service Unavailable", detail: "database" } }));
  const failure = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);
  expect(await failure(client.crawl("demo", signal))).toBe("POST /runs answered 503: database");
  expect(await failure(client.search({ q: "x" }))).toBe("GET /v1/search answered 503: database");
});

test("a question is asked and an article summarised with the public key", async () => {
  const asked: unknown[] = [];
  const client = await clientOf((request, text) => {
    expect(request.headers["x-api-key"]).toBe("p");
    asked.push([request.method, request.url, text && JSON.parse(text)]);
    if (request.url === "/v1/articles/7") return { body: { content: "A text.", title: "T" } };
    if (request.url === "/api/ai/summarize")
      return {
        body: { summary: "- A.", bullets: ["A."], target_lang: "en", length: "short", format: "bullets", model: "m" },
      };
    const sources = [{ n: 1, article_id: 7, title: "T", url: "https://n.test/7" }];
    const message = { role: "assistant", content: "A. [1]" };
    return { body: { ok: true, request_id: "r", model: "m", sources, message, finish_reason: "stop", usage: null } };
  }, "p");
  expect((await client.ask("Why?")).message.content).toBe("A. [1]");
  expect((await client.summarize(7)).summary).toBe("- A.");
  expect(asked).toEqual([
    ["POST", "/chat/completions", { stream: false, messages: [{ role: "user", content: "Why?" }] }],
    ["GET", "/v1/articles/7", ""],
    ["POST", "/api/ai/summarize", { text: "A text.", length: "short", format: "bullets" }],
  ]);
});

test("reports of other papers are pushed with the ingest token, and a chain is read with the public key", async () => {
  const seen: unknown[] = [];
  const client = await clientOf((request, text) => {
    seen.push([request.url, request.headers.authorization ?? request.headers["x-api-key"], text && JSON.parse(text)]);
    if (request.url?.endsWith("/chain")) return { body: { article_id: 7, story_id: null, links: [], reports: [] } };
    const summary = { request_id: crypto.randomUUID(), received: 1, accepted: 1, failed: 0, conflicts: 0 };
    const results = [{ external_id: "e", status: "accepted", article_id: 7 }];
    return { status: 202, body: { schema: "ingest.v1", summary, results } };
  }, "p");
  const publishedAt = "2026-01-12T05:40:00.000Z";
  const article = {
    slug: "weekly",
    lang: "en",
    title: "T",
    content: "C",
    publishedAt,
    author: "W",
    section: "s",
  } as const;
  expect(await client.push([article])).toEqual([7]);
  expect((await client.chain(7)).links).toEqual([]);
  const item = { source_id: "weekly", external_id: publishedAt, url: "https://weekly.example/2026-01-12", title: "T" };
  expect(seen).toEqual([
    [
      "/v1/ingest/articles",
      "Bearer t",
      { articles: [{ ...item, content: "C", lang: "en", published_at: publishedAt }] },
    ],
    ["/v1/articles/7/chain", "p", ""],
  ]);
});
