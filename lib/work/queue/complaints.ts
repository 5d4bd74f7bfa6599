import { BoundedMap } from "../../std/mod.ts";
import type { QueueLogger } from "./types.ts";

const EVERY_MS = 5_000;

/**
 * A listener for errors that come in swarms while a backend is away: each reason is logged at once, and then at most
 * every five seconds with the number of times it was heard since.
 */
export function complaints(logger: QueueLogger, queue: string, now: () => number = Date.now): (error: Error) => void {
  const heard = new BoundedMap<string, { at: number; times: number }>(100);
  return (error) => {
    const reason = error.message === "" ? error.name : error.message;
    const last = heard.get(reason);
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.times++;
      return;
    }
    heard.set(reason, { at: now(), times: 0 });
    const repeated = last?.times ?? 0;
    logger.warn({ queue, reason, ...(repeated > 0 ? { repeated } : {}) }, "queue");
  };
}
