import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import wabt from "wabt";
import { halfModule, scanModule, sketchModule } from "./modules.ts";

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
