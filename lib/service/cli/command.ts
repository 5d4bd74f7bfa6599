import process from "node:process";
import { parseArgs } from "node:util";
import { scrub } from "../../std/mod.ts";
import { stops } from "../process/run-main.ts";

/**
 * A switch, a text, a repeatable text, or a whole number within bounds. `help` is one line; `value` names the argument.
 */
type Option =
  | { kind: "flag"; help: string }
  | { kind: "text"; value: string; help: string; default?: string }
  | { kind: "list"; value: string; help: string }
  | { kind: "number"; value: string; help: string; default: number; min: number; max: number };

type Options = Record<string, Option>;

/** Describes what a command receives for each of its options. */
type OptionValues<O extends Options> = {
  [K in keyof O]: O[K] extends { kind: "flag" }
    ? boolean
    : O[K] extends { kind: "number" }
      ? number
      : O[K] extends { kind: "list" }
        ? string[]
        : O[K] extends { kind: "text"; default: string }
          ? string
          : string | undefined;
};

/** Describes where a command writes: standard output, or standard error. */
export type Sink = { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined };

/** Describes what a command is run with; `signal` aborts when the operator interrupts. */
export type CommandContext = {
  env: Record<string, string | undefined>;
  stdout: Sink;
  stderr: Sink;
  signal: AbortSignal;
  /** True with `--json`: standard output then carries one JSON value and nothing else. */
  json: boolean;
};

/** Describes what the process gives a command. */
export type CommandIo = Omit<CommandContext, "json">;

/** An operator command. `run` returns the exit code: 0 done, 1 not (all) done. */
type Command<O extends Options = Options> = {
  /** As typed after `bun run`. */
  name: string;
  /** One line. */
  summary: string;
  /** As shown in the usage line, for instance `FILE…`; "" when the command takes none. */
  positionals: { usage: string; min: number; max: number };
  options: O;
  /** Further paragraphs for `--help`. */
  details?: string;
  run(input: { values: OptionValues<O>; positionals: string[] }, context: CommandContext): Promise<number>;
};

/** A command with its options' types erased, so that different commands fit into one table. */
export type AnyCommand = Omit<Command, "run"> & {
  run(input: { values: OptionValues<Options>; positionals: string[] }, context: CommandContext): Promise<number>;
};

/** Types a command's `run` by its options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command;
}

/** The operator typed something that the command does not take; exit code 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A failure that the message explains in full; exit code 1, no stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Options that every command takes. */
const COMMON = {
  json: { kind: "flag", help: "print the result as one JSON value" },
  help: { kind: "flag", help: "print this help" },
} satisfies Options;

/** A command line, read: the command's own options, the common ones, and the rest. */
type Parsed<O extends Options> = {
  values: OptionValues<O>;
  positionals: string[];
  json: boolean;
  help: boolean;
};

/** Reads `argv` by the command's options. Throws {@link UsageError}. */
export function parse<O extends Options>(command: Command<O>, argv: readonly string[]): Parsed<O> {
  const options: Options = { ...command.options, ...COMMON };
  const { values, positionals } = read(options, argv);
  const common = { json: values.json === true, help: values.help === true };
  const own: Record<string, boolean | number | string | string[] | undefined> = {};
  for (const [name, option] of Object.entries(command.options)) own[name] = typedValue(name, option, values[name]);
  if (!common.help) checkPositionals(command, positionals);
  // Each entry was made by its option's kind, which is what OptionValues<O> says; the compiler cannot follow the loop.
  return { values: own as OptionValues<O>, positionals, ...common };
}

type Raw = string | boolean | (string | boolean)[] | undefined;

function read(options: Options, argv: readonly string[]): { values: Record<string, Raw>; positionals: string[] } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { kind }]) => [
      name,
      kind === "flag" ? { type: "boolean" as const } : { type: "string" as const, multiple: kind === "list" },
    ]),
  );
  try {
    return parseArgs({ args: [...argv], options: config, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? (cause.message.split(". ")[0] ?? "") : String(cause), { cause });
  }
}

function typedValue(name: string, option: Option, raw: Raw): boolean | number | string | string[] | undefined {
  switch (option.kind) {
    case "flag":
      return raw === true;
    case "list":
      return Array.isArray(raw) ? raw.filter((entry) => typeof entry === "string") : [];
    case "text":
      return typeof raw === "string" ? raw : option.default;
    case "number": {
      if (raw === undefined) return option.default;
      const value = Number(raw);
      if (typeof raw === "string" && /^\d+$/.test(raw) && value >= option.min && value <= option.max) return value;
      throw new UsageError(`--${name} takes a whole number from ${option.min} to ${option.max}`);
    }
  }
}

function checkPositionals<O extends Options>(command: Command<O>, given: readonly string[]): void {
  const { usage, min, max } = command.positionals;
  if (given.length < min) throw new UsageError(`${usage} is missing`);
  const extra = given[max];
  if (extra !== undefined) throw new UsageError(`unexpected argument: ${extra}`);
}

/** Returns the text of `--help`, at most 100 columns wide, ending in a line feed. */
export function help<O extends Options>(command: Command<O>): string {
  const { name, summary, positionals, details } = command;
  const options: Options = { ...command.options, ...COMMON };
  const rows = Object.entries(options).map(
    ([key, option]) => [`--${key}${argument(option)}`, describe(option)] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    summary,
    "",
    `Usage: bun run ${name} [options]${positionals.usage === "" ? "" : ` ${positionals.usage}`}`,
    "",
    "Options:",
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(details === undefined ? [] : ["", details.trim()]),
    "",
    "Exit codes: 0 done, 1 not done (or not all of it), 2 wrong usage.",
    "",
  ].join("\n");
}

function argument(option: Option): string {
  return option.kind === "flag" ? "" : `=${option.value}`;
}

function describe(option: Option): string {
  if (option.kind === "list") return `${option.help} (may be repeated)`;
  if (option.kind === "flag" || option.default === undefined) return option.help;
  return `${option.help} (default ${option.default})`;
}

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
