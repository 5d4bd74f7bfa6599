import { explainFailure } from "./failure.ts";
import { keepFilesPrivate } from "./files.ts";

/** Describes what a service says of itself on the command line. */
type ServiceUsage = {
  /** Its script: `bun run NAME`. */
  name: string;
  /** One line. */
  summary: string;
  /** The variable of its port. */
  portOption: string;
};

/** Describes what is printed in place of running, and how the process then ends. */
type PrintedInstead = { to: "stdout" | "stderr"; text: string; code: 0 | 2 };

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

/** So soon after the first, in ms, a stop is the same one: Ctrl-C reaches all of a terminal, and npm passes it on. */
const SAME_MS = 500;

/**
 * Makes what each signal to stop is told to, with its reason: `first` is called once; `again` for one that comes half a
 * second after that, or later, from somebody who does not want to wait.
 */
export function stops(first: (reason: string) => void, again: () => void): (reason: string) => void {
  let firstAt: number | undefined;
  return (reason) => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first(reason);
    } else if (performance.now() - firstAt >= SAME_MS) again();
  };
}

/** Holds what is still to be done when this process ends. */
const lastActs = new Set<() => void>();

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Has `act`, which waits for nothing, done when the process ends: by itself, or by a signal that nobody else listens
 * for. Returns what takes that back.
 */
export function onEnd(act: () => void): () => void {
  if (lastActs.size === 0) {
    process.on("exit", actLast);
    for (const signal of SIGNALS) process.on(signal, endBy);
  }
  lastActs.add(act);
  return () => {
    lastActs.delete(act);
    if (lastActs.size > 0) return;
    process.off("exit", actLast);
    for (const signal of SIGNALS) process.off(signal, endBy);
  };
}

function actLast(): void {
  for (const act of lastActs) act();
  lastActs.clear();
}

function endBy(signal: NodeJS.Signals): void {
  // Whoever listens, too, brings the process to its end.
  if (process.listenerCount(signal) > 1) return;
  actLast();
  process.off(signal, endBy);
  process.kill(process.pid, signal);
}

/** Time that `main` has to come to an end after a signal, in milliseconds: the grace of requests and some more. */
const DEADLINE_MS = 15_000;

/**
 * Runs a process; what it makes is for its own user alone. `signal` aborts at SIGTERM, SIGINT and SIGHUP (its terminal
 * was closed), and `main` is to come to an end then. Exits 0 when it does, and 1 after one line on standard error when
 * it throws. With `ISNAD_SUPERVISED=1` the end of standard input (the supervisor is gone) counts as a signal. A second
 * signal, half a second after the first or later, ends the process at once. With `usage` the arguments are read first:
 * `--help` is printed, and what a service does not take is exit code 2.
 */
export async function runMain(main: (signal: AbortSignal) => Promise<void>, usage?: ServiceUsage): Promise<never> {
  if (usage !== undefined) answerArguments(usage);
  keepFilesPrivate();
  const controller = new AbortController();
  const stop = stops(
    (reason) => {
      controller.abort(new Error(reason));
      const deadlineMs = DEADLINE_MS + drainMs();
      setTimeout(() => fail(new Error(`did not stop within ${deadlineMs / 1000} s`)), deadlineMs).unref();
    },
    () => process.exit(1),
  );
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("SIGHUP", () => stop("SIGHUP"));
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  if (process.env.ISNAD_SUPERVISED === "1") watchSupervisor(() => stop("the supervisor is gone"));
  try {
    await main(controller.signal);
    process.exit(0);
  } catch (error) {
    // What was interrupted by the signal did not fail.
    if (controller.signal.aborted && isAbort(error, controller.signal)) process.exit(0);
    return isBug(error) ? crash(error) : fail(error);
  }
}

function answerArguments(usage: ServiceUsage): void {
  const printed = readServiceArguments(process.argv.slice(2), usage);
  if (printed === undefined) return;
  process[printed.to].write(printed.text);
  process.exit(printed.code);
}

/**
 * Returns how long the process may go on taking requests first (`DRAIN_MS`); a wrong setting counts for nothing here.
 */
function drainMs(): number {
  const given = Number(process.env.DRAIN_MS ?? 0);
  return given > 0 && given <= 60_000 ? given : 0;
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function watchSupervisor(gone: () => void): void {
  const once = (() => {
    let called = false;
    return () => {
      if (!called) gone();
      called = true;
    };
  })();
  for (const event of ["end", "close", "error"]) process.stdin.on(event, once);
  process.stdin.resume();
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}

/** Errors of the language itself: the code is wrong, not the machine it runs on. */
function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

/** Ends the process with the line and the stack that the developers need. */
function crash(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`);
  if (error instanceof Error && error.stack !== undefined) process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
