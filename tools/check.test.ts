import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const check = (...names: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, "check.ts"), ...names], { encoding: "utf8" });

test("a check that is named runs alone, and says that it holds", () => {
  const { status, stdout } = check("env");
  expect([status, stdout]).toEqual([0, "== env\nall hold\n"]);
});

test("a name of no check is told with those that there are, before any runs", () => {
  const { status, stdout, stderr } = check("env", "nothing");
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^usage: bun run check \[format\|lint\|types\|\S+\] …\n$/);
});
