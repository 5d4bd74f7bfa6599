import { Buffer } from "node:buffer";
import { createPassageReader, openRegistry } from "@isnad/lib/models";
import { openThreads } from "@isnad/lib/service/threads";
import { readNewsroom } from "../cli/demo/site.ts";
import { hit, KEY, passage, testEdge, type TestEdge } from "../edge/testing/edge.ts";
import type { start } from "./edge-clients.ts";
import { type Figure, longestTurn, quantile, watchLoop } from "./rounds.ts";

const WARM_UP = 5;
const ROUNDS = 60;
const STREAMS = 50;
/** Candidates that are reranked, passages that a chat is answered from, and words of each. */
const CANDIDATES = 20;
const SOURCES = 16;
const WORDS = 200;

/**
 * The edge worker over HTTP, with the built-in models, before a search service that answers at once: what a query with
 * reranking and the first piece of an answer take, and what fifty answers at a time do to memory and the event loop,
 * in which the search service is, too.
 */
export async function edge(): Promise<Figure[]> {
  const words = readNewsroom().flatMap(({ content }) => content.split(/\s+/));
  const textAt = (at: number): string =>
    Array.from({ length: WORDS }, (_, i) => words[(at * 37 + i) % words.length]).join(" ");
  const texts = Array.from({ length: CANDIDATES }, (_, i) => textAt(i));
  const vectors = await readBeforehand(texts);
  const candidates = JSON.stringify({
    results: texts.map((text, i) => passage(i, { text, vector: vectors[i] })),
    diagnostics: { embed_ms: 0, search_ms: 0 },
  });
  const sources = JSON.stringify({
    results: Array.from({ length: SOURCES }, (_, i) => hit(i + 1, `Title ${i}`, textAt(i))),
  });
  const worker = await testEdge({
    env: { LOG_LEVEL: "fatal" },
    search: ({ path }) => new Response(path === "/passages" ? candidates : sources),
  });
  const clients = openThreads<typeof start>({ name: "clients", url: new URL("./edge-clients.ts", import.meta.url) });
  try {
    await clients.call("ends", { ...chatRequest(worker), count: 1 });
    const queries = await times(async () => {
      await (await worker.post("/rag/query", { query: "كم بلغت كلفة الرصيف الجديد؟" })).text();
    });
    const deltas = await times(() => firstDelta(worker));
    const before = residentMegabytes();
    const loop = watchLoop();
    const turn = await longestTurn(() => clients.call("ends", { ...chatRequest(worker), count: STREAMS }));
    loop.pause();
    const whole = turn.result;
    const grown = residentMegabytes() - before;
    return [
      figure(
        `edge: ms of /rag/query, ${CANDIDATES} reranked, p95`,
        quantile(queries, 0.95),
        60,
        `read beforehand, ${p50(queries)}`,
      ),
      figure("edge: ms to the first delta of a built-in chat, p95", quantile(deltas, 0.95), 150, p50(deltas)),
      figure(`edge: ${STREAMS} streams, those without one end`, whole.filter((ends) => ends !== 1).length, 0, ""),
      figure(`edge: MB more with ${STREAMS} streams`, grown, 100, ""),
      figure(
        `edge: ms that ${STREAMS} streams keep the loop`,
        turn.ms,
        10,
        `of its processor time; ${loop.longest().toFixed(1)} by the clock`,
      ),
    ];
  } finally {
    await clients.close();
    await worker.close();
  }
}

/** Returns what the retrieval service gives of passages that were read when their articles were indexed. */
async function readBeforehand(texts: readonly string[]): Promise<string[]> {
  const reader = await createPassageReader({ registry: openRegistry() });
  const vectors = (await reader?.read(texts)) ?? [];
  await reader?.close();
  return vectors.map((vector) => Buffer.from(vector).toString("base64"));
}

function figure(name: string, value: number, atMost: number, detail: string): Figure {
  return { name, value, bound: { atMost }, detail };
}

const p50 = (values: readonly number[]): string => `p50 ${quantile(values, 0.5).toFixed(1)} ms`;

/** Milliseconds of each round after the warm-up. */
async function times(run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = performance.now();
    await run();
    if (round >= WARM_UP) taken.push(performance.now() - start);
  }
  return taken;
}

function chatRequest({ url }: TestEdge) {
  const messages = [{ role: "user", content: "كم بلغت كلفة الرصيف الجديد؟" }];
  const headers = { "content-type": "application/json", "x-api-key": KEY };
  return { url: `${url}/llm/chat`, headers, body: JSON.stringify({ messages, stream: true }) };
}

async function firstDelta(worker: TestEdge): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  const { url, ...request } = chatRequest(worker);
  for await (const piece of (await fetch(url, { method: "POST", ...request })).body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("event: delta")) return;
  }
  throw new Error(`the answer has no delta: ${text}`);
}

function residentMegabytes(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 1e6;
}
