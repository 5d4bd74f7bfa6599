import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createDemoClient, type DemoClient } from "./client.ts";
import { readNewsroom } from "./newsroom.ts";

let server: Server | undefined;
afterEach(() => server?.close());

type Answer = { status?: number; body: unknown };

/** A client of a loopback API that answers as `answer` says. */
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
  return createDemoClient(publicKey === undefined ? target : { ...target, publicKey });
}

const [one, two] = readNewsroom();
const articles = [one, two].filter((article) => article !== undefined);

test("articles are posted with the ingest token, and counted by status", async () => {
  const client = await clientOf((request, text) => {
    expect(request.headers.authorization).toBe("Bearer t");
    const posted: { articles: { external_id: string }[] } = JSON.parse(text);
    const results = posted.articles.map(({ external_id }, i) => ({
      external_id,
      status: "accepted",
      article_id: i + 1,
    }));
    return { status: 202, body: { results } };
  });
  const { counts, ids } = await client.post(articles);
  expect(counts).toEqual({ accepted: 2 });
  expect(ids.get(one?.external_id ?? "")).toBe(1);
});

test("an article that is stored with another text is left alone, the others are posted again", async () => {
  const batches: string[][] = [];
  const client = await clientOf((_request, text) => {
    const posted: { articles: { external_id: string }[] } = JSON.parse(text);
    batches.push(posted.articles.map(({ external_id }) => external_id));
    const conflict = batches.length === 1;
    const results = posted.articles.map(({ external_id }, i) => ({
      external_id,
      status: conflict && i === 0 ? "conflict" : "accepted",
      ...(conflict ? {} : { article_id: 5 }),
    }));
    return { status: conflict ? 409 : 202, body: { results } };
  });
  const { counts, ids } = await client.post(articles);
  expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
  expect(counts).toEqual({ accepted: 1, conflict: 1 });
  expect([...ids.keys()]).toEqual([two?.external_id ?? ""]);
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
  expect(client.state(7)).rejects.toThrow("GET /v1/articles/7 answered 503: database");
  expect(client.post(articles)).rejects.toThrow("POST /v1/ingest/articles answered 503: database");
  await client.search({ q: "x" }).catch(() => undefined);
});
