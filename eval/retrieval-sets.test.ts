import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  dataFolder,
  dot,
  isHeldOut,
  ndcgAt10,
  nearest,
  readCollection,
  readJsonLines,
  readText,
  scoresOf,
} from "./retrieval-sets.ts";

const article = (i: number): string => `  خبر رقم ${i}:\n\n نص\tالخبر ${"كلمة ".repeat(100)}`;

test("the held-out articles are those that training leaves out", () => {
  // as isnad_embed.corpus.is_held_out of nlp/training says
  const held = Array.from({ length: 200 }, (_, i) => i).filter((i) => isHeldOut(article(i)));
  expect(held).toEqual([8, 26, 43, 44, 73, 108, 184, 196]);
});

test("line feeds and blanks do not decide, nor what comes after the first 200 characters", () => {
  for (const i of [0, 1, 2, 3]) {
    const plain = isHeldOut(article(i));
    expect(isHeldOut(article(i).replaceAll(" ", "\n "))).toBe(plain);
    expect(isHeldOut(`${article(i)} more`)).toBe(plain);
  }
});

test("a file is read plain or gzipped", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  try {
    writeFileSync(join(dir, "a.jsonl"), '{"x":1}\n{"x":2}\n');
    writeFileSync(join(dir, "b.jsonl.gz"), gzipSync('{"x":3}\n'));
    expect(readJsonLines(join(dir, "a.jsonl"))).toEqual([{ x: 1 }, { x: 2 }]);
    expect(readText(join(dir, "b.jsonl"))).toBe('{"x":3}\n');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("the data folder is found by ISNAD_SHARED, and undefined where it is absent", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-eval-"));
  try {
    expect(dataFolder({ ISNAD_SHARED: dir })).toBeUndefined();
    mkdirSync(join(dir, "data", "news"), { recursive: true });
    expect(dataFolder({ ISNAD_SHARED: dir })).toBe(`${dir}/data`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

const vectors = [
  [1, 0],
  [0, 1],
  [0.8, 0.6],
].map((v) => Float32Array.from(v));
const query = Float32Array.from([1, 0]);

test("nearest() gives the best first", () => {
  expect(nearest(query, vectors, 2)).toEqual([0, 2]);
});

test("nearest() leaves out what it is told to skip", () => {
  expect(nearest(query, vectors, 3, 0)).toEqual([2, 1]);
});

test("scoresOf() gives 1 when the wanted document is first", () => {
  expect(scoresOf([[0, 1]], [new Set([0])])).toEqual({ recall: 1, ndcg: 1 });
});

test("scoresOf() discounts a second place by log2(3)", () => {
  const { recall, ndcg } = scoresOf([[0, 2]], [new Set([2])]);
  expect(recall).toBe(1);
  expect(ndcg).toBeCloseTo(1 / Math.log2(3), 6);
});

test("scoresOf() divides by the number of wanted documents and counts the first ten", () => {
  const twenty = Array.from({ length: 20 }, (_, i) => i);
  expect(scoresOf([twenty], [new Set([0, 19])]).recall).toBe(0.5);
});

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

const collectionOf = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-collection-"));
  writeFileSync(join(folder, "corpus.jsonl"), '{"_id":"d1","text":"one"}\n');
  mkdirSync(join(folder, "qrels"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};
const QUERY = '{"_id":"q1","text":"x"}\n';

test.each([
  ["qrels.tsv", "q1\td1\t1\n"],
  ["qrels.test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"],
  ["qrels/test.tsv", "q1 0 d1 1\n"],
  ["qrels.tsv", "\r\n  q1   d1\t1  \r\nnot a judgement\n"],
])("judgements are read from %s: %j", (name, text) => {
  const { grades } = readCollection(collectionOf({ [name]: text, "queries.jsonl": QUERY }));
  expect([...grades].map(([query, judged]) => [query, [...judged]])).toEqual([["q1", [["d1", 1]]]]);
});

test("a query of one split, and several judgements of it", () => {
  const folder = collectionOf({ "qrels.tsv": "q1\td1\t2\nq1\td2\t0\nq1\td1\t1\n", "queries.test.jsonl": QUERY });
  const { queries, grades } = readCollection(folder);
  expect(queries).toEqual([{ id: "q1", text: "x" }]);
  // The last judgement of a document holds.
  expect([...(grades.get("q1") ?? [])]).toEqual([
    ["d1", 1],
    ["d2", 0],
  ]);
});

test("a folder that lacks a file says which ones it was looked for", () => {
  expect(() => readCollection(collectionOf({ "queries.jsonl": QUERY }))).toThrow(
    "none of qrels.tsv, qrels.test.tsv, qrels/test.tsv is there",
  );
  expect(() => readCollection(collectionOf({ "qrels.tsv": "" }))).toThrow("none of queries.jsonl");
});

test("vectors of different lengths have no product", () => {
  expect(dot(Float32Array.of(1, 2), Float32Array.of(3, 4))).toBe(11);
  expect(() => dot(Float32Array.of(1), Float32Array.of(1, 2))).toThrow("vectors of 1 and 2 dimensions");
});

test("of equal documents the first is nearest, and no more are given than there are", () => {
  const same = [Float32Array.of(1, 0), Float32Array.of(1, 0), Float32Array.of(1, 0)];
  expect(nearest(query, same, 2)).toEqual([0, 1]);
  expect(nearest(query, same, 5)).toEqual([0, 1, 2]);
  expect(nearest(query, [], 5)).toEqual([]);
});

test("a grade below 0 is no loss, and grades are gains as they stand", () => {
  const grades = new Map([
    ["a", 3],
    ["b", 1],
    ["c", -1],
  ]);
  expect(ndcgAt10(["c", "b", "a"], grades)).toBeCloseTo((1 / Math.log2(3) + 3 / 2) / (3 + 1 / Math.log2(3)), 12);
  expect(ndcgAt10(["x"], new Map([["a", 0]]))).toBe(0);
});

test("the ideal of more wanted documents than ten is ten", () => {
  const ranking = Array.from({ length: 10 }, (_, i) => i);
  const wanted = new Set(Array.from({ length: 20 }, (_, i) => i));
  expect(scoresOf([ranking], [wanted])).toEqual({ recall: 0.5, ndcg: 1 });
  expect(scoresOf([ranking, []], [wanted, wanted])).toEqual({ recall: 0.25, ndcg: 0.5 });
});
