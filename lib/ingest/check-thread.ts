import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { CheckedItem } from "./check-item.ts";
import type { CheckReply, CheckRequest } from "./check-worker.ts";

/** A thread that checks items whose texts are so long that the event loop would stand still meanwhile. */
export type CheckThread = {
  /** Checks an entry as `checkItem` does. Rejects when the thread has ended. */
  check(entry: unknown): Promise<CheckedItem>;
  /** Ends the thread. */
  close(): Promise<void>;
};

type Waiting = { resolve(checked: CheckedItem): void; reject(error: Error): void };

/** Makes the thread. It is started with the first entry, and again with the next one after it has ended. */
export function createCheckThread(): CheckThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let next = 0;

  const start = (): Worker => {
    const started = new Worker(new URL("./check-worker.ts", import.meta.url));
    started.unref();
    const ended = (cause: unknown): void => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("the thread has ended", { cause }));
      waiting.clear();
    };
    started.on("error", ended);
    started.on("exit", ended);
    started.on("message", ({ id, checked }: CheckReply) => {
      waiting.get(id)?.resolve(checked);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    return started;
  };

  return {
    check(entry) {
      const { promise, resolve, reject } = Promise.withResolvers<CheckedItem>();
      worker ??= start();
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, entry } satisfies CheckRequest);
      return promise;
    },
    async close() {
      await worker?.terminate();
    },
  };
}
