import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Graph } from "./graph.ts";
import { seeded } from "../../std/random.ts";

const DIMS = 32;
const random = seeded(15);
const codes = (rows: number) => Int8Array.from({ length: rows * DIMS }, () => random() * 255 - 127.5);
const sorted = (rows: Uint32Array) => [...rows].toSorted((a, b) => a - b);

describe("Graph", () => {
  const dir = mkdtempSync(join(tmpdir(), "isnad-graph-"));
  afterAll(() => rmSync(dir, { recursive: true }));

  test("finds nothing while it is empty", () => {
    expect(new Graph(DIMS).search(codes(1), 10)).toHaveLength(0);
  });

  test("gives no more rows than it has: a search is not padded", () => {
    const graph = new Graph(DIMS);
    graph.add([4, 70_000, 9], codes(3));
    expect(sorted(graph.search(codes(1), 50))).toEqual([4, 9, 70_000]);
  });

  test("refuses a batch with a row twice, or with one that is there, and adds nothing of it", () => {
    const graph = new Graph(DIMS);
    graph.add([1], codes(1));
    expect(() => graph.add([2, 3, 2], codes(3))).toThrow(RangeError);
    expect(() => graph.add([5, 1], codes(2))).toThrow(RangeError);
    expect(() => graph.add([5, 6], codes(1))).toThrow(RangeError);
    expect(sorted(graph.search(codes(1), 10))).toEqual([1]);
  });

  test("takes rows out, and takes them in again with other codes", () => {
    const graph = new Graph(DIMS);
    const old = codes(1);
    graph.add([1], old);
    graph.add([2, 3], codes(2));
    graph.remove([1, 99]);
    expect(sorted(graph.search(old, 10))).toEqual([2, 3]);
    const fresh = codes(1);
    graph.add([1], fresh);
    expect(graph.search(fresh, 1)[0]).toBe(1);
    expect(graph.size).toBe(3);
  });

  test("is the same after saving and loading, and goes on from there", () => {
    const graph = new Graph(DIMS);
    const rows = Array.from({ length: 500 }, (_, i) => i);
    const all = codes(500);
    graph.add(rows, all);
    const path = join(dir, "whole");
    graph.save(path);
    const loaded = Graph.load(path, DIMS, 500);
    for (const row of [0, 250, 499]) {
      const query = all.slice(row * DIMS, (row + 1) * DIMS);
      expect([...loaded.search(query, 5)]).toEqual([...graph.search(query, 5)]);
    }
    const fresh = codes(1);
    loaded.add([500], fresh);
    expect(loaded.search(fresh, 1)[0]).toBe(500);
  });

  test("does not load a truncated file, one of other dimensions, or one with another number of rows", () => {
    const graph = new Graph(DIMS);
    graph.add([1, 2, 3], codes(3));
    const path = join(dir, "to-break");
    graph.save(path);
    expect(() => Graph.load(path, DIMS * 2, 3)).toThrow();
    expect(() => Graph.load(path, DIMS, 4)).toThrow();
    writeFileSync(join(dir, "cut"), readFileSync(path).subarray(0, 100));
    expect(() => Graph.load(join(dir, "cut"), DIMS, 3)).toThrow();
    expect(() => Graph.load(join(dir, "none"), DIMS, 3)).toThrow();
  });
});
