import { describe, expect, test } from "bun:test";
import { quantizeQuery } from "./codes.ts";
import { LINKED, RowTable, SEGMENT_ROWS, WAITING } from "./rows.ts";
import { randomVector } from "./testing.ts";
import { seeded } from "../../std/random.ts";

const chunk = (no: number) => ({ no, start: no * 10, end: no * 10 + 9 });
const half = (vector: Float32Array) => Float32Array.from(Float16Array.from(vector));

describe("RowTable", () => {
  test("keeps vectors in float16, and compares by cosine whatever their length", () => {
    const random = seeded(6);
    const rows = new RowTable(24);
    const [a, b] = [randomVector(24, random), randomVector(24, random)];
    const row = rows.add(
      0,
      chunk(0),
      a.map((component) => component * 5),
    );
    expect(row).toBe(0);
    expect(rows.vector(0)).toEqual(half(a.map((component) => component * 5)));
    const expected = a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);
    const cosines = new Float64Array(1);
    rows.cosines(Uint32Array.of(0), 1, Float64Array.from(b), cosines);
    expect(cosines[0]).toBeCloseTo(expected, 3);
    expect(rows.chunk(0)).toEqual(chunk(0));
  });

  test("takes no vector without direction, and stays as it was", () => {
    const rows = new RowTable(8);
    for (const bad of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e9, 1e-9]) {
      expect(rows.add(0, chunk(0), new Float32Array(8).fill(bad))).toBeUndefined();
    }
    expect([rows.size, rows.capacity]).toEqual([0, 0]);
    expect(rows.add(0, chunk(0), new Float32Array(8).fill(1))).toBe(0);
  });

  test("knows the rows of an article, and forgets those removed while they are listed", () => {
    const rows = new RowTable(8);
    const vector = new Float32Array(8).fill(1);
    for (let no = 0; no < 4; no++) {
      rows.add(5, chunk(no), vector);
      rows.add(6, chunk(no), vector);
    }
    expect([...rows.ofArticle(5)].map((row) => rows.chunk(row).no)).toEqual([3, 2, 1, 0]);
    for (const row of rows.ofArticle(5)) if (rows.chunk(row).no % 2 === 0) rows.remove(row);
    expect([...rows.ofArticle(5)].map((row) => rows.chunk(row).no)).toEqual([3, 1]);
    expect([...rows.ofArticle(6)]).toHaveLength(4);
    expect([...rows.ofArticle(99)]).toEqual([]);
  });

  test("lists present rows by article and state", () => {
    const rows = new RowTable(8);
    for (let i = 0; i < 6; i++) rows.add(i % 3, chunk(0), new Float32Array(8).fill(1));
    rows.setState(4, LINKED);
    rows.remove(0);
    expect([...rows.list()]).toEqual([1, 2, 3, 4, 5]);
    expect([...rows.list(Uint8Array.of(0, 1, 0))]).toEqual([1, 4]);
    expect([...rows.list(undefined, WAITING)]).toEqual([1, 2, 3, 5]);
    expect([...rows.list(Uint8Array.of(0, 1, 0), LINKED)]).toEqual([4]);
  });

  test("gives removed rows out again", () => {
    const rows = new RowTable(8);
    for (let i = 0; i < 3; i++) rows.add(0, chunk(i), new Float32Array(8).fill(1));
    rows.remove(1);
    const query = quantizeQuery(new Float32Array(8).fill(1));
    if (query === undefined) throw new Error("a query without direction");
    const scanned = () => {
      const { count, rows: kept } = rows.codes.scan({ from: 0, to: rows.capacity }, query, Number.NEGATIVE_INFINITY);
      return [...kept.subarray(0, count)];
    };
    expect(scanned()).toEqual([0, 2]);
    expect(rows.add(4, chunk(7), new Float32Array(8).fill(2))).toBe(1);
    expect(scanned()).toEqual([0, 1, 2]);
    expect([rows.article(1), rows.chunk(1).no, rows.state(1)]).toEqual([4, 7, WAITING]);
    expect(rows.capacity).toBe(3);
  });

  test("comes back from its columns over several segments", () => {
    const random = seeded(7);
    const rows = new RowTable(4);
    for (let i = 0; i < SEGMENT_ROWS + 100; i++) rows.add(i % 700, chunk(i), randomVector(4, random));
    for (const row of [3, SEGMENT_ROWS + 2]) rows.remove(row);
    rows.setState(10, LINKED);
    const copy = new RowTable(4);
    copy.restore(structuredClone(rows.columns()));
    expect([...copy.list()]).toEqual([...rows.list()]);
    const any = quantizeQuery(randomVector(4, random));
    if (any === undefined) throw new Error("a query without direction");
    expect(copy.codes.scan({ from: 0, to: 9 }, any, -2).count).toBe(8);
    expect(copy.size).toBe(rows.size);
    for (const row of [0, 10, SEGMENT_ROWS, SEGMENT_ROWS + 99]) {
      expect(copy.vector(row)).toEqual(rows.vector(row));
      expect(copy.codes.read(row)).toEqual(rows.codes.read(row));
      expect(copy.chunk(row)).toEqual(rows.chunk(row));
      expect(copy.state(row)).toBe(rows.state(row));
    }
    expect([...copy.ofArticle(5)].toSorted((a, b) => a - b)).toEqual([...rows.ofArticle(5)].toSorted((a, b) => a - b));
    expect(copy.add(1, chunk(0), randomVector(4, random))).toBe(SEGMENT_ROWS + 2);
  });

  test("holds 25 bits a dimension and some 41 bytes more a row", () => {
    const random = seeded(8);
    const rows = new RowTable(64);
    for (let i = 0; i < SEGMENT_ROWS; i++) rows.add(i, chunk(0), randomVector(64, random));
    expect(rows.bytes() / SEGMENT_ROWS).toBeLessThan(((25 / 8) * 64 + 45) * 1.5);
  });
});
