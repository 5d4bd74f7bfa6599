import { URL } from "node:url";
import type { Feed } from "@isnad/lib/web/feeds";
import { openThreads, type ThreadErrorCode, type ThreadsLogger, type ThreadsState } from "@isnad/lib/service/threads";
import { PullError } from "../../adapter.ts";
import type { start } from "./feed-worker.ts";

/** A thread that reads feeds, so that neither a large nor a hostile one stops the event loop. */
export type FeedThread = {
  /**
   * Reads the text of a feed that came from `url`. Rejects with {@link PullError} when it is none, or takes too long.
   */
  read(text: string, url: string): Promise<Feed>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Ends the thread. */
  close(): Promise<void>;
};

/** Says how the thread is run: `timeoutMs` for one feed, from when it is taken up. Default 15,000. */
export type FeedThreadOptions = { timeoutMs?: number; logger?: ThreadsLogger | undefined };

/** Makes the thread. It starts with the first feed, and again with the next one after it has ended. */
export function createFeedThread({ timeoutMs = 15_000, logger }: FeedThreadOptions = {}): FeedThread {
  const unread = (message: string, cause: unknown) =>
    new PullError(`the feed could not be read: ${message}`, { cause });
  const threads = openThreads<typeof start>({
    name: "feed reader",
    url: new URL("./feed-worker.ts", import.meta.url),
    deadline: { ms: timeoutMs },
    errors: {
      FeedError: (message, _, cause) =>
        new PullError(`what the feed's address serves is no feed: ${message}`, { cause }),
      ThreadError: (message, { code }: { code: ThreadErrorCode }, cause) =>
        code === "too-slow"
          ? new PullError(`the feed could not be read within ${timeoutMs} ms`)
          : unread(message, cause),
      Error: (message, _, cause) => unread(message, cause),
    },
    logger,
  });
  return {
    read: (text, url) => threads.call("read", { text, url }),
    threads: () => threads.state(),
    close: () => threads.terminate(),
  };
}
