import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ndcgAt10, readCollection } from "./collection.ts";

test("ndcgAt10() is 1 for the ideal order, discounts by place, and counts only ten", () => {
  const grades = new Map([
    ["a", 2],
    ["b", 1],
    ["c", 0],
  ]);
  expect(ndcgAt10(["a", "b", "c"], grades)).toBe(1);
  expect(ndcgAt10(["c", "a"], grades)).toBeCloseTo(2 / Math.log2(3) / (2 + 1 / Math.log2(3)));
  expect(ndcgAt10([...Array.from({ length: 10 }, (_, i) => `x${i}`), "a"], grades)).toBe(0);
  expect(ndcgAt10([], new Map())).toBe(0);
});

test("readCollection() reads plain and gzip files, and leaves out queries without an answer", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-collection-"));
  const corpus = `${JSON.stringify({ _id: 1, text: "one" })}\n${JSON.stringify({ _id: "2", title: "t", text: "two" })}\n`;
  writeFileSync(join(folder, "corpus.jsonl.gz"), gzipSync(corpus));
  writeFileSync(join(folder, "queries.jsonl"), '{"_id":"q1","text":"x"}\n{"_id":"q2","text":"y"}\n');
  writeFileSync(join(folder, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\t2\t1\nq2\t1\t0\n");
  const { documents, queries, grades } = readCollection(folder);
  expect(documents).toEqual([
    { id: "1", title: "", text: "one" },
    { id: "2", title: "t", text: "two" },
  ]);
  expect(queries).toEqual([{ id: "q1", text: "x" }]);
  expect(grades.get("q1")?.get("2")).toBe(1);
});
