import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

const check = fileURLToPath(new URL("check-python.ts", import.meta.url));

/** What the check makes of a Python that is this shell script. */
function checkWith(script: string | undefined): { status: number | null; stdout: string } {
  const python = join(mkdtempSync(join(tmpdir(), "python-")), "python");
  if (script !== undefined) {
    writeFileSync(python, `#!/bin/sh\n${script}\n`);
    chmodSync(python, 0o755);
  }
  return spawnSync(process.execPath, [check], { encoding: "utf8", env: { ...process.env, PYTHON: python } });
}

const VERSION = 'case "$2" in *version_info*) echo 3.11; exit;; esac';

test("without Python, or with one too old, the check passes and says that it is skipped", () => {
  for (const script of [undefined, "echo 3.9"]) {
    const { status, stdout } = checkWith(script);
    expect(stdout).toContain("skipped: the checks of nlp/training need Python 3.11");
    expect(status).toBe(0);
  }
});

test("without ruff the formatter and the linter are skipped, and the rest is not", () => {
  const { status, stdout } = checkWith(
    `${VERSION}; case "$1 $2" in "-m "* | "-c import "*) exit 1;; esac; echo "ran $1"`,
  );
  expect(stdout).toMatch(/skipped: formatter and linter need ruff \d/);
  expect(stdout).toContain("ran weights.py\nran run_tests.py\n");
  expect(status).toBe(0);
});

test("one step that fails fails the check, and the others run all the same", () => {
  const { status, stdout } = checkWith(`${VERSION}; [ "$1" = weights.py ] && exit 1; echo "ran $1"`);
  expect(stdout).toContain("ran run_tests.py\n");
  expect(status).toBe(1);
});
