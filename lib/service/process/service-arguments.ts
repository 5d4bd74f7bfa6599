/** What a service says of itself on the command line. */
export type ServiceUsage = {
  /** Its script: `bun run NAME`. */
  name: string;
  /** One line. */
  summary: string;
  /** The variable of its port. */
  portOption: string;
};

/** What is printed in place of running, and how the process then ends. */
export type PrintedInstead = { to: "stdout" | "stderr"; text: string; code: 0 | 2 };

/** Reads the arguments of a service, which takes none but `--help`. Undefined where it is to run. */
export function readServiceArguments(argv: readonly string[], usage: ServiceUsage): PrintedInstead | undefined {
  const [first] = argv;
  if (first === undefined) return undefined;
  if (argv.some((argument) => argument === "--help" || argument === "-h")) {
    return { to: "stdout", text: helpOf(usage), code: 0 };
  }
  const { name } = usage;
  return {
    to: "stderr",
    text: `${name}: unexpected argument: ${first.slice(0, 100)}\nTry: bun run ${name} --help\n`,
    code: 2,
  };
}

function helpOf({ name, summary, portOption }: ServiceUsage): string {
  return `${summary}

Usage: bun run ${name}

Options:
  --help  print this help

Everything else comes from the environment; .env.example lists it. ${portOption} (or PORT) is its port, HOST
its address, DATA_DIR the folder of its state. bun run up starts all services together.

Exit codes: 0 stopped, 1 not started or ended by itself, 2 wrong usage.
`;
}
