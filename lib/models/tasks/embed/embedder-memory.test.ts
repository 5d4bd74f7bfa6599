import { expect, test } from "bun:test";
import { fileURLToPath, URL } from "node:url";

// In a process of its own: what else runs in this one grows, too.
const PROGRAM = fileURLToPath(new URL("./testing-memory.ts", import.meta.url));

test("memory stays flat over 10,000 calls", async () => {
  const child = Bun.spawn([process.execPath, PROGRAM], { stdout: "pipe", stderr: "inherit" });
  const grown = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  expect(grown).toMatch(/^-?\d/);
  expect(Number(grown)).toBeLessThan(40);
});
