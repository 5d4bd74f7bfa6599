import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "@isnad/lib/store/testing";
import { until } from "@isnad/lib/std/testing-until";

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

/** The same on a free port, once they run, and where they listen. */
async function startListening(env: Record<string, string> = {}) {
  const child = start({ WORKERS_PORT: "0", LOG_LEVEL: "info", ...env });
  const url = Promise.withResolvers<string>();
  const listen = async () => {
    const decoder = new TextDecoder();
    let said = "";
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk);
      const found = /"url":"(http:[^"]+)"/.exec(said)?.[1];
      if (found !== undefined) url.resolve(found);
    }
    url.reject(new Error(`the workers ended: ${await new Response(child.stderr).text()}`));
  };
  void listen();
  return { child, url: await url.promise };
}

test("started with a port it answers its health, and SIGTERM ends it with exit code 0; it writes no index that nobody reads", async () => {
  const { child, url } = await startListening();
  const get = (path: string) => fetch(`${url}${path}`);
  // Degraded until it follows the log of saved searches.
  const health = async () => Object(await (await get("/health")).json());
  await until("it is healthy", async () => (await health()).status === "ok");
  expect(await health()).toMatchObject({
    service: "workers",
    deps: { database: "ok", queue: "ok", threads: "ok" },
  });
  expect((await get("/metrics")).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  // Nobody here reads a keyword index.
  expect(existsSync(join(dir, "keyword"))).toBe(false);
}, 300_000);

test("under a supervisor it ends when its standard input does", async () => {
  const { child, url } = await startListening({ ISNAD_SUPERVISED: "1" });
  expect((await fetch(`${url}/livez`)).ok).toBe(true);
  child.stdin.end();
  expect(await child.exited).toBe(0);
}, 300_000);

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
  300_000,
);

test("an engine that cannot be reached is one line and exit code 1, before a data folder or a database is made", async () => {
  const dataDir = join(dir, "untouched");
  const child = start({ MEILI_URL: "http://127.0.0.1:1", DATA_DIR: dataDir, DATABASE_URL: "" });
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toMatch(/^MEILI_URL: .* cannot be reached.*\n$/);
  expect(existsSync(dataDir)).toBe(false);
}, 300_000);
