import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readPairs, rouge } from "./summaries.ts";

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

test("the same text is 1, another one 0, whatever the marks and letter forms", () => {
  expect(rouge("The cat sat.", "the CAT, sat")).toEqual({ rouge1: 1, rouge2: 1, rougeL: 1 });
  expect(rouge("a b", "c d")).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 });
  expect(rouge("", "c d")).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 });
  expect(rouge("قال الرئيس", "قـال الرئيس").rouge2).toBe(1);
});

test("follows the example of Lin (2004): police killed the gunman", () => {
  const reference = "police killed the gunman";
  expect(rouge("police kill the gunman", reference).rougeL).toBeCloseTo(0.75, 10);
  expect(rouge("the gunman kill police", reference).rougeL).toBeCloseTo(0.5, 10);
  expect(rouge("police kill the gunman", reference)).toMatchObject({ rouge1: 0.75, rouge2: 1 / 3 });
});

test("a word that is repeated counts as often as the reference has it", () => {
  expect(rouge("the the the", "the cat").rouge1).toBeCloseTo(0.4, 10);
});
