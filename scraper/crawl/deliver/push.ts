import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@isnad/lib/std";
import type { ItemState } from "@isnad/lib/store";
import type { CrawlParts } from "../parts.ts";
import { type DeliverOptions, deliver } from "./deliver.ts";

/** Delivers the items of a run while it goes on, and at its end. */
export interface Push {
  /** Says that an item was kept. Every so many are sent at once, one delivery at a time. */
  kept(): void;
  /** Sends the rest; the run's items by state, and why some are still to be delivered. */
  end(): Promise<{ readonly items: Record<ItemState, number>; readonly error: string | null }>;
}

const SEND_EVERY = 50;
const POLL = { baseMs: 20, maxMs: 500 };

/** Makes the push of a run. */
export function createPush(parts: CrawlParts, runId: string, options: DeliverOptions): Push {
  let waiting = 0;
  let error: string | null = null;
  let sending: Promise<void> | undefined;
  const send = async () => {
    ({ error } = await deliver(parts, options));
    sending = undefined;
  };
  return {
    kept() {
      // While the API is away, what there is to send waits for the end of the run.
      if (++waiting < SEND_EVERY || sending !== undefined || error !== null) return;
      waiting = 0;
      sending = send();
      // It is thrown at the end.
      sending.catch(() => undefined);
    },
    async end() {
      await sending;
      const until = performance.now() + parts.drainMs;
      for (let polls = 0; ; polls++) {
        await send();
        const items = await parts.store.items.countsOfRun(runId);
        // Without an error, what is pending is in the hands of another sender: the run ends when that is done.
        if (items.pending === 0 || error !== null || performance.now() > until) return { items, error };
        await sleep(backoffMs(polls, POLL), undefined, { signal: options.signal });
      }
    },
  };
}
