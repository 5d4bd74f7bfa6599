import { URL } from "node:url";
import { openThreads, type Threads, type ThreadsLogger } from "@isnad/lib/service/threads";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";
import type { start } from "./worker.ts";

/** The threads that take text apart. */
export type Analysers = Threads<typeof start>;

/** `dataDir`: where a corpus is that the operator has imported. */
type AnalyserOptions = { logger?: ThreadsLogger; size?: number; dataDir?: string };

/** Calls of one route that a thread works on side by side: a short text need not wait until a long one is read. */
const CALLS_OF_ROUTE = 2;

/**
 * Opens them. A thread that cannot start, for a missing or damaged file, fails the calls that need it, with the
 * reason.
 */
export function openAnalysers({ logger, size = 1, dataDir }: AnalyserOptions = {}): Analysers {
  return openThreads<typeof start>({
    name: "linguistic analysis",
    url: new URL("./worker.ts", import.meta.url),
    size,
    perKind: CALLS_OF_ROUTE,
    data: { dataDir },
    errors: { PartUnavailable: (message, _, cause) => new PartUnavailable(message, { cause }) },
    ...(logger !== undefined && { logger }),
  });
}
