import type { CommandIo } from "./command.ts";

/** A command's surroundings that remember what was written; `tty` makes standard error a terminal. */
export function captureIo(env: Record<string, string | undefined> = {}, { tty = false } = {}): Captured {
  const out: string[] = [];
  const err: string[] = [];
  const abort = new AbortController();
  return {
    io: {
      env,
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text), isTTY: tty, columns: 100 },
      signal: abort.signal,
    },
    out: () => out.join(""),
    err: () => err.join(""),
    interrupt: () => abort.abort(),
  };
}

/** Describes what {@link captureIo} gives: the surroundings, and what came out of them so far. */
type Captured = { io: CommandIo; out(): string; err(): string; interrupt(): void };
