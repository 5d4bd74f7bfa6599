import process from "node:process";
import { type DestinationStream, destination } from "pino";

/** How long a line waits for others, in milliseconds. */
const HOLD_MS = 20;
/** Characters that wait at most. */
const MOST = 16_384;
/** Pino's number of the level `info`: what is more is written at once. */
const INFO = 30;

/** Where lines go that are written together. */
export type LinesOptions = { write(lines: string): void; holdMs?: number; most?: number };

/** Takes lines, and writes what it still holds with `flush`. */
export type Lines = DestinationStream & { flush(): void };

/**
 * Gathers log lines for some milliseconds and writes them together: a write to a pipe takes longer than to make the
 * line. A line above level `info`, and what was held before it, is written before `write` returns.
 */
export function gatherLines({ write, holdMs = HOLD_MS, most = MOST }: LinesOptions): Lines {
  let held = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lines = {
    /** Has pino leave the level of each line here. */
    [Symbol.for("pino.metadata")]: true,
    lastLevel: INFO,
    write(line: string): void {
      held += line;
      if (lines.lastLevel > INFO || held.length >= most) lines.flush();
      else timer ??= setTimeout(() => lines.flush(), holdMs).unref();
    },
    flush(): void {
      clearTimeout(timer);
      timer = undefined;
      const all = held;
      held = "";
      if (all !== "") write(all);
    },
  };
  return lines;
}

let output: Lines | undefined;

/**
 * Standard output, for all loggers of the process. At its end, whatever ends it but SIGKILL and a fault of native code,
 * everything is written; those lose what was logged at level `info` and below within the last 20 ms.
 */
export function standardOutput(): Lines {
  if (output === undefined) {
    const stream = destination({ dest: 1, sync: true });
    const lines = gatherLines({ write: (text) => void stream.write(text) });
    process.on("exit", () => lines.flush());
    output = lines;
  }
  return output;
}
