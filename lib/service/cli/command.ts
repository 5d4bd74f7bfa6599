/**
 * A switch, a text, a repeatable text, or a whole number within bounds. `help` is one line; `value` names the argument.
 */
export type Option =
  | { kind: "flag"; help: string }
  | { kind: "text"; value: string; help: string; default?: string }
  | { kind: "list"; value: string; help: string }
  | { kind: "number"; value: string; help: string; default: number; min: number; max: number };

export type Options = Record<string, Option>;

/** Describes what a command receives for each of its options. */
export type OptionValues<O extends Options> = {
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
