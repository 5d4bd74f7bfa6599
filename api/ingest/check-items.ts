import { setImmediate } from "node:timers/promises";
import { type CheckedItem, checkItem } from "./check-item.ts";

/** Time after which other requests get their turn, in milliseconds. */
const SLICE_MS = 4;

/** Checks the entries of a request one after the other, letting the event loop turn between them when they are heavy. */
export async function checkItems(entries: readonly unknown[]): Promise<CheckedItem[]> {
  const checked: CheckedItem[] = [];
  let sliceEnds = performance.now() + SLICE_MS;
  for (const entry of entries) {
    checked.push(checkItem(entry));
    if (performance.now() < sliceEnds) continue;
    await setImmediate();
    sliceEnds = performance.now() + SLICE_MS;
  }
  return checked;
}
