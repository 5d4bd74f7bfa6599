import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnService } from "@isnad/lib/service/process/testing";
import { openQueues } from "@isnad/lib/work/queue";
import { type TestDatabase, testDatabase, testStore } from "@isnad/lib/store/testing";
import { bodyOf, item } from "./testing.ts";

const MAIN = join(import.meta.dir, "main.ts");
const children: { kill(signal: number): void }[] = [];
let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await testDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "isnad-api-"));
}, 300_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill(9);
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, MAIN], {
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: database.url, API_PORT: "0", ...env },
  });
  children.push(child);
  return child;
}

/** The log line that says where the API listens. */
async function urlOf(child: ReturnType<typeof start>): Promise<string> {
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk);
    const url = /"url":"(http:[^"]+)"/.exec(said)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the API ended: ${await new Response(child.stderr).text()}`);
}

describe("the API as a process", () => {
  test("warns of a database of a later version that bears this one, and serves", async () => {
    const { url, sql, close } = await testStore();
    await sql`
      insert into schema_migrations (name, checksum, compatible_from) values ('9999_later.sql', 'x', '0051_work.sql')`;
    const api = spawnService(new URL("main.ts", import.meta.url), {
      ...{ DATA_DIR: dataDir, DATABASE_URL: url, API_PORT: "0", INGEST_TOKEN: "t" },
    });
    await api.said("the API is listening");
    expect(api.lines).toContainEqual(expect.objectContaining({ level: "warn", migrations: ["9999_later.sql"] }));
    expect(await api.end()).toBe(0);
    await close();
  }, 300_000);

  test("ends before it listens where a later version does not bear this one, and names the migration", async () => {
    const { url, sql, close } = await testStore();
    await sql`insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')`;
    const child = start({ INGEST_TOKEN: "t", DATABASE_URL: url });
    await expect(urlOf(child)).rejects.toThrow("lacks migration 9999_later.sql");
    expect(await child.exited).toBe(1);
    await close();
  }, 300_000);

  test("takes an article, queues it, and stops at SIGTERM with exit code 0", async () => {
    const child = start({ INGEST_TOKEN: "t" });
    const url = await urlOf(child);
    const res = await fetch(`${url}/v1/ingest/articles`, {
      method: "POST",
      body: JSON.stringify(item()),
      headers: { authorization: "Bearer t", "content-type": "application/json" },
    });
    expect(await bodyOf(res)).toMatchObject({ summary: { accepted: 1 } });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const warn = () => undefined;
    const queues = await openQueues({ databaseUrl: database.url, logger: { warn } });
    expect((await queues.counts("ingestion")).waiting).toBe(1);
    await queues.close();
  });

  test("makes its tokens in a local environment", async () => {
    const url = await urlOf(start({}));
    const { ingest } = await Bun.file(join(dataDir, "tokens.json")).json();
    const post = (token: string) =>
      fetch(`${url}/v1/ingest/articles`, {
        method: "POST",
        body: "{}",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      });
    expect((await post("wrong")).status).toBe(401);
    expect((await post(ingest)).status).toBe(202);
  });
});

describe("the API cannot start, and says why in one line:", () => {
  const failure = async (env: Record<string, string>) => {
    const child = start(env);
    const code = await child.exited;
    return { code, said: await new Response(child.stderr).text() };
  };

  test("the port is in use", async () => {
    const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    const { code, said } = await failure({ API_PORT: String(taken.port) });
    expect(code).toBe(1);
    expect(said).toBe(`port ${taken.port} on 127.0.0.1 is in use: stop the other process or choose another port\n`);
    await taken.stop(true);
  });

  test("variables are wrong", async () => {
    const { code, said } = await failure({ API_PORT: "http", INGEST_MAX_BATCH: "0" });
    expect(code).toBe(1);
    expect(said).toBe(
      "configuration: API_PORT must be a whole number from 0 to 65535; INGEST_MAX_BATCH must be a whole number from 1 to 10000\n",
    );
  });

  test("tokens are missing outside a local environment", async () => {
    const { code, said } = await failure({ APP_ENV: "production" });
    expect(code).toBe(1);
    expect(said).toBe(
      "configuration: INGEST_TOKEN must be set when APP_ENV is production; METRICS_TOKEN must be set when APP_ENV is production\n",
    );
  });

  const isRoot = process.getuid?.() === 0;
  test.skipIf(isRoot && process.platform !== "linux")("the data folder cannot be written", async () => {
    // Root may write everywhere but into the kernel's own file systems.
    const closed = isRoot ? "/sys" : await mkdtemp(join(tmpdir(), "isnad-closed-"));
    if (!isRoot) await chmod(closed, 0o500);
    const { code, said } = await failure({ DATA_DIR: join(closed, "isnad") });
    expect(code).toBe(1);
    expect(said).toBe(`${join(closed, "isnad")} cannot be written: check DATA_DIR and its permissions\n`);
    if (!isRoot) await rm(closed, { recursive: true });
  });

  test("the data folder is no folder", async () => {
    const { code, said } = await failure({ DATA_DIR: join(MAIN, "data") });
    expect(code).toBe(1);
    expect(said).toMatch(/^[^\n]*main\.ts\/data[^\n]*\n$/);
  });
});
