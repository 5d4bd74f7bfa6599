import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "@isnad/lib/store/testing";
import { freePort } from "./testing/process.ts";
import { until } from "./testing/until.ts";

const database = await testDatabase();
const dir = mkdtempSync(join(tmpdir(), "isnad-workers-main-"));

afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await database.drop();
});

function start(env: Record<string, string>) {
  return Bun.spawn([process.execPath, join(import.meta.dirname, "main.ts")], {
    env: { PATH: process.env.PATH, DATA_DIR: dir, DATABASE_URL: database.url, LOG_LEVEL: "warn", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

test("started with a port it answers its health, and SIGTERM ends it with exit code 0; it writes no index that nobody reads", async () => {
  const port = await freePort();
  const child = start({ WORKERS_PORT: String(port) });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await until("it is healthy", async () => (await get("/health"))?.ok === true);
  const body = await (await get("/health"))?.json();
  expect(body).toMatchObject({
    status: "ok",
    service: "workers",
    deps: { database: "ok", queue: "ok", threads: "ok" },
  });
  expect((await get("/metrics"))?.status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  // Nobody here reads a keyword index.
  expect(existsSync(join(dir, "keyword"))).toBe(false);
}, 60_000);

test("under a supervisor it ends when its standard input does", async () => {
  const port = await freePort();
  const child = start({ WORKERS_PORT: String(port), ISNAD_SUPERVISED: "1" });
  const up = async () => (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null))?.ok === true;
  await until("it lives", up);
  child.stdin.end();
  expect(await child.exited).toBe(0);
}, 60_000);

test.each([
  ["a wrong setting", { WORKERS_CONCURRENCY: "none" }, "WORKERS_CONCURRENCY"],
  ["a webhook without a secret", { OUTBOX_WEBHOOK_URLS: "http://127.0.0.1:1/" }, "OUTBOX_WEBHOOK_SECRET"],
  ["two engines at once", { OPENSEARCH_URL: "http://127.0.0.1:1", MEILI_URL: "http://127.0.0.1:1" }, "KEYWORD_ENGINE"],
  ["an unknown model", { EMBED_MODEL: "no-such-model" }, "no-such-model"],
  ["a taxonomy that is not there", { TAXONOMY_FILE: "nowhere.json" }, "nowhere.json"],
])(
  "%s is one clear line and exit code 1",
  async (_, env, words) => {
    const child = start(env);
    expect(await child.exited).toBe(1);
    const said = (await new Response(child.stderr).text()).trim();
    expect(said).toContain(words);
    expect(said.split("\n")).toHaveLength(1);
  },
  60_000,
);

test("an engine that cannot be reached is one line and exit code 1, before a data folder or a database is made", async () => {
  const dataDir = join(dir, "untouched");
  const child = start({ MEILI_URL: "http://127.0.0.1:1", DATA_DIR: dataDir, DATABASE_URL: "" });
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toMatch(/^MEILI_URL: .* cannot be reached.*\n$/);
  expect(existsSync(dataDir)).toBe(false);
}, 60_000);
