import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { CommandError } from "@isnad/lib/service/cli";

/** The stack as a child process: `bun run up`. */
export type DemoStack = {
  /** Resolves when every service answers; rejects with CommandError when the stack ends before. */
  ready: Promise<void>;
  /** Resolves when the stack has ended by itself. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts `command` (`bun cli/up/main.ts`), which prints a `ready` line; its output goes to `logFile`. */
export function startStack(
  command: readonly [string, ...string[]],
  { cwd, env, logFile }: { cwd: string; env: Record<string, string | undefined>; logFile: string },
): DemoStack {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const [program, ...args] = command;
  // Supervised: it stops when its standard input closes, so it never outlives the demo, however that ends.
  const child = spawn(program, args, { cwd, env: { ...env, ISNAD_SUPERVISED: "1" }, stdio: ["pipe", "pipe", "pipe"] });
  // A log that cannot be written, on a full disk, is lost; the stack says itself what it cannot do without.
  log.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      if (log.closed) return resolve();
      log.once("close", resolve).end();
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    let last = "";
    const onLine = (line: string) => {
      log.write(`${line}\n`);
      if (line.startsWith("ready")) resolve();
      if (line.trim() !== "") last = line.trim();
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", onLine);
    child.once("error", (cause) => reject(new CommandError(`the stack cannot be started: ${cause.message}`)));
    child.once("close", () => {
      reject(new CommandError(last === "" ? "the stack ended at once" : `the stack ended: ${last}`));
    });
  });
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
