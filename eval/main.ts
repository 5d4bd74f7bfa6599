import references from "./references.json" with { type: "json" };
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath, URL } from "node:url";
import { GENRES } from "@isnad/lib/models";
import { CommandError, defineCommand, processIo, runCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { dataFolder } from "./retrieval-sets.ts";
import {
  corpusHash,
  type EvalSet,
  type EvalTask,
  type Figure,
  raiseFloors,
  readFloors,
  underFloors,
  writeFloors,
} from "./task.ts";
import { answersNews } from "./tasks/answers-news.ts";
import { answers } from "./tasks/answers.ts";
import { cases } from "./tasks/cases.ts";
import { checkworthiness } from "./tasks/checkworthiness.ts";
import { claimsMatch } from "./tasks/claims-match.ts";
import { copies } from "./tasks/copies.ts";
import { cross, glossary } from "./tasks/cross.ts";
import { dialect } from "./tasks/dialect.ts";
import { entities } from "./tasks/entities.ts";
import { extraction } from "./tasks/extraction.ts";
import { feeds } from "./tasks/feeds.ts";
import { floor } from "./tasks/floor.ts";
import { knownItem } from "./tasks/known-item.ts";
import { morph } from "./tasks/morph.ts";
import { nerNested } from "./tasks/ner-nested.ts";
import { relations } from "./tasks/relations.ts";
import { rerank } from "./tasks/rerank.ts";
import { embed, hybrid, keyword } from "./tasks/retrieval.ts";
import { stories } from "./tasks/stories.ts";
import { summaries } from "./tasks/summaries.ts";
import { senseCoverage, wsd } from "./tasks/wsd.ts";

/** In the order in which processes take them: the costliest first, so that all end together. */
const TASKS: readonly EvalTask[] = [
  rerank,
  answers,
  answersNews,
  checkworthiness,
  claimsMatch,
  hybrid,
  knownItem,
  floor,
  stories,
  extraction,
  entities,
  nerNested,
  embed,
  copies,
  keyword,
  cross,
  morph,
  wsd,
  senseCoverage,
  relations,
  dialect,
  summaries,
  glossary,
  feeds,
  cases,
];
const FLOORS = fileURLToPath(new URL("floors.json", import.meta.url));

/** `eval`. */
export const evaluate = defineCommand({
  name: "eval",
  summary: "Measures search and models on the public sets, or on one of your own, beside published scores.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    task: { kind: "text", value: "TASK", help: TASKS.map(({ name }) => name).join(", ") },
    data: { kind: "text", value: "PATH", help: "a set of your own, for --task" },
    lang: { kind: "text", value: "ar|en", help: "its language, where the task asks for one" },
    genre: { kind: "text", value: GENRES.join("|"), help: "what its sentences are from, for checkworthiness" },
    out: { kind: "text", value: "FILE", help: "write one prediction a line, in the order of the set" },
    full: { kind: "flag", help: "every question of the sets that are sampled; takes minutes more" },
    update: { kind: "flag", help: "raise the pinned floors to what was measured; never lowers one" },
  },
  details: `Formats of --data:\n${TASKS.map(({ name, formats }) => `  ${name}: ${formats}`).join("\n")}
Without --data the sets of the data folder (ISNAD_SHARED, else ../shared) are measured, and exit code 1 says that a figure is
below its pinned floor.`,
  async run({ values }, { env, stdout, stderr, json, signal }) {
    const { task: name, data: path, out, full } = values;
    if (name !== undefined && !TASKS.some((task) => task.name === name))
      throw new UsageError(`--task: no task ${name}`);
    if (path !== undefined && name === undefined) throw new UsageError("--data needs --task");
    if (out !== undefined && path === undefined) throw new UsageError("--out needs --data");
    const lang = (["ar", "en"] as const).find((each) => each === values.lang);
    if (values.lang !== undefined && lang === undefined) throw new UsageError("--lang: ar or en");
    const genre = GENRES.find((each) => each === values.genre);
    if (values.genre !== undefined && genre === undefined) throw new UsageError(`--genre: ${GENRES.join(" or ")}`);
    if (path !== undefined && !existsSync(path)) throw new CommandError(`${path}: there is no such file or folder`);
    const shared = dataFolder(env);
    if (path === undefined && shared === undefined) {
      stdout.write(json ? "[]\n" : "nothing to measure: no --data, and no data folder at ISNAD_SHARED or ../shared\n");
      return 0;
    }
    const print = (line: Line): void => {
      if (!json) stdout.write(`${row(line)}\n`);
    };
    const task = TASKS.find((each) => each.name === name);
    if (task !== undefined && path !== undefined) {
      const own: EvalSet = {
        set: path,
        path,
        ...(lang !== undefined && { lang }),
        ...(genre !== undefined && { genre }),
      };
      const { lines, predictions } = await measureSets(task, [own], { full, print }).catch(unreadable(path, task));
      if (json) writeJson(stdout, lines);
      if (out !== undefined) writeFileSync(out, predictions.map((line) => `${line}\n`).join(""));
      return 0;
    }
    const sets = task?.sets(shared ?? "", { full }) ?? [];
    if (task !== undefined && sets.length === 0) stderr.write(`${task.name}: skipped, ${shared} has no set of it\n`);
    const lines =
      task === undefined
        ? await measureInProcesses(TASKS, { full, print, env, signal })
        : (await measureSets(task, sets, { full, print })).lines;
    if (json) writeJson(stdout, lines);
    const pinned = readFloors(FLOORS);
    if (values.update) writeFloors(FLOORS, raiseFloors(lines, pinned));
    const problems = values.update ? [] : underFloors(lines, pinned);
    for (const problem of problems) stderr.write(`${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  },
});

/** An error of the file system, which says less than the formats that are read. @throws CommandError, else the error */
function unreadable(path: string, task: EvalTask): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "EISDIR" && code !== "ENOTDIR") throw error;
    throw new CommandError(`${path}: cannot be read; ${task.name} reads ${task.formats}`, { cause: error });
  };
}

/** One line of the table. */
function row({ task, set, size, metric, value, reference }: Line): string {
  const beside = reference === undefined ? "" : `  ${reference.value.toFixed(3)}  ${reference.by}`;
  const figure = value.toFixed(4).padStart(8);
  return `${task.padEnd(17)}${set.padEnd(32)}${String(size).padStart(6)}  ${metric.padEnd(12)}${figure}${beside}`;
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** Limits the processes at a time: more would only compete for memory. */
const MAX_PROCESSES = 4;

/**
 * Measures tasks in processes of their own, as many at a time as there are processors; `print` is called with the lines
 * of each as it ends. Throws CommandError when one of them fails.
 */
export async function measureInProcesses(
  tasks: readonly Pick<EvalTask, "name">[],
  options: {
    full: boolean;
    print: (line: Line) => void;
    env: Record<string, string | undefined>;
    signal?: AbortSignal;
  },
): Promise<Line[]> {
  const waiting = [...tasks];
  const lines: Line[] = [];
  const work = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const measured = await measureInProcess(task.name, options);
      measured.forEach(options.print);
      lines.push(...measured);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PROCESSES, availableParallelism()) }, work));
  return lines;
}

/** The exit code says too whether floors hold; who asked looks at them itself. */
function measureInProcess(
  task: string,
  { full, env, signal }: { full: boolean; env: Record<string, string | undefined>; signal?: AbortSignal },
): Promise<Line[]> {
  const args = [MAIN, "--task", task, "--json", ...(full ? ["--full"] : [])];
  const child = spawn(process.execPath, args, { env, signal, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      chunks[name] += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", () => {
      const lines: unknown = parsed(chunks.stdout);
      if (Array.isArray(lines)) resolve(lines);
      else reject(new CommandError(`${task} failed: ${(chunks.stderr || chunks.stdout).trim().slice(-2000)}`));
    });
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A score that others reached, or the one that the project promises, and where it stands. */
type Reference = { task: string; set: string; metric: string; value: number; by: string };

/** A figure with the size of its set, and what to compare it with. */
export type Line = Figure & { size: number; reference?: Reference };

/**
 * Measures a task on sets, one after the other; `print` is called with each line as it is there. A figure that a set
 * does not tell (a set without labels) has no line. @throws CommandError when a set holds nothing to measure
 */
async function measureSets(
  task: EvalTask,
  sets: readonly EvalSet[],
  { full, print }: { full: boolean; print: (line: Line) => void },
): Promise<{ lines: Line[]; predictions: string[] }> {
  const loaded = await task.load({ full });
  const lines: Line[] = [];
  const predictions: string[] = [];
  try {
    for (const { set, ...rest } of sets) {
      const measured = await loaded.measure({ set, ...rest });
      const corpus = measured.corpus ?? corpusHash(rest.path);
      const figures = Object.entries(measured.figures).filter(([, value]) => Number.isFinite(value));
      if (measured.predictions.length === 0 && (measured.size === 0 || figures.length === 0)) {
        throw new CommandError(`${set}: nothing in it can be measured; ${task.name} reads ${task.formats}`);
      }
      for (const [metric, value] of figures) {
        const reference = referenceOf(task.name, set, metric);
        const line = {
          task: task.name,
          set,
          size: measured.size,
          metric,
          value,
          corpus,
          ...(reference && { reference }),
        };
        lines.push(line);
        print(line);
      }
      predictions.push(...measured.predictions);
    }
  } finally {
    await loaded.close();
  }
  return { lines, predictions };
}

/** The reference of a figure; undefined where none is known. */
function referenceOf(task: string, set: string, metric: string): Reference | undefined {
  return references.find((each) => each.task === task && each.set === set && each.metric === metric);
}

/** `bun run eval`: what the platform's models and its search reach on public sets, or on a set of your own. */

if (import.meta.main) process.exitCode = await runCommand(evaluate, process.argv.slice(2), processIo());
