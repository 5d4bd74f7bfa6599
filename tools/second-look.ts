import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { Parser } from "htmlparser2";

/** Sets how long a test may take, in milliseconds: many times what it takes on a machine that is idle. */
const TEST_MS = 300_000;

/** Holds the exit code of a run that was interrupted. */
const INTERRUPTED = 130;

/** Says by its exit code that tests failed; one that was interrupted has another. */
const FAILED = 1;

/**
 * Sets after how many milliseconds Bun collects garbage by itself, for processes that hold the models and lexicons of
 * many files: each second, as it would, costs one that waits three hundredths of a processor. A heap that grows is
 * collected as ever.
 */
const COLLECT_MS = 30_000;

/** Sets how many files are looked at once more: where more fail, it was not by chance. */
const MAX_FILES = 8;

type FileResult = { passed: number; failed: string[] };

/** Says where the tests are, and takes what they say. */
type Place = { root: string; write(text: string): void };

/** The same, and how many processes run them at a time. */
type TestRun = Place & { processes?: number };

/**
 * Runs `bun test` with these arguments in several processes at a time. A file that fails is run once more alone: one
 * that passes then is named, and does not fail the run; the summary at the end counts its second run. Returns the exit
 * code.
 */
export async function runTests(args: readonly string[], { root, write, processes = 3 }: TestRun): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-report-"));
  const report = join(dir, "report.xml");
  try {
    const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
    const first = await bunTest([`--parallel=${processes}`, "--no-isolate", ...reporting, ...args], { root, write });
    if (first.code !== FAILED || args.some((arg) => arg.startsWith("--bail"))) return first.code;
    const files = existsSync(report) ? resultsOf(readFileSync(report, "utf8")) : new Map<string, FileResult>();
    const failing = [...files].filter(([, { failed }]) => failed.length > 0);
    // What the report does not tell of, as of a file that cannot be loaded, is no race.
    const told = failing.reduce((sum, [, { failed }]) => sum + failed.length, 0);
    const isWhole = told === countIn(first.output, "fail");
    if (files.size < 2 || failing.length === 0 || !isWhole || failing.length > MAX_FILES) return first.code;
    return await lookAgain(files, failing, { root, write });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function lookAgain(
  files: ReadonlyMap<string, FileResult>,
  failing: readonly [string, FileResult][],
  { root, write }: Place,
): Promise<number> {
  const passedAlone: string[] = [];
  let [passed, failed] = [0, 0];
  for (const result of files.values()) if (result.failed.length === 0) passed += result.passed;
  for (const [file, result] of failing) {
    write(`\n== ${file} failed beside others, and is run alone: ${result.failed.join("; ")}\n`);
    const second = await bunTest([`./${file}`], { root, write });
    passed += countIn(second.output, "pass");
    if (second.code === INTERRUPTED) return second.code;
    // One that ends its process counts nothing.
    if (second.code !== 0) failed += Math.max(1, countIn(second.output, "fail"));
    else passedAlone.push(file);
  }
  write("\n");
  if (passedAlone.length > 0) {
    const which = passedAlone.join(", ");
    write(
      `${passedAlone.length} ${passedAlone.length === 1 ? "file" : "files"} failed beside others and passed alone: ${which}\n`,
    );
  }
  write(`\n ${passed} pass\n ${failed} fail\n`);
  return failed === 0 ? 0 : 1;
}

/** Returns how many tests passed or failed, as the last summary in an output says; 0 where there is none. */
function countIn(output: string, what: "pass" | "fail"): number {
  return Number([...output.matchAll(new RegExp(`^ *(\\d+) ${what}$`, "gm"))].at(-1)?.[1] ?? 0);
}

/** Runs `bun test`, passing on what it says; what ends this process ends it, too. */
async function bunTest(args: readonly string[], { root, write }: Place): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ["test", "--timeout", String(TEST_MS), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      BUN_GC_TIMER_INTERVAL: String(COLLECT_MS),
      ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      write(text);
    });
  }
  let isInterrupted = false;
  const interrupt = (signal: NodeJS.Signals) => {
    isInterrupted = true;
    // It gets Ctrl-C as well.
    if (signal === "SIGTERM") child.kill(signal);
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on("close", (code) => resolve(code ?? 1));
  const code = await promise;
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  return { code: isInterrupted ? INTERRUPTED : code, output: stripVTControlCharacters(output) };
}

/** Reads a report in the form of JUnit: of each file how many tests passed, and the names of those that did not. */
function resultsOf(xml: string): Map<string, FileResult> {
  const files = new Map<string, FileResult>();
  let test: { name: string; file: string; outcome: "passed" | "failed" | "skipped" } | undefined;
  const parser = new Parser(
    {
      onopentag(tag, { name = "", file = "" }) {
        if (tag === "testcase") test = { name, file, outcome: "passed" };
        else if (tag === "failure" && test !== undefined) test.outcome = "failed";
        else if (tag === "skipped" && test !== undefined) test.outcome = "skipped";
      },
      onclosetag(tag) {
        if (tag !== "testcase" || test === undefined) return;
        const result = files.get(test.file) ?? { passed: 0, failed: [] };
        if (test.outcome === "passed") result.passed++;
        else if (test.outcome === "failed") result.failed.push(test.name);
        files.set(test.file, result);
        test = undefined;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return files;
}
