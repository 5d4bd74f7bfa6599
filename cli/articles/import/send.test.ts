import { afterEach, expect, test } from "bun:test";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "@isnad/lib/ingest/client/testing";
import type { Entry } from "./batches.ts";
import { type SendOptions, sendEntries } from "./send.ts";

const stubs: IngestStub[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.stop();
});

async function stub(fault?: (nth: number, seen: SeenRequest) => Fault): Promise<IngestStub> {
  const made = await startIngestStub(fault);
  stubs.push(made);
  return made;
}

function entries(...contents: string[]): Entry[] {
  return contents.map((content, i) => {
    const item = { source_id: "s", external_id: `a${i + 1}`, content };
    return { line: i + 1, externalId: item.external_id, json: JSON.stringify(item) };
  });
}

function options(url: string, more: Partial<SendOptions> = {}): SendOptions {
  const signal = new AbortController().signal;
  return { endpoint: async () => ({ url, token: "t" }), runId: "r", signal, patienceMs: 5000, backoffMs: 5, ...more };
}

test("every entry has an outcome, in order, with id or error", async () => {
  const { url, seen } = await stub();
  expect(await sendEntries(entries("one", "bad", "three"), options(url))).toEqual([
    { line: 1, externalId: "a1", status: "accepted", articleId: 1 },
    {
      line: 2,
      externalId: "a2",
      status: "failed",
      error: { type: "/errors/content-too-short", detail: "content is too short" },
    },
    { line: 3, externalId: "a3", status: "accepted", articleId: 2 },
  ]);
  expect(seen[0]?.token).toBe("Bearer t");
});

test("entries in conflict are set aside and the others are sent again", async () => {
  const { url, seen } = await stub();
  await sendEntries(entries("one", "two", "three"), options(url));
  const outcomes = await sendEntries(entries("one", "TWO", "three", "four"), options(url));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["duplicate", "conflict", "duplicate", "accepted"]);
  expect(seen.at(-1)?.ids).toEqual(["a1", "a3", "a4"]);
});

test("a lost connection, 429 and 5xx are tried again with the same key until an answer comes", async () => {
  const faults: Fault[] = ["drop", { status: 503 }, { status: 429 }, { status: 500 }, { status: 408 }];
  const why: string[] = [];
  const { url, seen } = await stub((nth) => faults[nth - 1]);
  const outcomes = await sendEntries(entries("one"), options(url, { onRetry: (reason) => why.push(reason) }));
  expect(outcomes[0]?.status).toBe("accepted");
  expect(new Set(seen.map((request) => request.key)).size).toBe(1);
  expect(why.length).toBe(5);
  expect(why[0]).toContain("cannot be reached");
  expect(why[1]).toBe("the API answered 503 (Wrong: as told)");
});

test("Retry-After is waited for", async () => {
  const { url } = await stub((nth) => (nth === 1 ? { status: 429, headers: { "retry-after": "1" } } : undefined));
  const start = performance.now();
  await sendEntries(entries("one"), options(url));
  expect(performance.now() - start).toBeGreaterThan(900);
});

test("an answer that was lost on its way is the same when asked for again", async () => {
  const { url } = await stub();
  const first = await sendEntries(entries("one"), options(url));
  expect(await sendEntries(entries("one"), options(url))).toEqual(first);
  expect((await sendEntries(entries("one"), options(url, { runId: "other" })))[0]?.status).toBe("duplicate");
});

test("a request over the API's limit is halved until it fits, and an item too large alone fails", async () => {
  const { url, seen } = await stub((_, { bytes }) => (bytes > 200 ? { status: 413 } : undefined));
  const outcomes = await sendEntries(entries("one", "two", "x".repeat(300), "four", "five"), options(url));
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["accepted", "accepted", "failed", "accepted", "accepted"]);
  expect(outcomes[2]?.error?.type).toBe("/errors/payload-too-large");
  expect(seen.length).toBeGreaterThan(3);
});

test.each([
  [401, "refused the ingest token"],
  [404, "refused the request: Wrong: as told"],
  [422, "refused the request"],
])("%i is final", async (status, message) => {
  const { url, seen } = await stub(() => ({ status }));
  await expect(sendEntries(entries("one"), options(url))).rejects.toThrow(message);
  await Bun.sleep(50);
  expect(seen.length).toBe(1);
});

test("an answer that is not of the contract is final", async () => {
  const { url } = await stub(() => ({ status: 202, body: { results: [] } }));
  await expect(sendEntries(entries("one"), options(url))).rejects.toThrow("one result per item expected");
});

test("an API that stays out of reach ends the patience, and the message names it", async () => {
  const { url, stop } = await stub();
  await stop();
  await expect(sendEntries(entries("one"), options(url, { patienceMs: 40 }))).rejects.toThrow(url);
});

test("a stack that comes back elsewhere is found there", async () => {
  const old = await stub(() => "drop");
  const fresh = await stub();
  let asked = 0;
  const endpoint = async () => ({ url: asked++ < 3 ? old.url : fresh.url, token: "t" });
  expect((await sendEntries(entries("one"), options("", { endpoint })))[0]?.status).toBe("accepted");
});

test("an interruption ends the waiting at once", async () => {
  const { url } = await stub(() => ({ status: 503, headers: { "retry-after": "3600" } }));
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 50);
  await expect(sendEntries(entries("one"), options(url, { signal: abort.signal }))).rejects.toThrow();
});
