import { type Child, type Ending, keepRunning, prefixed } from "./child.ts";
import { portFault } from "../../lib/std/ports.ts";
import { missingIn, untilAnswers } from "./ready.ts";

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

/** Holds what a stack is made of. */
export type StackOptions = {
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
export type Stack = {
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
