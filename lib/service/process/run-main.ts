import { errorMessage, scrub } from "../../std/mod.ts";
import { keepFilesPrivate } from "./files.ts";

/** One line that tells an operator what is wrong and what to do about it. */
export function explainFailure(error: unknown): string {
  // What failed first counts; what failed while cleaning up after it does not.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  for (let at = error; at instanceof Error; at = at.cause) {
    const failure = knownFailure(at);
    if (failure !== undefined) return failure;
  }
  return scrub(errorMessage(error)).replace(/\s+/g, " ").trim();
}

/** SQLite's result codes for a database that cannot be written and for a full disk. */
const SQLITE = { readonly: 8, full: 13 };

/** PostgreSQL's SQLSTATE for a full disk. */
const DISK_FULL = "53100";

function knownFailure(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  const errcode = "errcode" in error ? error.errcode : undefined;
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === DISK_FULL || errcode === SQLITE.full) {
    return `the disk is full${path === undefined ? "" : ` (${path})`}: free space and start again`;
  }
  const unwritable = code === "EROFS" || code === "EACCES" || code === "EPERM";
  if ((unwritable && path !== undefined) || errcode === SQLITE.readonly) {
    return `${path ?? "the data folder"} cannot be written: check DATA_DIR and its permissions`;
  }
  return undefined;
}

/** Returns the five-character SQLSTATE or the driver's code of `error`, "" where it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

const lostConnection = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * Time limits: of the pool, kept by the server or, where that is silent, by the driver (whether it was done is open
 * then), and the server's own for waiting for a lock and for a whole transaction.
 */
const timedOut = new Set(["57014", "QUERY_TIMEOUT", "55P03", "25P04"]);

/** A server that takes no writes: a standby, or one whose place another has taken. */
const READ_ONLY = "25006";

/**
 * Tells whether `error` says that Postgres cannot serve now, through no fault of the statement: the connection was lost
 * or refused, the server stops, starts or recovers (class 57P), it has run out of a resource (class 53), it takes no
 * writes for now, or it did not answer within a time limit. Such an operation may be tried again later.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (isConnectionLost(error) || timedOut.has(code) || code === READ_ONLY) return true;
  if (/^(53...|58...)$/.test(code)) return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isUnavailable);
}

/** Why a database that answers takes no writes. */
export type Refusal = "read-only" | "locked" | "full";

const REFUSALS: Record<string, Refusal> = { [READ_ONLY]: "read-only", "55P03": "locked", "53100": "full" };

/** Returns the reason for which the database refused to write, if `error` says so. */
export function refusalOf(error: unknown): Refusal | undefined {
  return REFUSALS[codeOf(error)];
}

/**
 * Tells whether the connection was lost or could not be made: what was sent over it may or may not have been done. A
 * server also ends one that was silent within a transaction for longer than it allows (25P03).
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return lostConnection.has(code) || /^(08...|57P0[1-5]|25P03)$/.test(code);
}

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
