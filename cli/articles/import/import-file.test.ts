import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { importFile, type ImportOptions, openState, sendEntries, type SendOptions } from "./import-file.ts";
import { readMapping } from "./map-row.ts";
import { type Entry, fileFacts } from "./read-batches.ts";
import { emptyTally } from "./report.ts";

describe("import file", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-import-"));
  const stubs: IngestStub[] = [];
  afterEach(async () => {
    for (const stub of stubs.splice(0)) await stub.stop();
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  async function stub(fault?: (nth: number) => Fault): Promise<IngestStub> {
    const made = await startIngestStub(fault);
    stubs.push(made);
    return made;
  }

  let files = 0;
  function archive(rows: number, more: string[] = []): string {
    const path = join(dir, `${files++}.jsonl`);
    const lines = Array.from({ length: rows }, (_, i) =>
      JSON.stringify({ id: `a${i}`, source: "s", title: "t", text: `text ${i}` }),
    );
    writeFileSync(path, [...lines, ...more].join("\n"));
    return path;
  }

  async function setup(path: string, api: string, more: Partial<ImportOptions> = {}): Promise<ImportOptions> {
    const state = openState(join(dir, "state"), { file: path, ...(await fileFacts(path)), api, variant: "" });
    const signal = new AbortController().signal;
    return {
      path,
      mapping: readMapping([], []),
      derive: true,
      limits: { maxItems: 10, maxBytes: 100_000 },
      inFlight: 3,
      restart: false,
      state,
      send: { endpoint: async () => ({ url: api, token: "t" }), signal, patienceMs: 120_000, backoffMs: 5 },
      ...more,
    };
  }

  test("a whole file is imported and counted; a second time everything is a duplicate", async () => {
    const api = await stub();
    const path = archive(95, ["", "{", JSON.stringify({ id: "b", source: "s", title: "t", text: "bad" })]);
    const first = await importFile(await setup(path, api.url));
    expect(first.tally).toMatchObject({ received: 97, accepted: 95, duplicate: 0, conflict: 0, failed: 2 });
    expect(first.tally.problems).toEqual({
      "/errors/malformed-json": { count: 1, examples: [{ line: 97, externalId: "", detail: "the line is no JSON" }] },
      "/errors/content-too-short": {
        count: 1,
        examples: [{ line: 98, externalId: "b", detail: "content is too short" }],
      },
    });
    expect(first.tally.derived.url).toBe(96);
    expect(api.stored.size).toBe(95);
    const second = await importFile(await setup(path, api.url));
    expect(second.tally).toMatchObject({ received: 97, accepted: 0, duplicate: 95 });
  });

  test("no more batches are read than are in flight", async () => {
    let inFlight = 0;
    let most = 0;
    const api = await stub();
    const options = await setup(archive(200), api.url);
    const endpoint = options.send.endpoint;
    options.send.endpoint = () => {
      most = Math.max(most, ++inFlight);
      return endpoint();
    };
    options.onProgress = () => (inFlight -= 2);
    await importFile(options);
    expect(most).toBeLessThanOrEqual(2 * options.inFlight);
  });

  test("an import that was cut short goes on where every earlier line is known, and counts each line once", async () => {
    const path = archive(100);
    let refuse = true;
    const api = await stub((nth) => (refuse && nth > 5 ? { status: 401 } : undefined));
    const options = await setup(path, api.url);
    expect(await importFile(options).catch(String)).toContain("refused the ingest token");
    const state = options.state.load();
    expect(state?.line).toBeGreaterThan(0);
    expect(state?.tally.received).toBe(state?.line ?? 0);
    refuse = false;
    api.seen.length = 0;
    const { tally, resumedAt } = await importFile(await setup(path, api.url));
    expect(resumedAt).toBe(state?.line ?? 0);
    expect(tally).toMatchObject({ received: 100, accepted: 100, duplicate: 0 });
    const sent = api.seen.flatMap(({ ids }) => ids);
    expect(sent).toContain(`a${resumedAt}`);
    expect(sent).not.toContain(`a${resumedAt - 1}`);
    expect(readdirSync(join(dir, "state"))).toEqual([]);
  });

  test("--restart begins at the first line; what is there already is a duplicate", async () => {
    const path = archive(60);
    let refuse = true;
    const api = await stub((nth) => (refuse && nth > 3 ? { status: 401 } : undefined));
    await importFile(await setup(path, api.url)).catch(String);
    refuse = false;
    const { tally, resumedAt } = await importFile(await setup(path, api.url, { restart: true }));
    expect(resumedAt).toBe(0);
    expect(tally.received).toBe(60);
    expect(tally.duplicate).toBeGreaterThan(0);
  });

  test("a file that changed since, or another API, begins anew", async () => {
    const path = archive(60);
    const api = await stub((nth) => (nth > 3 ? { status: 401 } : undefined));
    const options = await setup(path, api.url);
    await importFile(options).catch(String);
    expect(options.state.load()).toBeDefined();
    expect((await setup(path, "http://127.0.0.1:1")).state.load()).toBeUndefined();
    writeFileSync(path, "");
    expect((await setup(path, api.url)).state.load()).toBeUndefined();
  });

  test("an interruption saves what is known and is thrown on", async () => {
    const abort = new AbortController();
    const api = await stub();
    const options = await setup(archive(300), api.url);
    options.send.signal = abort.signal;
    options.onProgress = ({ tally }) => {
      if (tally.received >= 100) abort.abort(new Error("interrupted"));
    };
    expect(await importFile(options).catch(String)).toContain("interrupted");
    const line = options.state.load()?.line ?? 0;
    expect(line).toBeGreaterThanOrEqual(70);
    expect(line).toBeLessThan(300);
  });

  test("a state file that is damaged counts as none", async () => {
    const path = archive(5);
    const api = await stub();
    const options = await setup(path, api.url);
    options.state.save({ runId: "r", line: 3, tally: { ...(await importFile(options)).tally } });
    for (const name of readdirSync(join(dir, "state"))) writeFileSync(join(dir, "state", name), "{");
    expect(options.state.load()).toBeUndefined();
    expect((await importFile(options)).tally.received).toBe(5);
  });
});

describe("send", () => {
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
    return {
      endpoint: async () => ({ url, token: "t" }),
      runId: "r",
      signal,
      patienceMs: 120_000,
      backoffMs: 5,
      ...more,
    };
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
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      "accepted",
      "accepted",
      "failed",
      "accepted",
      "accepted",
    ]);
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
});

