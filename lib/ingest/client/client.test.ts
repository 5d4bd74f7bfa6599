import { afterEach, expect, test } from "bun:test";
import { createIngestClient, type IngestClientOptions } from "./client.ts";
import type { ItemDraft } from "../../contract/mod.ts";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "./testing.ts";

const { signal } = new AbortController();
const stubs: IngestStub[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.stop();
});

async function clientOf(fault?: (nth: number, seen: SeenRequest) => Fault, options: Partial<IngestClientOptions> = {}) {
  const stub = await startIngestStub(fault);
  stubs.push(stub);
  const endpoint = async () => ({ url: stub.url, token: "t" });
  return { stub, client: createIngestClient({ endpoint, patienceMs: 120_000, backoffMs: 2, ...options }) };
}

function items(...contents: string[]): ItemDraft[] {
  return contents.map((content, i) => ({ source_id: "s", external_id: `a${i + 1}`, content }));
}

test("items go in batches of at most so many items and bytes, and each has its outcome in order", async () => {
  const { stub, client } = await clientOf(undefined, { limits: { maxItems: 2, maxBytes: 400 } });
  const { outcomes, error } = await client.send(items("one", "two", "bad", "x".repeat(290), "five"), { signal });
  expect(outcomes.map(({ externalId, status }) => `${externalId} ${status}`)).toEqual([
    "a1 accepted",
    "a2 accepted",
    "a3 failed",
    "a4 accepted",
    "a5 accepted",
  ]);
  expect(error).toBeUndefined();
  expect(stub.seen.map(({ ids }) => ids)).toEqual([["a1", "a2"], ["a3"], ["a4"], ["a5"]]);
  for (const { bytes } of stub.seen) expect(bytes).toBeLessThanOrEqual(400);
});

test("the bytes of a batch are those of UTF-8, and a content that is too long alone is cut", async () => {
  const { stub, client } = await clientOf(undefined, { limits: { maxItems: 100, maxBytes: 30_000 } });
  const { outcomes } = await client.send(items("خبر".repeat(3000), "خبر".repeat(9000), "short"), { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["accepted", "accepted", "accepted"]);
  expect(stub.seen.length).toBeGreaterThan(1);
  for (const { bytes } of stub.seen) expect(bytes).toBeLessThanOrEqual(30_000);
  expect(stub.stored.get("s/a1")?.length).toBe(9000);
});

test("an item that no request has room for fails, and the others arrive", async () => {
  const { client } = await clientOf(undefined, { limits: { maxItems: 100, maxBytes: 2000 } });
  const [first, ...rest] = items("one", "two", "three");
  const large = { ...first, raw: { text: "x".repeat(3000) } };
  const { outcomes } = await client.send([large, ...rest], { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["failed", "accepted", "accepted"]);
  expect(outcomes[0]).toMatchObject({ externalId: "a1", error: { type: "/errors/payload-too-large" } });
});

test("items in conflict are set aside wherever they stand, and the others are sent again at once", async () => {
  const { stub, client } = await clientOf();
  await client.send(items("one", "two", "three", "four"), { signal });
  const { outcomes } = await client.send(items("ONE", "two", "THREE", "four", "five"), { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["conflict", "duplicate", "conflict", "duplicate", "accepted"]);
  expect(stub.seen.at(-1)?.ids).toEqual(["a2", "a4", "a5"]);
});

test("two versions of one item in a batch: one of them is in conflict and nothing is lost", async () => {
  const { stub, client } = await clientOf();
  const [one, two] = items("old", "other");
  const { outcomes } = await client.send([{ ...one }, { ...two }, { ...one, content: "new" }], { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["accepted", "accepted", "conflict"]);
  expect([...stub.stored.keys()]).toEqual(["s/a1", "s/a2"]);
});

test("an API that fails for longer than the patience leaves everything undelivered, and later batches are not tried", async () => {
  const { stub, client } = await clientOf(() => ({ status: 503 }), {
    patienceMs: 0,
    limits: { maxItems: 1, maxBytes: 9999 },
  });
  const { outcomes, error } = await client.send(items("one", "two", "three"), { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["undelivered", "undelivered", "undelivered"]);
  expect(error?.code).toBe("unreachable");
  expect(error?.message).toContain("503");
  expect(stub.seen.length).toBe(1);
});

test("what was delivered before the API went away keeps its outcome", async () => {
  const { client } = await clientOf((nth) => (nth > 1 ? "drop" : undefined), {
    patienceMs: 0,
    limits: { maxItems: 2, maxBytes: 9999 },
  });
  const { outcomes, error } = await client.send(items("one", "two", "three"), { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["accepted", "accepted", "undelivered"]);
  expect(error?.message).toContain("cannot be reached");
});

test.each([401, 403])("%i leaves everything undelivered and says that the token is at fault", async (status) => {
  const { stub, client } = await clientOf(() => ({ status }));
  const { outcomes, error } = await client.send(items("one", "two"), { signal });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(["undelivered", "undelivered"]);
  expect(error).toMatchObject({ code: "unauthorized" });
  expect(error?.message).toContain("INGEST_TOKEN");
  expect(stub.seen.length).toBe(1);
});

test("a Retry-After that is longer than the patience is handed to the caller", async () => {
  const { client } = await clientOf(() => ({ status: 429, headers: { "retry-after": "30" } }), { patienceMs: 2_000 });
  const { error } = await client.send(items("one"), { signal });
  expect(error).toMatchObject({ code: "unreachable", retryAfterMs: 30_000 });
});

test("of a body that the API finds fault with, the item at fault fails and the others arrive", async () => {
  const { client } = await clientOf((_, { ids }) => (ids.includes("a3") ? { status: 422 } : undefined));
  const { outcomes, error } = await client.send(items("one", "two", "three", "four", "five"), { signal });
  expect(outcomes.map(({ status }) => status)).toEqual(["accepted", "accepted", "failed", "accepted", "accepted"]);
  expect(error).toBeUndefined();
});

test("the request id is passed on, and what is tried again keeps its key", async () => {
  const { stub, client } = await clientOf((nth) => (nth === 1 ? { status: 502 } : undefined));
  await client.send(items("one"), { signal, requestId: "run-7" });
  expect(stub.seen.map(({ requestId }) => requestId)).toEqual(["run-7", "run-7"]);
  expect(stub.seen[1]?.key).toBe(stub.seen[0]?.key ?? "");
  await client.send(items("one"), { signal });
  expect(stub.seen[2]?.key).not.toBe(stub.seen[0]?.key ?? "");
});

test("an interruption rejects with its reason", async () => {
  const abort = new AbortController();
  const { client } = await clientOf(() => {
    abort.abort(new Error("stop"));
    return { status: 503, headers: { "retry-after": "1" } };
  });
  const failure = await client.send(items("one"), { signal: abort.signal }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
});

test("nothing to send is no request", async () => {
  const { stub, client } = await clientOf();
  expect(await client.send([], { signal })).toEqual({ outcomes: [] });
  expect(stub.seen).toEqual([]);
});
