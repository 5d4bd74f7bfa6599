import { URL } from "node:url";
import { openThreads, type Threads, type ThreadsLogger } from "../../service/threads/mod.ts";
import { type start, VectorThreadError } from "./start.ts";

/**
 * A thread that holds an index; calls are answered in any order. They reject with RangeError for a query that cannot be
 * searched, and with {@link VectorThreadError} when the thread has ended and until the index is loaded, again too.
 */
export type VectorThread = Threads<typeof start>;

/** The folder of the index, the Worker's file, and when the graph is asked (see VectorEngine). */
type VectorThreadOptions = { dir: string; worker?: URL; logger?: ThreadsLogger; scannedPerCandidate?: number };

/** Makes the thread of an index. It starts with its first call, and again with the next one after an end. */
export function openVectorThread({ dir, worker, logger, scannedPerCandidate }: VectorThreadOptions): VectorThread {
  const failed = (message: string, _: object, cause: unknown): VectorThreadError =>
    new VectorThreadError(message, { cause });
  return openThreads<typeof start>({
    name: "vector index",
    url: worker ?? new URL("./worker.ts", import.meta.url),
    data: { dir, scannedPerCandidate },
    errors: { ThreadError: failed, VectorThreadError: failed },
    logger,
  });
}
