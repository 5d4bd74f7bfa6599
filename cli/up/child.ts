import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { backoffMs } from "@isnad/lib/std";

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
  /** Returns the last line, or "" when there was none. */
  last(): string {
    return this.#lines.at(-1) ?? "";
  }
}

/** A process to keep running. */
type ChildSpec = {
  name: string;
  /** Program and arguments. */
  command: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
};

/** Says how a process ended: its exit code, or the signal that ended it, and the last line that it wrote. */
export type Ending = { code: number | null; signal: string | null; lastLine: string };

/** Holds what the owner of a child wants to hear. */
type ChildEvents = {
  onLine(line: string): void;
  onStart(pid: number): void;
  /** Called at every end that nobody asked for. Returns whether to start the process again. */
  onEnd(ending: Ending): boolean;
};

/** A process that is started again, after a growing pause, whenever it ends by itself. */
export type Child = {
  name: string;
  /** Returns the process id, or undefined while none runs. */
  pid(): number | undefined;
  /**
   * SIGTERM, and SIGKILL when it still runs after `graceMs`. Resolves when it has ended and its last lines were heard,
   * to whether SIGKILL was needed.
   */
  stop(graceMs: number): Promise<{ killed: boolean }>;
  /** Ends the process as `stop` does, and starts it again. */
  restart(graceMs: number): Promise<void>;
};

/** A process that ran this long has started well: the pause before its next start is short again. */
const SETTLED_MS = 30_000;
/** Says how long after its end a process's last lines may still arrive. */
const LAST_LINES_MS = 100;

/**
 * Returns the wait before a process that has ended for the `failures`-th time in a row is started again, in
 * milliseconds.
 */
const restartMs = (failures: number) => backoffMs(failures - 1, { baseMs: 250, maxMs: 10_000 });

/**
 * Starts the process in a session of its own, so that a Ctrl-C at the terminal reaches only the supervisor. Its
 * standard input stays open for as long as the supervisor lives: a child reads the end of it as "stop".
 */
export function keepRunning(spec: ChildSpec, events: ChildEvents, backoff = restartMs): Child {
  const [program = "", ...args] = spec.command;
  let running: { process: ChildProcess; over: Promise<void> } | undefined;
  let restart: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let stopping = false;
  let restarting = false;

  function start(): void {
    const startedAt = performance.now();
    const tail = new Tail();
    const child = spawn(program, args, {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    const end = Promise.withResolvers<void>();
    running = { process: child, over: end.promise };
    const hear = (line: string) => {
      tail.push(line);
      events.onLine(line);
    };
    eachLine(child.stdout, hear);
    eachLine(child.stderr, hear);
    child.stdin.on("error", () => hear("its standard input is closed"));
    let over = false;
    const ended = (code: number | null, signal: string | null) => {
      if (over) return;
      over = true;
      running = undefined;
      end.resolve();
      if (stopping || restarting) return;
      failures = performance.now() - startedAt > SETTLED_MS ? 1 : failures + 1;
      if (events.onEnd({ code, signal, lastLine: tail.last() })) restart = setTimeout(start, backoff(failures));
    };
    child.on("error", (error) => {
      hear(error.message);
      ended(null, null);
    });
    // "close" comes after the last line, but waits for ever when a process of its own has inherited the streams.
    child.on("exit", (code, signal) => setTimeout(ended, LAST_LINES_MS, code, signal));
    child.on("close", ended);
    if (child.pid !== undefined) events.onStart(child.pid);
  }

  async function end(graceMs: number): Promise<{ killed: boolean }> {
    clearTimeout(restart);
    if (running === undefined) return { killed: false };
    const { process, over } = running;
    let killed = false;
    const last = setTimeout(() => {
      killed = process.kill("SIGKILL");
    }, graceMs);
    process.kill("SIGTERM");
    await over;
    clearTimeout(last);
    return { killed };
  }

  start();
  return {
    name: spec.name,
    pid: () => running?.process.pid,
    async stop(graceMs) {
      stopping = true;
      return await end(graceMs);
    },
    async restart(graceMs) {
      if (stopping) return;
      restarting = true;
      await end(graceMs);
      restarting = false;
      if (!stopping) start();
    },
  };
}
