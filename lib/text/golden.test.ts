import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { goldenHash } from "./testing-golden.ts";

test("the text functions give the same under Deno", async () => {
  const file = fileURLToPath(new URL("testing-golden.ts", import.meta.url));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const deno = Bun.spawn(["bunx", "deno", "run", "--allow-read", "--allow-env", "--no-prompt", file], {
    cwd: root,
    stderr: "pipe",
  });
  const [printed, errors, code] = await Promise.all([
    new Response(deno.stdout).text(),
    new Response(deno.stderr).text(),
    deno.exited,
  ]);
  expect({ code, errors: code === 0 ? "" : errors }).toEqual({ code: 0, errors: "" });
  expect(printed.trim()).toBe(goldenHash());
}, 300_000);
