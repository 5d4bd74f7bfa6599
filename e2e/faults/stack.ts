import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Holds what `run.json` says. */
type RunInfo = { urls: Record<string, string>; tokens: { ingest: string }; pids: Record<string, number> };

/** A stack under trial, run by `bun run up` in a process of its own. */
export type Stack = {
  dataDir: string;
  /** The last thing `run.json` said. */
  info(): RunInfo;
  /** Kills the supervisor, then starts another one on the same folder. */
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Ends the stack with SIGTERM. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** The last lines of the log. */
  log(): string;
  /** Those of them that hold a text. */
  linesWith(text: string): string[];
};

/** Lines of the log that are kept. */
const MAX_LOG_LINES = 4_000;

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Starts `up` over all services, or those named, on `dataDir` with ports free now; waits until it is ready. */
export async function startStack(
  dataDir: string,
  env: Record<string, string> = {},
  services: readonly string[] = [],
): Promise<Stack> {
  const program = services.length === 0 ? ["cli/up/main.ts"] : ["cli/up/testing/some-up.ts", ...services];
  const lines: string[] = [];
  let runInfo: RunInfo | undefined;
  let child = await start();

  async function start() {
    const up = spawn(process.execPath, program, {
      cwd: ROOT,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        API_PORT: "0",
        RETRIEVAL_PORT: "0",
        SCRAPER_PORT: "0",
        EDGE_PORT: "0",
        NLP_PORT: "0",
        DATABASE_URL: "",
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      const hear = (line: string) => {
        lines.push(line);
        if (lines.length > MAX_LOG_LINES) lines.shift();
        if (line.startsWith("ready ")) resolve();
      };
      createInterface({ input: up.stdout }).on("line", hear);
      createInterface({ input: up.stderr }).on("line", hear);
      up.once("exit", (code) => reject(new Error(`up ended with ${code}:\n${lines.slice(-20).join("\n")}`)));
    });
    up.removeAllListeners("exit");
    return up;
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    child.kill(signal);
    return ended;
  }

  return {
    dataDir,
    info() {
      try {
        runInfo = JSON.parse(readFileSync(join(dataDir, "run.json"), "utf8"));
      } catch (error) {
        if (!(error instanceof Error) || runInfo === undefined) throw error;
      }
      if (runInfo === undefined) throw new Error("run.json is empty");
      return runInfo;
    },
    async restart(signal) {
      await end(signal);
      child = await start();
    },
    stop: () => end("SIGTERM"),
    log: () => lines.slice(-400).join("\n"),
    linesWith: (text) => lines.filter((line) => line.includes(text)),
  };
}
