import { UsageError } from "../../lib/service/cli/command.ts";

/** A service of the stack, as data. */
export type ServiceEntry = {
  name: string;
  /** Its `main.ts`, from the root of the repository. */
  entry: string;
  /** The option that names its port. */
  portOption: string;
  /** The route that answers 200 once it can serve. */
  healthPath: string;
  /** True when its URL is shown to people: the workers serve nobody but the supervisor. */
  shown: boolean;
  /** Environment variables that the service gets unless they are set. */
  defaults?: Readonly<Record<string, string>>;
};

/**
 * Memory that is free is given back after five seconds, not after ten milliseconds: a search gives back and takes again
 * half a megabyte, and each page that the kernel takes away meanwhile costs more than to fill it. Not never: what the
 * start of a large index takes for a moment, several times what it keeps, is to go back.
 */
const MEMORY_DEFAULTS = { MIMALLOC_PURGE_DELAY: "5000" };

/**
 * Heaps of the linguistic service's threads grow as if the machine had so much memory in bytes: the runtime lets each
 * of its five heaps double, and together they took 830 MB where 560 do.
 */
export const HEAP_DEFAULTS = { BUN_JSC_forceRAMSize: "800000000" };

/** Holds what `up` starts, in the order in which URLs are shown. */
export const services: readonly ServiceEntry[] = [
  { name: "api", entry: "api/main.ts", portOption: "API_PORT", healthPath: "/api/v1/health", shown: true },
  { name: "workers", entry: "workers/main.ts", portOption: "WORKERS_PORT", healthPath: "/health", shown: false },
  {
    name: "retrieval",
    entry: "nlp/retrieval/main.ts",
    portOption: "RETRIEVAL_PORT",
    healthPath: "/health",
    shown: true,
    defaults: MEMORY_DEFAULTS,
  },
  {
    name: "nlp",
    entry: "nlp/linguistic/main.ts",
    portOption: "NLP_PORT",
    healthPath: "/health",
    shown: true,
    defaults: HEAP_DEFAULTS,
  },
  { name: "edge", entry: "edge/main.ts", portOption: "EDGE_PORT", healthPath: "/health", shown: true },
  { name: "scraper", entry: "scraper/main.ts", portOption: "SCRAPER_PORT", healthPath: "/health", shown: true },
];

/** Holds what `up` is asked for: processes of each service, as `readScale` takes them, or its help. */
export type CommandLine = { scale?: string | undefined; help?: true };

/** Reads the command line of `up`. Throws {@link UsageError}. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  if (argv.includes("--help")) return { help: true };
  const [first, value, ...more] = argv.flatMap((argument) =>
    argument.startsWith("--scale=") ? ["--scale", argument.slice("--scale=".length)] : [argument],
  );
  if (first === undefined) return {};
  if (first === "--scale" && value !== undefined && more.length === 0) return { scale: value };
  throw new UsageError("up takes --scale SERVICE=N[,SERVICE=N…], and everything else from the environment");
}

/** Tells whether `url` answers 2xx within `timeoutMs`. Never throws. */
export async function answers(url: string, timeoutMs = 1_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

/**
 * Resolves once `url` answers 2xx; rejects with the signal's reason when it aborts first. Asks every `everyMs`, and
 * less and less often up to `atLeastMs`.
 */
export async function untilAnswers(url: string, signal: AbortSignal, everyMs = 25, atLeastMs = everyMs): Promise<void> {
  for (let waitMs = everyMs; !(await answers(url)); waitMs = Math.min(2 * waitMs, atLeastMs)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
  }
}

/** Returns the names of what a service waits for, as its `/readyz` at `url` says; none when it is ready or silent. */
export async function missingIn(url: string): Promise<string[]> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    const body: { deps?: Record<string, unknown> } = Object(await response.json());
    return response.ok
      ? []
      : Object.entries(body.deps ?? {}).flatMap(([name, state]) => (state === "fail" ? [name] : []));
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}
