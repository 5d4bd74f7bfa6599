import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { VERSION } from "@isnad/lib/service/config";
import { indexedArticles, testStore } from "@isnad/lib/store/testing";
import { doctor } from "./doctor.ts";
import type { Finding } from "./services.ts";

setDefaultTimeout(300_000);

const { url, store, sql, close } = await testStore();
const dir = mkdtempSync(join(tmpdir(), "isnad-doctor-"));
const servers: { stop(force: boolean): Promise<void> }[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)));
  await close();
  rmSync(dir, { recursive: true });
});

/** A loopback server that answers `body` to everything; its URL. */
function answering(status: number, body: object): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(body, { status }) });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** Ports on which nothing listens, so that what else runs on this machine is not looked at. */
const NOWHERE = {
  API_URL: "http://127.0.0.1:1",
  RETRIEVAL_URL: "http://127.0.0.1:1",
  SCRAPER_URL: "http://127.0.0.1:1",
  EDGE_URL: "http://127.0.0.1:1",
  NLP_PORT: "0",
  API_PORT: "0",
  RETRIEVAL_PORT: "0",
  SCRAPER_PORT: "0",
  EDGE_PORT: "0",
};

async function examine(env: Record<string, string>) {
  const { io, out } = captureIo({ DATA_DIR: dir, DATABASE_URL: url, ...NOWHERE, ...env });
  const code = await runCommand(doctor, ["--json"], io);
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(out());
  const state = (name: string) => findings.find((finding) => finding.name === name);
  return { code, ok, findings, state, text: out() };
}

test("where all is well it says so: settings, versions, disk, database with schema and clock, models with their hashes", async () => {
  await indexedArticles(store, 2);
  const { code, findings, state } = await examine({ LOG_LEVEL: "warn" });
  expect(findings.filter((finding) => finding.state === "fail")).toEqual([]);
  expect(code).toBe(0);
  expect(state("LOG_LEVEL")).toMatchObject({ area: "setting", state: "ok", detail: "warn" });
  expect(state("schema")).toMatchObject({ state: "ok", detail: expect.stringContaining("up to date") });
  expect(state("clock")).toMatchObject({ state: "ok" });
  expect(state("articles")?.detail).toStartWith("2 indexed");
  expect(state("disk")).toBeDefined();
  expect(state("static-ar-en-256")?.detail).toMatch(/^embed, model\.onnx [0-9a-f]{12}/);
  expect(state("all")?.detail).toBe("none runs");
});

test("no secret is shown, wherever it stands", async () => {
  const key = join(dir, "key");
  writeFileSync(key, "very-secret-key");
  const addresses = {
    OUTBOX_WEBHOOK_URLS: "https://hooks.test/services/very-secret-path?x=very-secret,http://u:very-secret@b.test/",
    OUTBOX_WEBHOOK_SECRET: "very-secret-key",
    NOTICE_URLS: "telegram+https://api.telegram.example/botvery-secret/sendMessage?chat_id=1",
    SMTP_URL: "smtp://huda:very-secret@mail.example",
    SMTP_FROM: "isnad@news.example",
    API_URL: "http://huda:very-secret@127.0.0.1:1/",
  };
  const secrets = {
    ...addresses,
    INGEST_TOKEN: "very-secret-token",
    LLM_API_KEY_FILE: key,
    LLM_URL: answering(200, { data: [] }),
  };
  const { state, text } = await examine({ ...secrets, LLM_MODEL: "m" });
  expect(text).not.toContain("very-secret");
  expect(text).not.toContain(new URL(url).password);
  expect(state("INGEST_TOKEN")?.detail).toBe("set, not shown");
  expect(state("OUTBOX_WEBHOOK_URLS")?.detail).toBe("set, not shown");
  expect(state("API_URL")?.detail).toBe("http://127.0.0.1:1/");
  expect(state("LLM_API_KEY_FILE")?.detail).toBe(key);
});

test("a variable that is nearly the name of a setting is warned of, and so is a file for what is no secret", async () => {
  const { state } = await examine({ SEARCH_CONCURENCY: "5", LLM_URL_FILE: "/run/secrets/url", SCRAPER_ENABLED: "" });
  expect(state("SEARCH_CONCURENCY")).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("SEARCH_CONCURRENCY"),
  });
  expect(state("LLM_URL_FILE")).toMatchObject({ state: "warn", detail: expect.stringContaining("secret") });
  expect(state("SCRAPER_ENABLED")).toBeUndefined();
});

test("a wrong setting, and a token that is missing outside of local, fail by name", async () => {
  const wrong = await examine({ API_PORT: "eighty" });
  expect(wrong.code).toBe(1);
  expect(wrong.state("API_PORT")).toMatchObject({ state: "fail", detail: "must be a whole number from 0 to 65535" });
  const bare = await examine({ APP_ENV: "production", METRICS_TOKEN: "m" });
  for (const name of ["SCRAPER_TOKEN", "EDGE_API_KEY"]) expect(bare.state(name)).toMatchObject({ state: "fail" });
  expect(bare.state("INGEST_TOKEN")).toMatchObject({ state: "fail" });
});

