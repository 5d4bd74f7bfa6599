import { isObject, mapInSlices } from "../std/mod.ts";
import { type CheckedItem, checkItem } from "./check-item.ts";
import type { CheckThread } from "./check-thread.ts";

/**
 * Texts of an item that are longer in all are checked by the thread, in UTF-16 units. Markup costs up to 0.1 µs each.
 */
const HEAVY = 40_000;

/**
 * Checks the entries of a request one after the other, without ever holding the event loop for long: heavy entries go
 * to `thread`, and between the others the loop gets its turns.
 */
export async function checkItems(
  entries: readonly unknown[],
  thread: Pick<CheckThread, "check">,
): Promise<CheckedItem[]> {
  const checked = await mapInSlices(entries, (entry): CheckedItem | Promise<CheckedItem> =>
    // An entry that the thread could not check is checked here after all.
    isHeavy(entry) ? thread.check(entry).catch(() => checkItem(entry)) : checkItem(entry),
  );
  return await Promise.all(checked);
}

function isHeavy(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  return (
    sum(Object.values(entry).map((value) => (Array.isArray(value) ? sum(value.map(lengthOf)) : lengthOf(value)))) >
    HEAVY
  );
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
