import { setImmediate as nextTurn } from "node:timers/promises";

/** Maps the values in order, and gives the event loop its turn whenever `sliceMs` milliseconds (4) have passed. */
export async function mapInSlices<T, R>(
  values: readonly T[],
  map: (value: T) => R,
  { sliceMs = 4 }: { sliceMs?: number } = {},
): Promise<R[]> {
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
