import { parentPort } from "node:worker_threads";
import { type CheckedItem, checkItem } from "./check-item.ts";

/** What goes to the thread, and what comes back from it. */
export type CheckRequest = { id: number; entry: unknown };
export type CheckReply = { id: number; checked: CheckedItem };

const port = parentPort;
if (port === null) throw new Error("check-worker.ts runs only as a Worker");

port.on("message", ({ id, entry }: CheckRequest) => {
  port.postMessage({ id, checked: checkItem(entry) } satisfies CheckReply);
});
