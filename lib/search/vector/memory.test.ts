import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import wabt from "wabt";
import { grown, halfModule, scanModule, sketchModule } from "./memory.ts";

const make = (length: number) => new Int32Array(length);

describe("grown()", () => {
  test("gives the same array while it is long enough", () => {
    const array = Int32Array.of(1, 2, 3);
    expect(grown(array, 3, make)).toBe(array);
  });

  test("keeps the elements and grows by half at least, so that adding one by one stays linear", () => {
    const array = grown(Int32Array.of(1, 2), 3, make);
    expect([...array.subarray(0, 3)]).toEqual([1, 2, 0]);
    expect(grown(array, array.length + 1, make).length).toBeGreaterThanOrEqual(array.length * 1.5);
    expect(grown(array, 1_000_000, make).length).toBe(1_000_000);
  });
});

test.each([
  ["scan", scanModule],
  ["half", halfModule],
  ["sketch", sketchModule],
])("the module %s that ships is what its source assembles to", async (name, module) => {
  const source = readFileSync(join(import.meta.dirname, `${name}.wat`), "utf8");
  const parsed = (await wabt()).parseWat(`${name}.wat`, source, { simd: true });
  const { buffer } = parsed.toBinary({ write_debug_names: false });
  parsed.destroy();
  expect(Buffer.from(module).equals(Buffer.from(buffer))).toBe(true);
});

test("the module for every machine has no 128-bit instructions", async () => {
  const parsed = (await wabt()).readWasm(halfModule, { simd: false });
  expect(() => parsed.validate()).not.toThrow();
  parsed.destroy();
});
