import process from "node:process";
import { stops } from "../process/run-main.ts";
import type { CommandIo } from "./command.ts";

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
