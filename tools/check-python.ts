/**
 * `bun run check python`: formatter, linter, tests and checksums of the Python that trains the models, and tests and
 * types of the Python client. What is not installed is skipped with a line that says so: nobody needs Python to use the
 * platform.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { PYTHON } from "./python.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const training = `${root}nlp/training`;
const client = `${root}clients/python`;
const pinned = /^required-version = "==(.+)"$/m.exec(readFileSync(`${root}ruff.toml`, "utf8"))?.[1] ?? "";

/** Runs Python, its output shown; whether it ended well. */
function run(args: readonly string[], cwd: string, over: Record<string, string> = {}): boolean {
  const env = { ...process.env, ...over, PYTHONDONTWRITEBYTECODE: "1", RUFF_NO_CACHE: "true" };
  return spawnSync(PYTHON, args, { cwd, env, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}

/** Returns what a program prints; undefined when it cannot be run. */
function output(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(PYTHON, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function check(): boolean {
  const version = output(["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]);
  if (version === undefined || Number(version.split(".")[1]) < 11) {
    const actual = version === undefined ? `there is no ${PYTHON}` : `${PYTHON} is ${version}`;
    process.stdout.write(`skipped: the checks of nlp/training need Python 3.11, and ${actual}\n`);
    return true;
  }
  const ruff = output(["-m", "ruff", "--version"]);
  const steps = [() => run(["weights.py"], training), () => run(["run_tests.py"], training)];
  if (ruff === `ruff ${pinned}`) {
    steps.push(() => run(["-m", "ruff", "format", "--check", "."], root));
    steps.push(() => run(["-m", "ruff", "check", "."], root));
  } else {
    const actual = ruff ?? "it is not installed";
    process.stdout.write(
      `skipped: formatter and linter need ruff ${pinned} (pip install ruff==${pinned}), and ${actual}\n`,
    );
  }
  const has = (module: string) => output(["-c", `import ${module}`]) !== undefined;
  if (has("httpx") && has("typing_extensions")) {
    steps.push(() => run(["-m", "unittest", "discover", "-q", "-s", "tests"], client, { PYTHONPATH: "src" }));
  } else process.stdout.write("skipped: tests of the client need httpx and typing_extensions\n");
  if (has("httpx") && has("mypy")) steps.push(() => run(["-m", "mypy", "--strict", "src", "tests"], client));
  else process.stdout.write("skipped: the types of the client need httpx and mypy\n");
  return steps.map((step) => step()).every((passed) => passed);
}

process.exitCode = check() ? 0 : 1;
