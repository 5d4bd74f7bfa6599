import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../lib/std/ports.ts";

const dataDir = mkdtempSync(join(tmpdir(), "isnad-stack-"));
const processes: Bun.Subprocess[] = [];

afterAll(async () => {
  for (const process of processes) {
    process.kill("SIGTERM");
    await process.exited;
  }
  rmSync(dataDir, { recursive: true, force: true });
}, 300_000);

/** Starts the real stack; `out` gathers its log. */
function up(env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dirname, "main.ts")], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      API_PORT: "0",
      RETRIEVAL_PORT: "0",
      SCRAPER_PORT: "0",
      EDGE_PORT: "0",
      NLP_PORT: "0",
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  processes.push(child);
  const log = { out: "" };
  const reading = (async () => {
    for await (const chunk of child.stdout) log.out += new TextDecoder().decode(chunk);
  })();
  const ready = async () => {
    while (!/^ready /m.test(log.out)) {
      if (child.exitCode !== null) throw new Error(`up ended: ${log.out}`);
      await Bun.sleep(20);
    }
  };
  return { child, log, reading, ready };
}

type RunInfo = { urls: Record<string, string>; tokens: Record<string, string>; pids: Record<string, number> };

function runInfo(): RunInfo {
  return JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8"));
}

const ARTICLE = {
  source_id: "harbour-daily",
  external_id: "1",
  url: "https://news.example/1",
  title: "Council keeps the ferry line open through the winter",
  content: `The harbour council met on Tuesday to decide whether the old ferry line should be kept through the winter.
    Fishermen asked for a later timetable, while the owners of the market stalls wanted the first boat before sunrise.
    After two hours the mayor proposed a trial of three months, and the members agreed with nine votes against four.`,
};

async function search(mode: string): Promise<unknown[]> {
  const { urls } = runInfo();
  const response = await fetch(`${urls.api}/v1/search?q=ferry+council&mode=${mode}`);
  if (!response.ok) return [];
  const { results } = (await response.json()) as { results: unknown[] };
  return results;
}

async function found(mode: string): Promise<void> {
  const deadline = performance.now() + 200_000;
  while ((await search(mode)).length === 0) {
    if (performance.now() > deadline) throw new Error(`nothing found by ${mode}`);
    await Bun.sleep(50);
  }
}

test("from nothing: the stack comes up, a posted article is found by both branches and answers a question, and a signal ends all of it", async () => {
  const workersPort = await freePort();
  const stack = up({ WORKERS_PORT: String(workersPort) });
  await stack.ready();
  const { urls, tokens, pids } = runInfo();
  expect((await fetch(`http://127.0.0.1:${workersPort}/livez`)).status).toBe(200);
  expect(Object.keys(urls)).toEqual(["api", "retrieval", "nlp", "edge", "scraper"]);
  expect(Object.keys(pids)).toEqual(["up", "api", "workers", "retrieval", "nlp", "edge", "scraper"]);
  const response = await fetch(`${urls.api}/v1/ingest/articles`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${tokens.ingest}` },
    body: JSON.stringify(ARTICLE),
  });
  expect(response.status).toBe(202);
  await found("bm25");
  await found("vector");
  const asked = { messages: [{ role: "user", content: "By how many votes was the ferry line kept?" }], stream: false };
  const chat = await fetch(`${urls.api}/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });
  const { message, sources } = (await chat.json()) as { message: { content: string }; sources: { url: string }[] };
  expect(message.content).toContain("the members agreed with nine votes against four. [1]");
  expect(sources[0]?.url).toBe(ARTICLE.url);
  stack.child.kill("SIGINT");
  expect(await stack.child.exited).toBe(0);
  expect(existsSync(join(dataDir, "run.json"))).toBe(false);
  expect(existsSync(join(dataDir, "postgres", "cluster", "postmaster.pid"))).toBe(false);
}, 300_000);

test("on existing data it is ready soon, and finds what was there, also after its projections were deleted", async () => {
  rmSync(join(dataDir, "keyword"), { recursive: true });
  rmSync(join(dataDir, "vectors"), { recursive: true, force: true });
  const stack = up();
  await stack.ready();
  expect(stack.log.out).not.toContain("generated");
  await found("bm25");
  await found("vector");
  await found("hybrid");
  stack.child.kill("SIGTERM");
  expect(await stack.child.exited).toBe(0);
}, 300_000);

test("a port in use is one line, exit code 1, and nothing left running", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const stack = up({ API_PORT: String(other.port) });
  expect(await stack.child.exited).toBe(1);
  expect(await new Response(stack.child.stderr).text()).toBe(`port ${other.port} (API_PORT) is in use\n`);
  expect(existsSync(join(dataDir, "postgres", "cluster", "postmaster.pid"))).toBe(false);
  await other.stop(true);
}, 300_000);
