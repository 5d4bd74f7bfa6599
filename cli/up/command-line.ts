import { UsageError } from "../../lib/service/cli/command.ts";

/** Holds what `up` is asked for: processes of each service, as `readScale` takes them, or its help. */
export type CommandLine = { scale?: string | undefined; help?: true };

/** The text of `bun run up --help`. */
export const HELP = `Starts the whole stack: database, migrations, every service; stops it on Ctrl-C.

Usage: bun run up [options]

Options:
  --scale=SERVICE=N[,SERVICE=N…]  processes of each service (default one; also UP_SCALE)
  --help                          print this help

Everything else comes from the environment; .env.example lists it. Once every service answers, one line says ready and
the URLs; run.json in DATA_DIR has the URLs, the tokens and the process ids. SIGUSR2 starts every process anew.

Exit codes: 0 stopped, 1 not started or ended by itself, 2 wrong usage.
`;

/** Reads the command line of `up`. Throws {@link UsageError}. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  if (argv.includes("--help")) return { help: true };
  const [first, value, ...more] = argv.flatMap((argument) =>
    argument.startsWith("--scale=") ? ["--scale", argument.slice("--scale=".length)] : [argument],
  );
  if (first === undefined) return {};
  if (first === "--scale" && value !== undefined && more.length === 0) return { scale: value };
  throw new UsageError("up takes --scale SERVICE=N[,SERVICE=N…], and everything else from the environment");
}
