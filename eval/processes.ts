import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath, URL } from "node:url";
import { CommandError } from "@isnad/lib/service/cli";
import type { Line } from "./measure.ts";
import type { EvalTask } from "./task.ts";

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
