import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureTokens, loadConfig } from "../config/mod.ts";
import { writeRunFile } from "../process/run-file.ts";
import { findScraper } from "./scraper-target.ts";

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
