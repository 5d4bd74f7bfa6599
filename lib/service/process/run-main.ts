import { explainFailure } from "./failure.ts";
import { keepFilesPrivate } from "./private-folder.ts";
import { readServiceArguments, type ServiceUsage } from "./service-arguments.ts";
import { stops } from "./stops.ts";

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

/** How long the process may go on taking requests first (`DRAIN_MS`); a wrong setting counts for nothing here. */
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
