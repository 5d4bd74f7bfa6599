import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import wabt from "wabt";
import { dotModule } from "./dot-module.ts";

test("the module that ships is what its source assembles to", async () => {
  const source = readFileSync(join(import.meta.dirname, "dot.wat"), "utf8");
  const parsed = (await wabt()).parseWat("dot.wat", source, { simd: true });
  const { buffer } = parsed.toBinary({ write_debug_names: false });
  parsed.destroy();
  expect(Buffer.from(dotModule).equals(Buffer.from(buffer))).toBe(true);
});
