import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, ensureTokens, loadConfig, tokensFile } from "./mod.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "isnad-tokens-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const local = (env: Record<string, string> = {}) => loadConfig({ DATA_DIR: join(dataDir, "deep", "data"), ...env });

describe("ensureTokens() in a local environment", () => {
  test("makes a token for each unset one, and keeps them with mode 0600", async () => {
    const { tokens } = await ensureTokens(local());
    for (const name of ["ingest", "metrics", "scraper", "edge", "internal"] as const) {
      expect(tokens[name]).toHaveLength(1);
      expect(tokens[name][0]).toMatch(/^[\w-]{32}$/);
    }
    expect(new Set(Object.values(tokens).flat()).size).toBe(5);
    expect(tokens.apiPublic).toEqual([]);
    expect((await stat(tokensFile(local()))).mode & 0o777).toBe(0o600);
  });

  test("gives the same ones again", async () => {
    expect(await ensureTokens(local())).toEqual(await ensureTokens(local()));
  });

  test("leaves the set ones as they are", async () => {
    const { tokens } = await ensureTokens(local({ INGEST_TOKEN: "old, new" }));
    expect(tokens.ingest).toEqual(["old", "new"]);
    expect(tokens.metrics).toHaveLength(1);
  });

  test("touches no file when all are set", async () => {
    const ingestion = { INGEST_TOKEN: "a", METRICS_TOKEN: "b", SCRAPER_TOKEN: "c" };
    const all = { ...ingestion, EDGE_API_KEY: "d", INTERNAL_TOKEN: "e" };
    await ensureTokens(local(all));
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("makes them once when many start together, and leaves no draft behind", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => ensureTokens(local())));
    expect(new Set(all.map(({ tokens }) => JSON.stringify(tokens))).size).toBe(1);
    expect(await readdir(local().dataDir)).toEqual(["tokens.json"]);
  });

  test("makes them once across processes", async () => {
    const code = `import { ensureTokens, loadConfig } from ${JSON.stringify(join(import.meta.dir, "mod.ts"))};
      process.stdout.write(JSON.stringify((await ensureTokens(loadConfig(process.env))).tokens));`;
    const run = () =>
      new Response(
        Bun.spawn([process.execPath, "-e", code], { env: { DATA_DIR: dataDir, PATH: process.env.PATH } }).stdout,
      ).text();
    const outputs = await Promise.all([run(), run(), run(), run()]);
    expect(new Set(outputs).size).toBe(1);
    expect(outputs[0]).toContain('"ingest":["');
  });

  test("closes a file that others could read", async () => {
    await ensureTokens(local());
    await chmod(tokensFile(local()), 0o644);
    await ensureTokens(local());
    expect((await stat(tokensFile(local()))).mode & 0o777).toBe(0o600);
  });

  test("names a damaged file rather than replace tokens that are in use", async () => {
    await ensureTokens(local());
    for (const damaged of ["{", "[]", "null", '{"ingest":"a"}', '{"ingest":1,"metrics":"","scraper":"c","edge":"d"}']) {
      await writeFile(tokensFile(local()), damaged);
      await expect(ensureTokens(local())).rejects.toThrow(
        /DATA_DIR holds a damaged tokens file: delete .*tokens\.json/,
      );
      expect(await readFile(tokensFile(local()), "utf8")).toBe(damaged);
    }
  });
});

describe("ensureTokens() elsewhere", () => {
  const remote = (service: "api" | "retrieval" | "edge" | "scraper", env: Record<string, string> = {}) =>
    ensureTokens(loadConfig({ APP_ENV: "production", DATA_DIR: dataDir, ...env }, { service }));

  test("refuses to start a service while a token that it needs is unset, and names each", async () => {
    await expect(remote("api")).rejects.toThrow(ConfigError);
    await expect(remote("api")).rejects.toThrow(/INGEST_TOKEN must be set.*METRICS_TOKEN must be set/);
    await expect(remote("api", { INGEST_TOKEN: "a" })).rejects.toThrow("METRICS_TOKEN must be set");
    await expect(remote("edge", { METRICS_TOKEN: "a" })).rejects.toThrow("EDGE_API_KEY must be set");
    await expect(remote("scraper", { METRICS_TOKEN: "a" })).rejects.toThrow(/INGEST_TOKEN.*SCRAPER_TOKEN/);
  });

  test("starts it with the tokens that it needs, and makes none", async () => {
    expect((await remote("api", { INGEST_TOKEN: "a", METRICS_TOKEN: "b" })).tokens.scraper).toEqual([]);
    expect((await remote("retrieval", { METRICS_TOKEN: "b" })).tokens.ingest).toEqual([]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});
