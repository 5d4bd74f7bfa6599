import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRunFile } from "../process/run-file.ts";
import { readRunning } from "./running.ts";

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
