import { expect, test } from "bun:test";
import { packed, readPacked, VarintWriter } from "./postings.ts";

test("numbers of every size are read as they were packed, the common ones in 16 bits", () => {
  const numbers = [0, 1, 127, 128, 61_439, 61_440, 65_535, 65_536, 1_000_000, 2 ** 28 - 1, 7];
  const writer = new VarintWriter();
  for (const number of numbers) writer.write(number);
  const units = packed(writer.take());
  expect(units).toHaveLength(numbers.length + 5);
  const read = new Uint32Array(units.length);
  expect(readPacked(units, 0, units.length, read)).toBe(numbers.length);
  expect([...read.subarray(0, numbers.length)]).toEqual(numbers);
});
