import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { ConfigError, loadConfig } from "./mod.ts";

test("an empty environment gives a whole configuration for this machine", () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    appEnv: "local",
    logLevel: "info",
    host: "127.0.0.1",
    ports: { api: 8080, scraper: 8081, retrieval: 8082, nlp: 8083, edge: 8787 },
    publicBaseUrl: "http://127.0.0.1:8080",
    retrievalUrl: "http://127.0.0.1:8082",
    scraperUrl: "http://127.0.0.1:8081",
    demoSitePort: 8790,
    ingest: { maxBatch: 100, maxBodyBytes: 1_500_000, requireKnownSource: false, idempotencyTtlS: 86_400 },
    trustedProxies: [],
  });
  expect(isAbsolute(config.dataDir)).toBe(true);
  expect(config).not.toHaveProperty("databaseUrl");
});

test("every wrong variable is listed at once, without its value", () => {
  const load = () => loadConfig({ API_PORT: "70000", LOG_LEVEL: "loud", DATABASE_URL: "mysql://u:hunter2@h/d" });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/API_PORT .*DATABASE_URL /s);
  expect(load).toThrow(/LOG_LEVEL must be one of/);
  expect(load).not.toThrow(/hunter2/);
});

test("credentials of sources are read by their prefix, or out of files", () => {
  const file = join(mkdtempSync(join(tmpdir(), "isnad-credential-")), "paper");
  writeFileSync(file, "Bearer two\n");
  const env = {
    SCRAPER_AUTH_ONE: "Bearer one",
    SCRAPER_AUTH_TWO_FILE: file,
    SCRAPER_AUTH_UNSET: "",
    SCRAPER_OTHER: "x",
  };
  expect(loadConfig(env).scraper.credentials).toEqual({
    SCRAPER_AUTH_ONE: "Bearer one",
    SCRAPER_AUTH_TWO: "Bearer two",
  });
  expect(() => loadConfig({ SCRAPER_AUTH_ONE: "secret\r\nHost: b" })).toThrow("SCRAPER_AUTH_ONE must consist of");
});

test("threads of models are there where they are set", () => {
  const { classify, rerank } = loadConfig({ CLASSIFY_THREADS: "3", RERANK_THREADS: "" });
  expect({ classify, rerank }).toEqual({ classify: { threads: 3 }, rerank: {} });
  expect(() => loadConfig({ CLASSIFY_THREADS: "0" })).toThrow("CLASSIFY_THREADS");
});

test("the options that name models are there by task, and those that are not set are left out", () => {
  const { models } = loadConfig({ TAG_MODEL: "tagger-x", RERANK_MODEL: "" });
  expect(models).toEqual({ tag: "tagger-x" });
});
