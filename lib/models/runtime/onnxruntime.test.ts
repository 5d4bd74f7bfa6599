import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

const PROGRAM = fileURLToPath(new URL("./testing/load-models.ts", import.meta.url));

/** Runs a command in a network of its own, which reaches nothing. */
const ALONE = ["unshare", "--map-root-user", "--net"];
const isAlone = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, "true"]).exitCode === 0;

// Its telemetry looks up a host some nine seconds after it has opened its files, and never without them.
test.skipIf(!isAlone)("loaded models leave no file of telemetry (skipped without a network namespace)", async () => {
  const home = mkdtempSync(join(tmpdir(), "isnad-alone-"));
  const child = Bun.spawn([...ALONE, process.execPath, PROGRAM], {
    // Nothing that a machine of CI or a careful user may have set.
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stdout: "pipe",
    stderr: "inherit",
  });
  expect([await new Response(child.stdout).text(), await child.exited]).toEqual(["loaded", 0]);
  expect(readdirSync(home)).toEqual([]);
  rmSync(home, { recursive: true });
});
