import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Fault, type IngestStub, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { articlesImport, waitUntilIndexed } from "./import.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-import-command-"));
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

function rows(count: number, text = "text"): string {
  const lines = Array.from({ length: count }, (_, i) => ({
    id: `a${i}`,
    source: "s",
    title: "t",
    text: `${text} ${i}`,
  }));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

let files = 0;
function file(content: string | Uint8Array): string {
  const path = join(dir, `${files++}.jsonl`);
  writeFileSync(path, content);
  return path;
}

function surroundings(url: string, { tty = false } = {}) {
  return captureIo({ API_URL: url, INGEST_TOKEN: "secret", DATA_DIR: join(dir, "data") }, { tty });
}

test("files are imported one after the other and summed up each", async () => {
  const api = await stub();
  const { io, out, err } = surroundings(api.url);
  const argv = [file(gzipSync(rows(1200))), file(`${rows(3)}\n{`)];
  expect(await runCommand(articlesImport, argv, io)).toBe(0);
  expect(out()).toContain("0.jsonl: 1,200 articles in");
  expect(out()).toContain("     1,200  accepted");
  expect(out()).toContain("1.jsonl: 4 articles in");
  expect(out()).toContain("         3  duplicate");
  expect(out()).toContain("/errors/malformed-json: 1, for instance\n    line 4 (no id): the line is no JSON");
  expect(out()).toContain("no URL: one made from source and id");
  expect(err()).toBe("");
  expect(api.seen[0]?.token).toBe("Bearer secret");
  expect(Math.max(...api.seen.map(({ ids }) => ids.length))).toBe(100);
});

test("--json gives the counts and the first examples of each problem", async () => {
  const api = await stub();
  const { io, out } = surroundings(api.url);
  const path = file(`${rows(2)}\n${JSON.stringify({ id: "b", source: "s", title: "t", text: "bad" })}`);
  expect(await runCommand(articlesImport, [path, "--json"], io)).toBe(0);
  expect(JSON.parse(out())).toMatchObject({
    files: [
      {
        file: path,
        resumed_at: 0,
        received: 3,
        accepted: 2,
        failed: 1,
        problems: { "/errors/content-too-short": { count: 1, examples: [{ line: 3, externalId: "b" }] } },
      },
    ],
  });
});

test("--strict makes failures and conflicts the exit code", async () => {
  const api = await stub();
  expect(await runCommand(articlesImport, [file(rows(5)), "--strict"], surroundings(api.url).io)).toBe(0);
  const changed = surroundings(api.url);
  expect(await runCommand(articlesImport, [file(rows(5, "other")), "--strict"], changed.io)).toBe(1);
  expect(changed.out()).toContain("         5  conflict");
});

test("a file of which nothing could be taken is not done", async () => {
  const api = await stub();
  expect(await runCommand(articlesImport, [file("# no\n# JSON\n")], surroundings(api.url).io)).toBe(1);
  expect(await runCommand(articlesImport, [file("")], surroundings(api.url).io)).toBe(0);
});

test("on a terminal a bar is shown on standard error and gone at the end", async () => {
  const api = await stub();
  const { io, err } = surroundings(api.url, { tty: true });
  await runCommand(articlesImport, [file(rows(1000))], io);
  expect(err()).toMatch(/\[#+\.*\] +\d+% {2}[\d,]+ articles, \d+\/s, 0 failed/);
  expect(err()).toEndWith("\r\u001B[2K");
});

test("an interruption is exit code 1, and the next import goes on where it stopped", async () => {
  const path = file(rows(900));
  let stop = () => {};
  const api = await stub((nth) => {
    if (nth === 6) stop();
    return undefined;
  });
  const first = surroundings(api.url);
  stop = first.interrupt;
  expect(await runCommand(articlesImport, [path, "--batch=50", "--in-flight=2"], first.io)).toBe(1);
  expect(first.err()).toContain("interrupted; start it again to go on where it stopped");
  const second = surroundings(api.url);
  expect(await runCommand(articlesImport, [path], second.io)).toBe(0);
  expect(second.out()).toContain("lines had been sent by an earlier, unfinished import");
  expect(second.out()).toContain("900 articles");
  expect(api.stored.size).toBe(900);
});

test("an API that is away for a while is told of once, and the import goes on", async () => {
  const api = await stub((nth) => (nth <= 2 ? { status: 503 } : undefined));
  const { io, err } = surroundings(api.url);
  expect(await runCommand(articlesImport, [file(rows(10))], io)).toBe(0);
  expect(err()).toBe("the API answered 503 (Wrong: as told); trying again\n");
});

test("an API that stays away ends the patience with one line", async () => {
  const { url, stop } = await stub();
  await stop();
  const { io, err } = surroundings(url);
  expect(await runCommand(articlesImport, [file(rows(10)), "--patience=0"], io)).toBe(1);
  expect(err()).toContain("the API cannot be reached");
  expect(err().trimEnd().split("\n").length).toBe(1);
});

test("a file that is not there is found out before anything is sent", async () => {
  const api = await stub();
  const { io, err } = surroundings(api.url);
  expect(await runCommand(articlesImport, [file(rows(1)), join(dir, "absent")], io)).toBe(1);
  expect(err()).toContain("absent: no such file");
  expect(api.seen.length).toBe(0);
});

test("a field that does not exist is wrong usage", async () => {
  const { io } = surroundings("http://127.0.0.1:1");
  expect(await runCommand(articlesImport, [file(""), "--map", "colour=red"], io)).toBe(2);
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * A loopback API whose answers come from `answer`: a text for /metrics, a value for the other routes, null for a 503.
 */
async function api(answer: (url: URL) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? "", "http://x"));
    response.writeHead(body === null ? 503 : 200).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return `http://127.0.0.1:${address.port}`;
}

function options(url: string, sample: number[], more: { patienceMs?: number; onProgress?: (n: number) => void } = {}) {
  const target = { url, ingestToken: "t", dataDir: "" };
  return { target, sample, signal: new AbortController().signal, patienceMs: 120_000, everyMs: 5, ...more };
}

test("it waits for the queues, then until every article of the sample is indexed, and searches for none of them", async () => {
  const pending = [7, 3, 0];
  const seen: number[] = [];
  const lookedUp: string[] = [];
  const url = await api(({ pathname }) => {
    if (pathname === "/metrics") return `# HELP x\narticles_pending ${pending.shift() ?? 0}\nother 9\n`;
    lookedUp.push(pathname);
    return { state: lookedUp.length < 4 ? "normalized" : "indexed" };
  });
  await waitUntilIndexed(options(url, [1, 2], { onProgress: (n) => seen.push(n) }));
  expect(seen).toEqual([7, 3, 0]);
  expect(new Set(lookedUp)).toEqual(new Set(["/v1/articles/1", "/v1/articles/2"]));
});

test("pending articles are summed over labels, and an API that is away for a moment is waited for", async () => {
  const answers = [null, 'articles_pending{state="accepted"} 2\narticles_pending{state="normalized"} 3\n'];
  const seen: number[] = [];
  const url = await api(() => (answers.length > 0 ? answers.shift() : "articles_pending 0\n"));
  await waitUntilIndexed(options(url, [], { onProgress: (n) => seen.push(n) }));
  expect(seen).toEqual([5, 0]);
});

test("an article that failed in the queues is not waited for", async () => {
  const url = await api(({ pathname }) => (pathname === "/metrics" ? "articles_pending 0\n" : { state: "failed" }));
  await waitUntilIndexed(options(url, [1]));
});

test("when nothing moves any more the waiting ends with what is missing", async () => {
  const stuck = await api(() => "articles_pending 4\n");
  await expect(waitUntilIndexed(options(stuck, [], { patienceMs: 200 }))).rejects.toThrow(
    "4 articles that wait for the queues",
  );
  const never = await api(({ pathname }) =>
    pathname === "/metrics" ? "articles_pending 0\n" : { state: "normalized" },
  );
  await expect(waitUntilIndexed(options(never, [1], { patienceMs: 200 }))).rejects.toThrow(
    "1 articles that are not indexed",
  );
  await Bun.sleep(100);
});

test("metrics without the count are an error, not an endless wait", async () => {
  const url = await api(() => "something_else 1\n");
  await expect(waitUntilIndexed(options(url, []))).rejects.toThrow("do not tell how many articles wait");
});
