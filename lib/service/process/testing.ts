import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath, type URL } from "node:url";

/** A line of a service's log. */
export type LogLine = Record<string, unknown>;

/** A service as a process of its own. */
export type ServiceProcess = {
  child: ChildProcess;
  /** Log lines so far. */
  lines: LogLine[];
  /**
   * The first line with this message, also one that is still to come; rejects with what the process said when it ends
   * without it.
   */
  said(msg: string): Promise<LogLine>;
  /** Ends the process; resolves to its exit code, null after a signal that it does not handle. */
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Resolves once it has ended by itself or otherwise: its exit code, and what it wrote to standard error. */
  ended: Promise<{ code: number | null; errors: string }>;
};

/**
 * Starts the file `main` with the environment `env`, PATH, and nothing else. Its output is taken to the end, or it
 * could not go on.
 */
export function spawnService(main: URL, env: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: LogLine[] = [];
  const waiting = new Set<{ msg: string; resolve(line: LogLine): void }>();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line: LogLine = JSON.parse(text);
    lines.push(line);
    for (const { msg, resolve } of waiting) if (msg === line.msg) resolve(line);
  });
  const ended = once(child, "close").then(() => ({ code: child.exitCode, errors }));
  return {
    child,
    lines,
    ended,
    said(msg) {
      const earlierLine = lines.find((line) => line.msg === msg);
      if (earlierLine !== undefined) return Promise.resolve(earlierLine);
      return new Promise((resolve, reject) => {
        waiting.add({ msg, resolve });
        ended.then(() => reject(new Error(`the process ended: ${errors}`)), reject);
      });
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return (await ended).code;
    },
  };
}