test("a database, a Redis and a server of models that do not answer fail, each by its setting", async () => {
  const away = { DATABASE_URL: "postgres://u:pw@127.0.0.1:1/x", REDIS_URL: "redis://:pw@127.0.0.1:1" };
  const { code, findings } = await examine({ ...away, LLM_URL: "http://127.0.0.1:1/v1", LLM_MODEL: "m" });
  expect(code).toBe(1);
  const failed = findings.filter(({ state }) => state === "fail").map(({ area, detail }) => `${area} ${detail}`);
  expect(failed).toHaveLength(3);
  expect(failed.join("\n")).toMatch(/PostgreSQL DATABASE_URL: .*ECONNREFUSED/);
  expect(failed.join("\n")).toMatch(/Redis REDIS_URL: .*ECONNREFUSED/);
  expect(failed.join("\n")).toContain("upstream http://127.0.0.1:1/v1: ");
  expect(failed.join("\n")).not.toContain("pw");
});

test("a server of models that refuses the key fails", async () => {
  const { state } = await examine({ LLM_URL: answering(401, {}), LLM_API_KEY: "k", LLM_MODEL: "m" });
  expect(state("chat, translate")).toMatchObject({ state: "fail", detail: expect.stringContaining("refuses the key") });
});

test("while some services run, one that does not answer fails, and one that is degraded is told with what fails", async () => {
  const health = (fields: object) => ({
    status: "ok",
    service: "x",
    version: VERSION,
    uptime_s: 1,
    deps: {},
    ...fields,
  });
  const { code, state } = await examine({
    API_URL: answering(200, health({})),
    RETRIEVAL_URL: answering(
      200,
      health({ status: "degraded", deps: { vectors: "fail", models: { rerank: "fail" } } }),
    ),
    EDGE_URL: answering(503, health({ status: "degraded", deps: { retrieval: "fail" } })),
  });
  expect(code).toBe(1);
  expect(state("api")).toMatchObject({ state: "ok" });
  expect(state("retrieval")).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("vectors, models.rerank"),
  });
  expect(state("edge")).toMatchObject({ state: "fail", detail: expect.stringContaining("answers 503: retrieval") });
  expect(state("scraper")).toMatchObject({ state: "fail" });
});

test("a schema of a later version fails unless it bears this one, one that lacks migrations is told", async () => {
  await sql`insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')`;
  expect((await examine({})).state("schema")).toMatchObject({ state: "fail" });
  await sql`update schema_migrations set compatible_from = '0051_work.sql' where name = '9999_later.sql'`;
  expect((await examine({})).state("schema")).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("9999_later.sql"),
  });
  await sql`delete from schema_migrations where name = '9999_later.sql' or name like '0016%'`;
  expect((await examine({})).state("schema")).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("0016_article_summaries.sql"),
  });
});

test("engines are told: the built-in ones, a server that answers, one that is away, one that refuses the key", async () => {
  const built = await examine({});
  expect([built.state("by word")?.detail, built.state("by meaning")?.detail]).toEqual([
    "built in, in DATA_DIR",
    "usearch, in DATA_DIR",
  ]);
  const there = await examine({
    OPENSEARCH_URL: answering(200, { version: { number: "3.2.0", distribution: "opensearch" } }),
  });
  expect(there.state("by meaning")).toMatchObject({ state: "ok", detail: expect.stringContaining("opensearch at ") });
  const away = await examine({ OPENSEARCH_URL: "http://127.0.0.1:1" });
  expect(away.state("by word")).toMatchObject({ state: "fail", detail: expect.stringContaining("OPENSEARCH_URL") });
  const refused = await examine({ MEILI_URL: answering(403, {}), MEILI_API_KEY: "secret-key-of-meili" });
  expect(refused.state("by word")).toMatchObject({ state: "fail", detail: expect.stringContaining("MEILI_API_KEY") });
  expect(refused.text).not.toContain("secret-key-of-meili");
});

test("a port that is taken by something else fails while nothing runs", async () => {
  const port = new URL(answering(200, {})).port;
  expect((await examine({ API_PORT: port })).state("API_PORT")).toMatchObject({ state: "ok", detail: port });
  const { findings } = await examine({ API_PORT: port });
  expect(findings).toContainEqual(
    expect.objectContaining({
      area: "port",
      name: "API_PORT",
      state: "fail",
      detail: `${port} is in use, and not by api`,
    }),
  );
});

test("a database that takes no writes fails, by its own reason", async () => {
  expect((await examine({})).state("writes")).toMatchObject({ state: "ok" });
  await sql.begin(async (tx) => {
    await tx`lock table articles in share mode`;
    expect((await examine({})).state("writes")).toMatchObject({
      state: "fail",
      detail: expect.stringContaining("somebody holds the table"),
    });
  });
});
