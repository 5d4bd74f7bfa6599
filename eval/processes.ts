import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath, URL } from "node:url";
import { CommandError } from "@isnad/lib/service/cli";
import { corpusHash } from "./corpus.ts";
import type { Figure } from "./floors.ts";
import references from "./references.json" with { type: "json" };
import type { EvalSet, EvalTask } from "./task.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

/** More than these would only compete for memory. */
const MOST = 4;

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
  await Promise.all(Array.from({ length: Math.min(MOST, availableParallelism()) }, work));
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
export async function measureSets(
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
