import { afterAll, expect, test } from "bun:test";
import { keepSearching } from "./audit.ts";

/** What the API answers to one search after another; the last one goes on. */
let answers: { status: number; body: unknown }[] = [];
const asked: string[] = [];
const api = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    asked.push(request.headers.get("x-request-id") ?? "");
    const next = answers.length > 1 ? answers.shift() : answers[0];
    return Response.json(next?.body ?? {}, { status: next?.status ?? 404 });
  },
});
afterAll(() => api.stop(true));

const line = (id: string) =>
  `[retrieval] ${JSON.stringify({ request_id: id, service: "retrieval", vector: "no node" })}`;
const stack = {
  info: () => ({ urls: { api: `http://127.0.0.1:${api.port}` } }),
  linesWith: (id: string) => [line(id)],
};
const refusal = () => ({ status: 503, body: { detail: "The keyword index cannot answer now." } });
const diagnostics = { bm25_ms: 1, knn_ms: 1, rrf_ms: 0, rerank_ms: 0, fetch_ms: 0, highlight_ms: 0 };
const found = (degraded: boolean) => ({
  status: 200,
  body: {
    ...{ schema: "search.v1", query: "x", mode: "hybrid", total: 0, results: [] },
    meta: {
      ...{ took_ms: 1, taxonomy_version: "1", degraded, corrections: [] },
      diagnostics: { ...diagnostics, bm25_hits: 0, knn_hits: 0, knn_dropped: 0, rrf_mode: degraded ? "bm25" : "rrf" },
    },
  },
});

/** Searches until a search has failed twice, or so many were asked. */
async function search(given: typeof answers, { mayDegrade = false, until = 4 } = {}) {
  answers = given;
  asked.length = 0;
  const over = new AbortController();
  const failures: (readonly string[])[] = [];
  const linesWith = (id: string) => {
    if (asked.length >= until) over.abort();
    return stack.linesWith(id);
  };
  const counts = await keepSearching(
    { ...stack, linesWith },
    {
      ...{ mayDegrade, signal: over.signal, pauses: { betweenMs: 1, retryMs: 1, logMs: 1 } },
      onFailure(reasons) {
        failures.push(reasons);
        over.abort();
      },
    },
  );
  return { counts, failures };
}

test("a search that fails twice is counted, with what it was answered and what the services wrote of it", async () => {
  const { counts, failures } = await search([found(false), refusal(), refusal()]);
  expect(counts).toEqual({ searches: 2, searchesFailed: 1 });
  expect(failures).toHaveLength(1);
  for (const reason of failures[0] ?? []) {
    expect(reason).toMatch(/^503 The keyword index cannot answer now\. after \d+ ms\n/);
    expect(reason).toContain('{"service":"retrieval","vector":"no node"}');
  }
});

test("a search of one branch alone is a failure where an engine may not be missed, and one that a repetition answers is none", async () => {
  const { counts, failures } = await search([found(true), found(false), found(true), found(true)]);
  expect(counts).toEqual({ searches: 2, searchesFailed: 1 });
  expect(failures[0]?.[1]).toStartWith("degraded");
  const lenient = await search([found(true), refusal(), found(true), refusal(), found(true)], { mayDegrade: true });
  expect(lenient.counts.searchesFailed).toBe(0);
});