describe("state", () => {
  const root = mkdtempSync(join(tmpdir(), "isnad-state-"));
  afterAll(() => rmSync(root, { recursive: true }));

  const facts = { file: "news.jsonl", size: 10, mtimeMs: 5, api: "http://127.0.0.1:8080", variant: "" };
  const state = { runId: "r", line: 7, tally: { ...emptyTally(), received: 7, accepted: 7 } };

  test("what was saved is loaded, and gone once removed", () => {
    const file = openState(join(root, "a", "b"), facts);
    expect(file.load()).toBeUndefined();
    file.save(state);
    file.save({ ...state, line: 8 });
    expect(file.load()).toEqual({ ...state, line: 8 });
    expect(readdirSync(join(root, "a", "b")).length).toBe(1);
    file.remove();
    file.remove();
    expect(file.load()).toBeUndefined();
  });

  test.each([
    { file: "other.jsonl" },
    { size: 11 },
    { mtimeMs: 6 },
    { api: "http://127.0.0.1:8081" },
    { variant: "--set lang=en" },
  ])("an import with %j is another import", (change) => {
    const dir = join(root, "c");
    openState(dir, facts).save(state);
    expect(openState(dir, { ...facts, ...change }).load()).toBeUndefined();
    expect(openState(dir, facts).load()).toEqual(state);
  });

  test.each([
    "",
    "{",
    "null",
    "[]",
    '{"runId": 1, "line": 7, "tally": {}}',
    '{"runId": "r", "line": "7", "tally": {}}',
  ])("a damaged file, %p, counts as none", (content) => {
    const dir = join(root, "d");
    const file = openState(dir, facts);
    file.save(state);
    for (const name of readdirSync(dir)) writeFileSync(join(dir, name), content);
    expect(file.load()).toBeUndefined();
  });
});
