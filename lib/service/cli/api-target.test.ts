import { afterAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTokens, loadConfig, tokensFile } from "../config/mod.ts";
import { writeRunFile } from "../process/run-file.ts";
import { findApi } from "./api-target.ts";

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
  expect(await findApi({ DATA_DIR: dir })).toMatchObject({ url: run.urls.api, ingestToken: "from-run", dataDir: dir });
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
