import { expect, test } from "bun:test";
import { batchSequences } from "./classify-model.ts";

const sequenceOf = (length: number): number[] => new Array<number>(length).fill(length);
const lengths = Array.from({ length: 200 }, (_, i) => 2 + ((i * 37) % 79));

test("every sequence is in exactly one batch", () => {
  const rows = batchSequences(lengths.map(sequenceOf), 512).flatMap((batch) => [...batch.rows]);
  expect(rows.sort((a, b) => a - b)).toEqual(lengths.map((_, i) => i));
});

test("a batch holds no more cells than allowed, unless one sequence alone does", () => {
  for (const batch of batchSequences([...lengths, 5000].map(sequenceOf), 512)) {
    expect(batch.rows.length === 1 || batch.ids.length <= 512).toBe(true);
  }
});

test("a shorter sequence is padded with zeros", () => {
  const [batch] = batchSequences([sequenceOf(10), sequenceOf(9)], 512);
  expect(batch).toMatchObject({ rows: [1, 0], length: 10 });
  expect([...(batch?.ids ?? [])]).toEqual([...sequenceOf(9), 0, ...sequenceOf(10)]);
});

test("little of a batch is padding", () => {
  const cells = batchSequences(lengths.map(sequenceOf), 512).reduce((sum, batch) => sum + batch.ids.length, 0);
  expect(cells / lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(1.12);
  expect(batchSequences([sequenceOf(4), sequenceOf(40)], 512)).toHaveLength(2);
});

test("as much may be padding as is allowed", () => {
  const sequences = [6, 8, 10, 20].map(sequenceOf);
  const shares = (allowed: number) =>
    batchSequences(sequences, 512, allowed).map(({ rows, ids }) => [rows.length, ids.indexOf(0) >= 0]);
  expect(shares(0)).toEqual(sequences.map(() => [1, false]));
  expect(shares(0.2)).toEqual([
    [3, true],
    [1, false],
  ]);
  expect(shares(0.5)).toEqual([[4, true]]);
});

test("no sequences are no batches", () => {
  expect(batchSequences([])).toEqual([]);
});
