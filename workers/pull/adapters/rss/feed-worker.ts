import { parentPort } from "node:worker_threads";
import { type Feed, FeedError, readFeed } from "@isnad/lib/feeds";

/** What goes to the thread, and what comes back from it. */
export type FeedRequest = { id: number; text: string; url: string };
export type FeedReply = { id: number } & ({ feed: Feed } | { reason: string });

const port = parentPort;
if (port === null) throw new Error("feed-worker.ts runs only as a Worker");

port.on("message", ({ id, text, url }: FeedRequest) => {
  port.postMessage({ id, ...read(text, url) } satisfies FeedReply);
});

function read(text: string, url: string): { feed: Feed } | { reason: string } {
  try {
    return { feed: readFeed(text, { url }) };
  } catch (error) {
    if (error instanceof FeedError) return { reason: error.message };
    throw error;
  }
}
