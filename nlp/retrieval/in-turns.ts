import { setImmediate as nextTurn } from "node:timers/promises";

/** Maps the values one after the other, and lets the event loop go on whenever `sliceMs` have passed. */
export async function inTurns<T, R>(values: readonly T[], map: (value: T) => R, sliceMs = 4): Promise<R[]> {
  const results: R[] = [];
  let start = performance.now();
  for (const value of values) {
    if (performance.now() - start > sliceMs) {
      await nextTurn();
      start = performance.now();
    }
    results.push(map(value));
  }
  return results;
}
