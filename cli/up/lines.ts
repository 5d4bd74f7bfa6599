import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The columns of a name in front of a log line. */
const NAME_WIDTH = 10;

/** `line` with the name of its process in front, ending in a newline. */
export function prefixed(name: string, line: string): string {
  return `${name.padEnd(NAME_WIDTH)}| ${line}\n`;
}

/** Calls `onLine` with each whole line of `stream`, also with a last one that lacks its newline. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", onLine);
}

/**
 * Lines around an error that do not say what it is: empty ones, the stack, the caret under the source, the runtime's
 * version.
 */
const NOISE = /^(?:\^|at .*|Bun v.*)?$/;

/** Keeps the last few lines of a process that say something, for the message about its end. */
export class Tail {
  #lines: string[] = [];
  #size: number;
  constructor(size = 20) {
    this.#size = size;
  }
  push(line: string): void {
    if (NOISE.test(line.trim())) return;
    this.#lines.push(line);
    if (this.#lines.length > this.#size) this.#lines.shift();
  }
  /** The last line, or "" when there was none. */
  last(): string {
    return this.#lines.at(-1) ?? "";
  }
}
