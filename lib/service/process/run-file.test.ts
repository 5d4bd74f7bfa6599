import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeRunFile, runFilePath, runningUrls, writeRunFile } from "./run-file.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-run-"));
afterAll(() => rmSync(dir, { recursive: true }));

const INFO = {
  urls: { api: "http://127.0.0.1:8080" },
  tokens: { ingest: "i", metrics: "m", scraper: "s", edge: "e" },
  pids: { up: 1 },
};

test("run.json is readable by its owner alone, also where an open one lay before", () => {
  writeFileSync(runFilePath(dir), "old", { mode: 0o644 });
  writeRunFile(dir, INFO);
  expect(statSync(runFilePath(dir)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(runFilePath(dir), "utf8"))).toEqual(INFO);
  expect(readdirSync(dir)).toEqual(["run.json"]);
  expect(runningUrls(dir)).toEqual(["http://127.0.0.1:8080"]);
});

test("removing it twice is no error", () => {
  removeRunFile(dir);
  removeRunFile(dir);
  expect(existsSync(runFilePath(dir))).toBe(false);
  expect(runningUrls(dir)).toEqual([]);
});

test("a file that is no JSON names no URLs", () => {
  const other = mkdtempSync(join(tmpdir(), "isnad-run-"));
  for (const text of ["{", "3", '{"urls":null}', '{"urls":{"api":3}}']) {
    writeFileSync(runFilePath(other), text);
    expect(runningUrls(other)).toEqual([]);
  }
  rmSync(other, { recursive: true });
});
