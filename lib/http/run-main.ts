import { explainFailure } from "./failure.ts";

/** Time that `main` has to come to an end after a signal, in milliseconds. */
const DEADLINE_MS = 15_000;

/**
 * Runs a process: `signal` aborts at SIGTERM and SIGINT, and `main` is to come to an end then. Exits 0 when it does,
 * and 1 after one line on standard error when it throws. With `ISNAD_SUPERVISED=1` the end of standard input (the
 * supervisor is gone) counts as a signal.
 */
export async function runMain(main: (signal: AbortSignal) => Promise<void>): Promise<never> {
  const controller = new AbortController();
  const stop = (reason: string): void => {
    if (controller.signal.aborted) return;
    controller.abort(new Error(reason));
    setTimeout(() => fail(new Error(`did not stop within ${DEADLINE_MS / 1000} s`)), DEADLINE_MS).unref();
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  if (process.env.ISNAD_SUPERVISED === "1") {
    process.stdin.on("end", () => stop("the supervisor is gone"));
    process.stdin.on("error", () => stop("the supervisor is gone"));
    process.stdin.resume();
  }
  try {
    await main(controller.signal);
    process.exit(0);
  } catch (error) {
    return fail(error);
  }
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
