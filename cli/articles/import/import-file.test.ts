import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fault, type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { type ImportOptions, importFile } from "./import-file.ts";
import { fileFacts } from "./lines.ts";
import { readMapping } from "./mapping.ts";
import { openState } from "./state.ts";

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
    send: { endpoint: async () => ({ url: api, token: "t" }), signal, patienceMs: 2000, backoffMs: 5 },
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
