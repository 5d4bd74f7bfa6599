import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { backoffMs } from "@isnad/lib/std";
import { portFault } from "../../lib/std/ports.ts";
import { missingIn, untilAnswers } from "./services.ts";

/** A process to start: its command, the port it will listen on, and where it answers. */
export type StackService = {
  /** Unique name: `api`, or `api-2` where there are several. */
  name: string;
  command: readonly string[];
  portOption: string;
  port: number;
  healthPath: string;
  /** The address it listens on, where that is not the stack's. */
  host?: string;
  /** Environment variables of this process, beside those that all processes get. */
  env?: Record<string, string>;
  /** Environment variables that the process gets unless they are set. */
  defaults?: Readonly<Record<string, string>>;
};

type StackOptions = {
  services: readonly StackService[];
  /** The address the services listen on. */
  host: string;
  cwd: string;
  env: Record<string, string | undefined>;
  /** Takes the log: lines that end in a newline. */
  write(text: string): void;
  /** Called whenever a process has started, also again after a crash. */
  onPid?(name: string, pid: number): void;
  backoff?: (failures: number) => number;
  /** Between two lines that say what a service waits for, in milliseconds. */
  sayEveryMs?: number;
};

/** A running stack. `failed` rejects when a service cannot be brought up; `stop` ends all of it. */
type Stack = {
  ready: Promise<void>;
  pids(): Record<string, number>;
  /**
   * Ends this process and starts it again; resolves once it answers. One that does not come up again keeps being tried.
   */
  restart(name: string, graceMs: number): Promise<void>;
  /**
   * Ends every service. Resolves to the names of those that had to be killed, because they had not ended after
   * `graceMs`.
   */
  stop(graceMs: number): Promise<string[]>;
};

/** Something that keeps the stack from starting; the message is one line for the operator. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Between two questions whether a service that answers is ready, in milliseconds: each no is a line of its log. */
const READY_EVERY_MS = 2_000;
/** Between two lines that say what a service waits for before it is ready, in milliseconds. */
const SAY_EVERY_MS = 10_000;
/** Ends of a service before it was ready once: after this many the stack gives up. */
const TRIES = 3;

/** Throws {@link StartError} naming the first service whose port cannot be listened on. */
export async function refusePortsInUse(
  host: string,
  services: readonly Pick<StackService, "name" | "port" | "portOption" | "host">[],
): Promise<void> {
  for (const [i, { port, portOption, host: own = host }] of services.entries()) {
    const other = services.slice(0, i).find((each) => each.port === port && (each.host ?? host) === own);
    if (other === undefined) continue;
    throw new StartError(
      `${other.portOption} and ${portOption} are both ${port}: each service needs a port of its own`,
    );
  }
  const faults = await Promise.all(services.map((service) => portFault(service.host ?? host, service.port)));
  services.forEach(({ name, port, portOption, host: own = host }, i) => {
    const fault = faults[i];
    if (fault === "EADDRINUSE") throw new StartError(`port ${port} (${portOption}) is in use`);
    if (fault) throw new StartError(`${name} cannot listen on ${own}:${port} (${portOption}): ${fault}`);
  });
}

/**
 * Starts every service at once and keeps each running, with a growing pause after every crash. `ready` resolves once
 * all of them say that they are (`/readyz`); it rejects with {@link StartError} when one ends again and again before it
 * ever answered its health route.
 */
export function startStack(options: StackOptions): Stack {
  const gaveUp = new AbortController();
  const answered = new Set<string>();
  const say = (line: string) => options.write(prefixed("up", line));

  function judge(name: string, ending: Ending, ends: number): boolean {
    const how = ending.signal ? `was ended by ${ending.signal}` : `ended with exit code ${ending.code ?? "none"}`;
    if (answered.has(name) || ends < TRIES) {
      say(`${name} ${how} and is started again`);
      return true;
    }
    gaveUp.abort(new StartError(`${name} does not start: ${reason(ending.lastLine) || how}`));
    return false;
  }

  const children = options.services.map((service): Child => {
    let ends = 0;
    const env = { ...service.defaults, ...options.env, ...service.env };
    return keepRunning(
      { name: service.name, command: service.command, cwd: options.cwd, env },
      {
        onLine: (line) => options.write(prefixed(service.name, line)),
        onStart: (pid) => options.onPid?.(service.name, pid),
        onEnd: (ending) => judge(service.name, ending, ++ends),
      },
      options.backoff,
    );
  });

  const urlOf = ({ host, port }: StackService, path: string) => `${baseUrl(host ?? options.host, port)}${path}`;
  const healthUrl = (service: StackService) => urlOf(service, service.healthPath);
  const untilReady = async (service: StackService): Promise<void> => {
    const url = urlOf(service, "/readyz");
    const wait = setInterval(async () => {
      const missing = await missingIn(url);
      if (missing.length > 0) say(`${service.name} answers, and waits for: ${missing.join(", ")}`);
    }, options.sayEveryMs ?? SAY_EVERY_MS);
    await untilAnswers(url, gaveUp.signal, 25, READY_EVERY_MS).finally(() => clearInterval(wait));
  };
  const ready = Promise.all(
    options.services.map(async (service) => {
      await untilAnswers(healthUrl(service), gaveUp.signal);
      answered.add(service.name);
      await untilReady(service);
    }),
  ).then(() => {});
  ready.catch(() => {});

  return {
    ready,
    pids: () => Object.fromEntries(children.flatMap((c) => (c.pid() === undefined ? [] : [[c.name, c.pid() ?? 0]]))),
    async restart(name, graceMs) {
      const service = options.services.find((each) => each.name === name);
      await children.find((child) => child.name === name)?.restart(graceMs);
      if (service !== undefined) await untilAnswers(healthUrl(service), gaveUp.signal);
    },
    async stop(graceMs) {
      gaveUp.abort(new StartError("stopped before everything was ready"));
      const ends = await Promise.all(
        children.map(async (child) => ({ name: child.name, ...(await child.stop(graceMs)) })),
      );
      return ends.filter(({ killed }) => killed).map(({ name }) => name);
    },
  };
}

/** Returns the URL under which a service on `host` is reached from this machine. */
export function baseUrl(host: string, port: number): string {
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

/** Returns what a last line says: the message of a structured log line, or the line itself. */
function reason(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === "object" && entry !== null && "msg" in entry) return String(entry.msg);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return line;
}

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

type ChildEvents = {
  onLine(line: string): void;
  onStart(pid: number): void;
  /** Called at every end that nobody asked for. Returns whether to start the process again. */
  onEnd(ending: Ending): boolean;
};

/** A process that is started again, after a growing pause, whenever it ends by itself. */
type Child = {
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
