import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readPairs } from "./pairs.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-pairs-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("reads the test split, summaries and abstracts, gzipped or not, and nothing that lacks a text", () => {
  const rows = [
    { text: "a", summary: "s", split: "train" },
    { text: "b", summary: "s", split: "test" },
    { text: "c", abstract: "x" },
    { text: "d" },
    { text: "e", abstract: " " },
    { text: 7, summary: "s" },
  ];
  const lines = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
  writeFileSync(join(dir, "a.jsonl"), lines);
  writeFileSync(join(dir, "a.jsonl.gz"), gzipSync(lines));
  for (const name of ["a.jsonl", "a.jsonl.gz"]) {
    expect(readPairs(join(dir, name))).toEqual([
      { text: "b", summary: "s" },
      { text: "c", summary: "x" },
    ]);
  }
});
