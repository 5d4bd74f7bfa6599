import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTokens, loadConfig, tokensFile } from "../config/mod.ts";
import { writeRunFile } from "../process/files.ts";
import { findApi, findScraper, readRunning } from "./targets.ts";

describe("api target", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-target-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  beforeEach(() => {
    for (const name of ["run.json", "tokens.json"]) rmSync(join(dir, name), { force: true });
  });

  const run = {
    urls: { api: "http://127.0.0.1:4711", retrieval: "http://127.0.0.1:4712" },
    tokens: { ingest: "from-run", metrics: "m", scraper: "s", edge: "e" },
    pids: {},
  };

  test("the stack that runs on the data folder is found by its run file, with its token", async () => {
    writeRunFile(dir, run);
    expect(await findApi({ DATA_DIR: dir })).toMatchObject({
      url: run.urls.api,
      ingestToken: "from-run",
      dataDir: dir,
    });
  });

  test("an API that was started alone is found on the configured port, with the kept token", async () => {
    const { tokens } = await ensureTokens(loadConfig({ DATA_DIR: dir }));
    expect(await findApi({ DATA_DIR: dir, API_PORT: "9001" })).toEqual({
      url: "http://127.0.0.1:9001",
      ingestToken: tokens.ingest[0] ?? "",
      metricsToken: tokens.metrics[0] ?? "",
      dataDir: dir,
    });
  });

  test("what the environment names wins over both", async () => {
    writeRunFile(dir, run);
    const env = { DATA_DIR: dir, API_URL: "https://api.example/base/", INGEST_TOKEN: "new,old", API_PUBLIC_KEYS: "k" };
    expect(await findApi(env)).toMatchObject({ url: "https://api.example/base", ingestToken: "new", publicKey: "k" });
  });

  test("tokens of the data folder are never sent to another machine", async () => {
    writeRunFile(dir, run);
    await ensureTokens(loadConfig({ DATA_DIR: dir }));
    await expect(findApi({ DATA_DIR: dir, API_URL: "https://api.example" })).rejects.toThrow("set INGEST_TOKEN");
    expect(await findApi({ DATA_DIR: dir, API_URL: "http://localhost:1" })).toMatchObject({ ingestToken: "from-run" });
  });

  test("without a stack and without a token the message says what to do, and no token is made", async () => {
    await expect(findApi({ DATA_DIR: dir })).rejects.toThrow("start the stack on");
    await findApi({ DATA_DIR: dir }).catch(() => undefined);
    expect(existsSync(tokensFile({ dataDir: dir }))).toBe(false);
  });

  test.each(["{", "[]", '{"urls": 3}', '{"urls": {"api": ""}, "tokens": null}'])(
    "a damaged run file, %s, counts as none",
    async (content) => {
      writeFileSync(join(dir, "run.json"), content);
      await expect(findApi({ DATA_DIR: dir })).rejects.toThrow("no ingest token");
      await ensureTokens(loadConfig({ DATA_DIR: dir }));
      expect((await findApi({ DATA_DIR: dir })).url).toBe("http://127.0.0.1:8080");
    },
  );
});

describe("scraper target", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-scraper-target-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  beforeEach(() => {
    for (const name of ["run.json", "tokens.json"]) rmSync(join(dir, name), { force: true });
  });

  const run = {
    urls: { scraper: "http://127.0.0.1:4713" },
    tokens: { ingest: "i", metrics: "m", scraper: "from-run,old", edge: "e" },
    pids: {},
  };

  test("the scraper that runs on the data folder is found by its run file, with its token", async () => {
    writeRunFile(dir, run);
    expect(await findScraper({ DATA_DIR: dir })).toEqual({ url: run.urls.scraper, token: "from-run" });
  });

  test("a scraper that was started alone is found on the configured port, with the kept token", async () => {
    const { tokens } = await ensureTokens(loadConfig({ DATA_DIR: dir }));
    const found = await findScraper({ DATA_DIR: dir, SCRAPER_PORT: "9003" });
    expect(found).toEqual({ url: "http://127.0.0.1:9003", token: tokens.scraper[0] ?? "" });
  });

  test("what the environment names wins over both", async () => {
    writeRunFile(dir, run);
    const env = { DATA_DIR: dir, SCRAPER_URL: "https://scraper.example/base/", SCRAPER_TOKEN: "new,old" };
    expect(await findScraper(env)).toEqual({ url: "https://scraper.example/base", token: "new" });
  });

  test("tokens of the data folder are never sent to another machine", async () => {
    writeRunFile(dir, run);
    await ensureTokens(loadConfig({ DATA_DIR: dir }));
    await expect(findScraper({ DATA_DIR: dir, SCRAPER_URL: "https://scraper.example" })).rejects.toThrow(
      "set SCRAPER_TOKEN",
    );
  });
});

describe("running", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-running-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("the run file that `up` writes is read back", () => {
    const urls = { api: "http://127.0.0.1:1", retrieval: "http://127.0.0.1:2" };
    writeRunFile(dir, { urls, tokens: { ingest: "t", metrics: "m", scraper: "s", edge: "e" }, pids: { up: 1 } });
    expect(readRunning(dir)).toEqual({ urls, ingestToken: "t", scraperToken: "s" });
  });

  test("of a list of tokens the first is taken", () => {
    writeFileSync(join(dir, "run.json"), JSON.stringify({ tokens: { ingest: "new,old" } }));
    expect(readRunning(dir)).toEqual({ urls: {}, ingestToken: "new" });
  });

  test.each(["", "{", "null", "7", '{"urls": null}', '{"urls": {"api": 7, "edge": ""}, "tokens": []}'])(
    "of a damaged file, %p, nothing is told",
    (content) => {
      writeFileSync(join(dir, "run.json"), content);
      expect(readRunning(dir)).toEqual({ urls: {} });
    },
  );

  test("where no stack runs nothing is told", () => {
    expect(readRunning(join(dir, "absent"))).toEqual({ urls: {} });
  });
});
