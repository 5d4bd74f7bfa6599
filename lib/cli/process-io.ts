import process from "node:process";
import type { CommandIo } from "./run.ts";

/** Exit code of a process whose reader has closed the pipe, as a shell gives it: 128 and SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * This process's environment and streams for a command; SIGINT and SIGTERM abort it, a closed pipe ends the process.
 */
export function processIo(): CommandIo {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => abort.abort());
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit(BROKEN_PIPE);
    });
  }
  return { env: process.env, stdout: process.stdout, stderr: process.stderr, signal: abort.signal };
}
