import { afterEach, expect, test } from "bun:test";
import { NOT_LOADED } from "@isnad/lib/models";
import { serveUpstream } from "@isnad/lib/answers/testing";
import { bodyOf, KEY, type TestEdge, testEdge } from "../testing/edge.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: Parameters<typeof testEdge>[0] = {}): Promise<TestEdge> {
  const edge = await testEdge(options);
  open.push(edge);
  return edge;
}

const health = async (edge: TestEdge) => {
  const response = await fetch(`${edge.url}/llm/health`, { headers: { "x-api-key": KEY } });
  return { status: response.status, body: await bodyOf(response) };
};

const none = { ready: false, model: null, provider: null };

test("without settings the built-in models chat, embed and rerank", async () => {
  const { status, body } = await health(await start());
  const builtin = (model: unknown) => ({ ready: true, model, provider: "builtin" });
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    capabilities: {
      chat: builtin("isnad-extractive"),
      translate: none,
      asr: none,
      embed: builtin(expect.stringMatching(/^static-ar-en-256@/)),
      rerank: builtin(expect.stringMatching(/^rerank-ar-en@/)),
    },
  });
});

test("servers that the settings name are ready while they answer and take the key", async () => {
  for (const [status, ready] of [
    [200, true],
    [404, true],
    [401, false],
    [500, false],
  ] as const) {
    const upstream = await serveUpstream((response) => void response.writeHead(status).end('{"data":[]}'));
    open.push(upstream);
    const env = { LLM_URL: upstream.url, LLM_API_KEY: "k", LLM_MODEL: "m", LLM_ASR_MODEL: "w", LLM_RERANK_MODEL: "r" };
    const { body } = await health(await start({ env }));
    expect(body.ok).toBe(ready);
    const at = (model: string) => ({ ready, model, provider: "upstream" });
    expect(body.capabilities).toMatchObject({ chat: at("m"), translate: at("m"), asr: at("w"), rerank: at("r") });
    expect(body.capabilities).toMatchObject({ embed: { ready: true, provider: "builtin" } });
    expect(upstream.seen[0]).toMatchObject({ path: "/v1/models", headers: { authorization: "Bearer k" } });
  }
});

test("what was found is shared for some seconds, so that probes are no load", async () => {
  const upstream = await serveUpstream((response) => void response.end("{}"));
  open.push(upstream);
  const edge = await start({ env: { LLM_ASR_URL: upstream.url, LLM_ASR_MODEL: "w" } });
  for (let i = 0; i < 5; i++) await health(edge);
  expect(upstream.seen).toHaveLength(1);
});

test("without models nothing built in is ready, and the service says so in its health, and goes on", async () => {
  const edge = await start({
    models: { embedder: NOT_LOADED, reader: NOT_LOADED, reranker: NOT_LOADED, translators: [] },
  });
  const { body } = await health(edge);
  expect(body).toMatchObject({ ok: false, capabilities: { chat: none, embed: none, rerank: none } });
  const whole = await fetch(`${edge.url}/health`);
  expect([whole.status, await bodyOf(whole)]).toEqual([
    200,
    expect.objectContaining({
      status: "degraded",
      service: "edge",
      deps: { retrieval: "ok", chat: "fail", embedding: "fail", rerank: "fail" },
    }),
  ]);
  const chat = await edge.post("/llm/chat", { messages: [{ role: "user", content: "Hi" }] });
  expect([chat.status, (await bodyOf(chat)).type]).toEqual([503, "/errors/model-not-installed"]);
});

test("a key is needed, but for health, liveness, metrics and documents it is not", async () => {
  const edge = await start();
  expect((await fetch(`${edge.url}/llm/health`)).status).toBe(401);
  for (const path of ["/health", "/livez", "/readyz", "/metrics", "/openapi.json", "/docs"]) {
    expect((await fetch(`${edge.url}${path}`)).status).toBe(200);
  }
  const { paths } = Object(await bodyOf(await fetch(`${edge.url}/openapi.json`)));
  expect(Object.keys(paths).sort()).toEqual([
    "/docs",
    "/health",
    "/livez",
    "/llm/asr",
    "/llm/chat",
    "/llm/embed",
    "/llm/health",
    "/llm/summarize",
    "/llm/translate",
    "/metrics",
    "/openapi.json",
    "/rag/dev/echo-embed",
    "/rag/dev/upsert-batch",
    "/rag/dev/vectorize-smoke",
    "/rag/query",
    "/readyz",
  ]);
});
