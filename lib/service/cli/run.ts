import process from "node:process";
import { scrub } from "../../std/mod.ts";
import { stops } from "../process/run-main.ts";
import {
  type AnyCommand,
  type Command,
  CommandError,
  type CommandIo,
  help,
  type Options,
  parse,
  type Sink,
  UsageError,
} from "./command.ts";

/**
 * Runs a command with the arguments after its name and returns the exit code: 0 done, 1 failed, 2 wrong usage.
 * Errors become one line on standard error, and with `--json` an object with `error` on standard output.
 */
export async function runCommand<O extends Options>(
  command: Command<O>,
  argv: readonly string[],
  io: CommandIo,
): Promise<number> {
  let json = argv.includes("--json");
  try {
    const parsed = parse(command, argv);
    if (parsed.help) {
      io.stdout.write(help(command));
      return 0;
    }
    json = parsed.json;
    return await command.run(parsed, { ...io, json });
  } catch (error) {
    if (json) writeJson(io.stdout, { error: { type: nameOf(error), message: explain(error) } });
    io.stderr.write(`${command.name}: ${explain(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    io.stderr.write(`Try: bun run ${command.name} --help\n`);
    return 2;
  }
}

/** Writes one JSON value and a line feed. */
export function writeJson(sink: Sink, value: unknown): void {
  sink.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Returns an error as one line: its message, and its cause's where that says more. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return scrub(String(error));
  const own = scrub(error.message).replace(/\s+/g, " ").trim() || error.name;
  if (error instanceof CommandError || error instanceof UsageError || error.cause === undefined) return own;
  const cause = explain(error.cause);
  return own.includes(cause) ? own : `${own} (${cause})`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "Error";
}

/** Commands by name; each is loaded when it is called. */
export type CommandTable = Record<string, () => Promise<AnyCommand>>;

/**
 * Runs the command that the process was started with the name of, and sets its exit code; SIGINT and SIGTERM abort it.
 */
export async function dispatch(commands: CommandTable): Promise<void> {
  const [name = "", ...argv] = process.argv.slice(2);
  const command = await commands[name]?.();
  if (command === undefined) {
    process.stderr.write(`${name || "a command"}: unknown; there are ${Object.keys(commands).join(", ")}\n`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = await runCommand(command, argv, processIo());
}

/** A line that is redrawn in place; silent where the sink is no terminal. */
type Progress = {
  /** `done` of `total` (unknown when undefined), with a few words after the bar. Draws at most ten times a second. */
  update(done: number, total: number | undefined, words: string): void;
  /** Clears the line, so that what is printed next starts at the margin. */
  clear(): void;
};

const CLEAR = "\r\u001B[2K";
const BAR = 24;
const INTERVAL_MS = 100;

/** Returns a progress line on `sink`; `now` is the clock in milliseconds. */
export function createProgress(sink: Sink, now: () => number = () => performance.now()): Progress {
  if (sink.isTTY !== true) return { update() {}, clear() {} };
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown = false;
  return {
    update(done, total, words) {
      const time = now();
      if (time - drawnAt < INTERVAL_MS && done !== total) return;
      drawnAt = time;
      shown = true;
      sink.write(CLEAR + bar(done, total, words).slice(0, (sink.columns ?? 80) - 1));
    },
    clear() {
      if (shown) sink.write(CLEAR);
      shown = false;
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** One progress line: bar and per cent when `total` is known, else the count alone. */
export function bar(done: number, total: number | undefined, words: string): string {
  if (total === undefined || total <= 0) return words;
  const share = Math.min(1, Math.max(0, done / total));
  const full = Math.floor(share * BAR);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}] ${percent}%  ${words}`;
}

/** Exit code of a process whose reader has closed the pipe, as a shell gives it: 128 and SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * This process's environment and streams for a command; SIGINT and SIGTERM abort it, a second one, half a second after
 * the first or later, ends the process at once, as does a closed pipe.
 */
export function processIo(): CommandIo {
  const abort = new AbortController();
  const stop = stops(
    () => abort.abort(),
    () => process.exit(1),
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(signal));
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(BROKEN_PIPE);
    });
  }
  return { env: process.env, stdout: process.stdout, stderr: process.stderr, signal: abort.signal };
}
