import { URL } from "node:url";
import { openThreads, type ThreadsLogger, type ThreadsState } from "../service/threads/mod.ts";
import type { CheckedItem } from "./check.ts";
import type { start } from "./check-worker.ts";

/** A thread that checks items whose texts are so long that the event loop would stand still meanwhile. */
export type CheckThread = {
  /** Checks an entry as `checkItem` does. Rejects with ThreadError when the thread has ended. */
  check(entry: unknown): Promise<CheckedItem>;
  /** Returns how the thread stands. */
  threads(): ThreadsState;
  /** Checks what it was given, then ends the thread. */
  close(): Promise<void>;
};

/** Makes the thread. It starts with the first entry, and again with the next one after it has ended. */
export function createCheckThread({ logger }: { logger?: ThreadsLogger } = {}): CheckThread {
  const url = new URL("./check-worker.ts", import.meta.url);
  const threads = openThreads<typeof start>({ name: "item check", url, logger });
  return {
    check: (entry) => threads.call("check", entry),
    threads: () => threads.state(),
    close: () => threads.close(),
  };
}
