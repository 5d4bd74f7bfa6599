import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URL } from "node:url";
import { spawnService } from "@isnad/lib/service/process/testing";
import { wavFile } from "../lib/models/audio/testing.ts";
import { speechFolder } from "../lib/models/tasks/transcribe/testing.ts";

const MAIN = new URL("main.ts", import.meta.url);
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-edge-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the edge worker starts alone without settings, answers, ends its streams, and stops in order", async () => {
  const speech = speechFolder();
  cpSync(speech.root, join(dir, "models"), { recursive: true });
  speech.remove();
  const service = spawnService(MAIN, {
    DATA_DIR: dir,
    EDGE_PORT: "0",
    EDGE_API_KEY: "k",
    RETRIEVAL_URL: "http://127.0.0.1:1",
  });
  const { url } = await service.said("the edge worker is listening");
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "k" },
      body: JSON.stringify(body),
    });
  const health = await fetch(`${url}/health`);
  expect(await health.json()).toMatchObject({
    status: "degraded",
    service: "edge",
    deps: { retrieval: "fail", chat: "ok", embedding: "ok", rerank: "ok" },
  });
  const text = "The tower was built in 1910. It is closed on Mondays.";
  const chat = { messages: [{ role: "user", content: `${text}\n\nWhen was the tower built?` }], grounded: false };
  expect(await (await post("/llm/chat", { ...chat, stream: true })).text()).toMatch(/^event: meta\n.*\nevent: done\n/s);
  expect((await post("/rag/query", { query: "tower" })).status).toBe(503);
  const sound = { method: "POST", headers: { "x-api-key": "k" }, body: wavFile(new Float32Array(8_000)) };
  expect(await (await fetch(`${url}/llm/asr`, sound)).json()).toMatchObject({
    ok: true,
    model: "tiny",
    duration_s: 0.5,
  });
  expect(await service.end("SIGTERM")).toBe(0);
});

test("built-in answers wait for the reranker for longer than a search does", async () => {
  const service = spawnService(MAIN, {
    DATA_DIR: dir,
    EDGE_PORT: "0",
    EDGE_API_KEY: "k",
    RETRIEVAL_URL: "http://127.0.0.1:1",
    RERANK_TIMEOUT_MS: "1",
  });
  const { url } = await service.said("the edge worker is listening");
  const text = "The tower was built in 1910. It is closed on Mondays.\n\nWhen was the tower built?";
  const answer = await fetch(`${url}/llm/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body: JSON.stringify({ messages: [{ role: "user", content: text }], grounded: false, stream: true }),
  });
  expect(await answer.text()).toMatch(/^event: meta\n.*1910.*\nevent: done\n/s);
  expect(await service.end("SIGTERM")).toBe(0);
});

test("outside of local environments it refuses to start without its key", async () => {
  const { ended } = spawnService(MAIN, { DATA_DIR: dir, EDGE_PORT: "0", APP_ENV: "production", METRICS_TOKEN: "m" });
  const { code, errors } = await ended;
  expect([code, errors]).toEqual([1, "configuration: EDGE_API_KEY must be set when APP_ENV is production\n"]);
});

test("a setting that is wrong is named, and its value is not", async () => {
  const wrong = { LLM_URL: "http://user:hunter2@llm.test/v1", LLM_MODEL: "m" };
  const { ended } = spawnService(MAIN, { DATA_DIR: dir, EDGE_PORT: "0", ...wrong });
  const { code, errors } = await ended;
  expect([code, errors]).toEqual([1, "configuration: LLM_URL must not hold a user or password\n"]);
});
