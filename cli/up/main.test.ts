import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// That it comes up and ends is shown by the demo, which starts it.
test("a port in use is one line, exit code 1, and nothing left running", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "isnad-stack-"));
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const up = Bun.spawn([process.execPath, join(import.meta.dirname, "main.ts")], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, API_PORT: String(other.port) },
    stdin: "ignore",
    stderr: "pipe",
  });
  expect(await up.exited).toBe(1);
  expect(await new Response(up.stderr).text()).toBe(`port ${other.port} (API_PORT) is in use\n`);
  expect(existsSync(join(dataDir, "postgres", "cluster", "postmaster.pid"))).toBe(false);
  await other.stop(true);
  rmSync(dataDir, { recursive: true, force: true });
}, 300_000);
