import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "@isnad/lib/ingest/client/testing";
import {
  addDerived,
  count,
  emptyTally,
  importFile,
  type ImportOptions,
  merge,
  openState,
  type Outcome,
  reportJson,
  reportText,
  Sample,
  sendEntries,
  type SendOptions,
} from "./import-file.ts";
import { readMapping } from "./map-row.ts";
import { type Entry, fileFacts } from "./read-batches.ts";

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

function report(resumedAt = 0) {
  const tally = emptyTally();
  const accepted = Array.from({ length: 1500 }, (_, i) => ({
    line: i + 1,
    externalId: `a${i}`,
    status: "accepted" as const,
  }));
  count(tally, accepted);
  const error = { type: "/errors/invalid-url", detail: "url must be http or https" };
  count(tally, [{ line: 1501, externalId: "", status: "failed", error }]);
  addDerived(tally, { "date-unreadable": 12, cut: 0 });
  return { file: "/archives/2018/news.jsonl.gz", resumedAt, seconds: 2.345, tally };
}

test("a report names the file, the time, each status, and each kind of problem with examples", () => {
  expect(reportText([report()])).toBe(
    [
      "news.jsonl.gz: 1,501 articles in 2.3 s",
      "     1,500  accepted",
      "         0  duplicate",
      "         0  conflict",
      "         1  failed",
      "  /errors/invalid-url: 1, for instance",
      "    line 1501 (no id): url must be http or https",
      "  filled in or left out",
      "        12  date unreadable: sent without, kept in raw",
      "",
    ].join("\n"),
  );
});

test("an import that was taken up again says so", () => {
  expect(reportText([report(900)])).toContain("(900 lines had been sent by an earlier, unfinished import)");
  expect(reportText([report()])).not.toContain("earlier");
});

test("as JSON it is one entry a file", () => {
  expect(reportJson([report(5), report()])).toMatchObject({
    files: [
      { file: "/archives/2018/news.jsonl.gz", resumed_at: 5, seconds: 2.345, received: 1501, accepted: 1500 },
      { resumed_at: 0, problems: { "/errors/invalid-url": { count: 1 } } },
    ],
  });
});

function failed(line: number, type = "/errors/content-too-short"): Outcome {
  return { line, externalId: `a${line}`, status: "failed", error: { type, detail: `detail ${line}` } };
}

test("every outcome is received, and counted under its status", () => {
  const tally = emptyTally();
  count(tally, [
    { line: 1, externalId: "a", status: "accepted", articleId: 7 },
    { line: 2, externalId: "b", status: "duplicate", articleId: 7 },
    { line: 3, externalId: "c", status: "conflict" },
    failed(4),
  ]);
  expect(tally).toMatchObject({ received: 4, accepted: 1, duplicate: 1, conflict: 1, failed: 1 });
});

test("problems are counted by type, and the first three of each kept as examples", () => {
  const tally = emptyTally();
  count(
    tally,
    [1, 2, 3, 4, 5].map((line) => failed(line)),
  );
  count(tally, [failed(6, "/errors/invalid-url")]);
  expect(tally.problems["/errors/content-too-short"]).toEqual({
    count: 5,
    examples: [1, 2, 3].map((line) => ({ line, externalId: `a${line}`, detail: `detail ${line}` })),
  });
  expect(tally.problems["/errors/invalid-url"]?.count).toBe(1);
});

test("a conflict is a problem of its own kind", () => {
  const tally = emptyTally();
  count(tally, [{ line: 9, externalId: "c", status: "conflict" }]);
  expect(tally.problems).toEqual({
    "/errors/conflict": { count: 1, examples: [{ line: 9, externalId: "c", detail: "" }] },
  });
});

test("two tallies add up, and the first examples stay the first", () => {
  const [into, from] = [emptyTally(), emptyTally()];
  count(into, [failed(1), failed(2)]);
  count(from, [failed(3), failed(4), { line: 5, externalId: "e", status: "accepted" }]);
  addDerived(into, { url: 2 });
  addDerived(from, { url: 3, title: 1 });
  merge(into, from);
  expect(into).toMatchObject({ received: 5, accepted: 1, failed: 4, derived: { url: 5, title: 1 } });
  expect(into.problems["/errors/content-too-short"]).toMatchObject({
    count: 4,
    examples: [{ line: 1 }, { line: 2 }, { line: 3 }],
  });
});

function accepted(...ids: number[]): Outcome[] {
  return ids.map((articleId) => ({ line: articleId, externalId: `a${articleId}`, status: "accepted", articleId }));
}

test("of few articles all are kept", () => {
  const sample = new Sample();
  sample.add(accepted(5, 6, 7));
  expect(sample.ids()).toEqual([5, 6, 7]);
});

test("of many a few are kept, spread over all of them, the first and the last among them", () => {
  const sample = new Sample();
  for (let id = 1; id <= 30_000; id++) sample.add(accepted(id));
  const ids = sample.ids();
  expect(ids.length).toBeWithin(8, 18);
  expect([ids[0], ids.at(-1)]).toEqual([1, 30_000]);
  for (let i = 1; i < ids.length; i++) expect((ids[i] ?? 0) - (ids[i - 1] ?? 0)).toBeLessThan(5000);
});

test("the last is the highest id, in whatever order the answers came", () => {
  const sample = new Sample();
  sample.add(accepted(200, 201));
  sample.add(accepted(100, 101));
  for (let i = 0; i < 100; i++) sample.add(accepted(50));
  expect(sample.ids()).toContain(201);
});

test("only accepted articles count", () => {
  const sample = new Sample();
  sample.add([
    { line: 1, externalId: "a", status: "duplicate", articleId: 1 },
    { line: 2, externalId: "b", status: "failed" },
    { line: 3, externalId: "c", status: "accepted" },
  ]);
  expect(sample.ids()).toEqual([]);
});

test("the commonest problems come first, and what was derived is told in words", () => {
  const tally = emptyTally();
  count(tally, [failed(1, "/errors/rare"), failed(2, "/errors/common"), failed(3, "/errors/common")]);
  addDerived(tally, { url: 1, title: 2, lead: 3, cut: 4 });
  const lines = reportText([{ file: "a.jsonl", resumedAt: 0, seconds: 1, tally }]).split("\n");
  expect(lines.filter((line) => line.includes("for instance"))).toEqual([
    "  /errors/common: 2, for instance",
    "  /errors/rare: 1, for instance",
  ]);
  expect(lines.slice(-6)).toEqual([
    "  filled in or left out",
    "         1  no URL: one made from source and id",
    "         2  no title: the first sentence of the text",
    "         3  text too short alone: its lead put before it",
    "         4  larger than a request may be: content cut",
    "",
  ]);
});

test("of the examples of two tallies no more are kept than of one", () => {
  const [into, from] = [emptyTally(), emptyTally()];
  count(into, [failed(1), failed(2), failed(3)]);
  count(from, [failed(4)]);
  merge(into, from);
  expect(into.problems["/errors/content-too-short"]?.examples.map(({ line }) => line)).toEqual([1, 2, 3]);
});
