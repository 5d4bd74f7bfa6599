import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "./services.ts";

test("the command line takes --scale alone, or --help", () => {
  expect(readCommandLine([])).toEqual({});
  expect(readCommandLine(["--scale", "api=2"])).toEqual({ scale: "api=2" });
  expect(readCommandLine(["--scale=api=2"])).toEqual({ scale: "api=2" });
  expect(readCommandLine(["--help"])).toEqual({ help: true });
  for (const wrong of [["--scale"], ["api=2"], ["--scale", "api=2", "more"]]) {
    expect(() => readCommandLine(wrong)).toThrow("up takes --scale");
  }
});

test("asked for help it starts nothing and ends with 0, and after wrong usage with 2", () => {
  const run = (...argv: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...argv], {
      encoding: "utf8",
      env: { ...process.env, DATA_DIR: "/nonexistent/isnad" },
    });
  expect(run("--help")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Usage: bun run up") });
  const wrong = run("--bogus");
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("Try: bun run up --help")]);
});
