import { setImmediate as breathe } from "node:timers/promises";

/** The event loop is let go after this much work at a stretch, in milliseconds. */
const SLICE_MS = 5;

/** Calls `work` for every item in order, letting other events in between whenever a few milliseconds have gone by. */
export async function inSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const out: R[] = [];
  let since = performance.now();
  for (const item of items) {
    out.push(work(item));
    if (performance.now() - since > SLICE_MS) {
      await breathe();
      since = performance.now();
    }
  }
  return out;
}
