import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, URL } from "node:url";

/** A place of a source that builds a pattern of parts: `new RegExp(…)`. */
export type BuildSite = { file: string; line: number; lastLine: number; expression: string };

/** A pattern that was built, written as a literal, and the line that built it. */
export type Build = { file: string; line: number; literal: string };

/** The patterns that modules built while they loaded, and which could not be loaded. */
type Recording = { builds: Build[]; problems: string[] };

const SELF = fileURLToPath(import.meta.url);
const LOAD_TIMEOUT_MS = 120_000;

/** Loads modules of the project at `root` in a process of its own, which has loaded nothing of it before. */
export function recordBuilds(root: string, files: readonly string[]): Recording {
  if (files.length === 0) return { builds: [], problems: [] };
  const folder = mkdtempSync(join(tmpdir(), "isnad-patterns-"));
  try {
    const [input, output] = [join(folder, "files.json"), join(folder, "builds.json")];
    writeFileSync(input, JSON.stringify(files.map((file) => join(root, file))));
    const { status, stderr } = spawnSync(process.execPath, [SELF, input, output, root], {
      encoding: "utf8",
      timeout: LOAD_TIMEOUT_MS,
    });
    if (status !== 0) throw new Error(`the modules could not be loaded: ${stderr}`);
    const recording: Recording = JSON.parse(readFileSync(output, "utf8"));
    return recording;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Makes `RegExp` note each pattern that is built from here on, with the place that builds it. */
function record(root: string): Build[] {
  const builds: Build[] = [];
  const note = (pattern: RegExp): void => {
    const place = placeOf(new Error("here").stack ?? "", root);
    if (place !== undefined) builds.push({ ...place, literal: String(pattern) });
  };
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, args, newTarget) {
      const pattern: RegExp = Reflect.construct(target, args, newTarget);
      note(pattern);
      return pattern;
    },
    apply(target, self, args) {
      const pattern: RegExp = Reflect.apply(target, self, args);
      note(pattern);
      return pattern;
    },
  });
  return builds;
}

/** Returns the first place of a stack that is of the project and not this file; undefined when a library builds. */
function placeOf(stack: string, root: string): { file: string; line: number } | undefined {
  for (const frame of stack.split("\n")) {
    const [, path, line] = /(\/[^:()]*):(\d+):\d+/.exec(frame) ?? [];
    if (path === undefined || path === SELF) continue;
    const file = relative(root, path);
    return file.startsWith("..") || file.includes("node_modules/") ? undefined : { file, line: Number(line) };
  }
  return undefined;
}

if (import.meta.main) {
  const [input = "", output = "", root = ""] = process.argv.slice(2);
  const files: string[] = JSON.parse(readFileSync(input, "utf8"));
  const builds = record(root);
  const problems: string[] = [];
  for (const file of files) {
    try {
      await import(new URL(file, "file:///").href);
    } catch (error) {
      problems.push(`${relative(root, file)}: could not be loaded to see its patterns: ${String(error)}`);
    }
  }
  writeFileSync(output, JSON.stringify({ builds, problems }));
  process.exit(0);
}
