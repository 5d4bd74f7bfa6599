import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Feed } from "@isnad/lib/feeds";
import { PullError } from "../../adapter.ts";
import type { FeedReply, FeedRequest } from "./feed-worker.ts";

/** A thread that reads feeds, so that neither a large nor a hostile one stops the event loop. */
export type FeedThread = {
  /** Reads the text of a feed that came from `url`. Rejects with {@link PullError} when it is none, or takes too long. */
  read(text: string, url: string): Promise<Feed>;
  /** Ends the thread. */
  close(): Promise<void>;
};

type Waiting = { resolve(feed: Feed): void; reject(error: Error): void };

/** Makes the thread. It is started with the first feed, and again with the next one after it has ended. */
export function createFeedThread({ timeoutMs = 15_000 }: { timeoutMs?: number } = {}): FeedThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let next = 0;

  const giveUp = (ended: Worker, reason: string, cause?: unknown): void => {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new PullError(reason, { cause }));
    waiting.clear();
  };

  const start = (): Worker => {
    const started = new Worker(new URL("./feed-worker.ts", import.meta.url));
    started.unref();
    started.on("error", (error) => giveUp(started, "the feed could not be read", error));
    started.on("exit", () => giveUp(started, "the feed could not be read"));
    started.on("message", (reply: FeedReply) => {
      const { resolve, reject } = waiting.get(reply.id) ?? {};
      waiting.delete(reply.id);
      if (waiting.size === 0) started.unref();
      if ("feed" in reply) resolve?.(reply.feed);
      else reject?.(new PullError(`what the feed's address serves is no feed: ${reply.reason}`));
    });
    return started;
  };

  return {
    async read(text, url) {
      const { promise, resolve, reject } = Promise.withResolvers<Feed>();
      const thread = worker ?? start();
      worker = thread;
      const id = next++;
      waiting.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, text, url } satisfies FeedRequest);
      const timer = setTimeout(() => {
        giveUp(thread, `the feed could not be read within ${timeoutMs} ms`);
        void thread.terminate();
      }, timeoutMs);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
