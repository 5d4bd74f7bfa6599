import { parseArgs } from "node:util";

/**
 * A switch, a text, a repeatable text, or a whole number within bounds. `help` is one line; `value` names the argument.
 */
type Option =
  | { kind: "flag"; help: string }
  | { kind: "text"; value: string; help: string; default?: string }
  | { kind: "list"; value: string; help: string }
  | { kind: "number"; value: string; help: string; default: number; min: number; max: number };

export type Options = Record<string, Option>;

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
export type Command<O extends Options = Options> = {
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
