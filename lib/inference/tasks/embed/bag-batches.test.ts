import { expect, test } from "bun:test";
import type { Bag } from "./bag.ts";
import { batchBags } from "./bag-batches.ts";

const bagOf = (length: number): Bag => ({
  ids: new Int32Array(length).fill(length),
  weights: new Float32Array(length).fill(1),
});

test("every bag is in exactly one batch", () => {
  const bags = [5, 900, 1, 30, 30, 2000, 7].map(bagOf);
  const rows = batchBags(bags, 1024).flatMap((batch) => [...batch.rows]);
  expect(rows.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test("a batch holds no more cells than allowed, unless one bag alone does", () => {
  const bags = Array.from({ length: 300 }, (_, i) => bagOf(1 + ((i * 37) % 400)));
  for (const batch of batchBags([...bags, bagOf(5000)], 1024)) {
    expect(batch.rows.length === 1 || batch.ids.length <= 1024).toBe(true);
  }
});

test("bags of like length go together, so that little is padding", () => {
  const bags = Array.from({ length: 300 }, (_, i) => bagOf(1 + ((i * 37) % 400)));
  const cells = batchBags(bags, 1024).reduce((sum, batch) => sum + batch.ids.length, 0);
  expect(cells / bags.reduce((sum, bag) => sum + bag.ids.length, 0)).toBeLessThan(1.05);
});

test("padding weighs nothing", () => {
  const [batch] = batchBags([bagOf(2), bagOf(3)], 1024);
  expect(batch?.length).toBe(3);
  expect([...(batch?.weights ?? [])]).toEqual([1, 1, 0, 1, 1, 1]);
});
