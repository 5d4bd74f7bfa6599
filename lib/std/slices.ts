import { setImmediate as nextTurn } from "node:timers/promises";

/** How long the event loop may be held in one go, in milliseconds (4). */
export type SliceOptions = { sliceMs?: number };

/**
 * Makes what is to be called between two steps of long work: once `sliceMs` milliseconds have passed, it returns a
 * promise that resolves after the event loop had its turn; until then nothing.
 */
export function createSlicer({ sliceMs = 4 }: SliceOptions = {}): () => Promise<void> | undefined {
  let start = performance.now();
  const turn = async (): Promise<void> => {
    await nextTurn();
    start = performance.now();
  };
  return () => (performance.now() - start > sliceMs ? turn() : undefined);
}

/** Maps the values in order, and gives the event loop its turn whenever `sliceMs` milliseconds have passed. */
export async function mapInSlices<T, R>(
  values: readonly T[],
  map: (value: T) => R,
  options?: SliceOptions,
): Promise<R[]> {
  const results: R[] = [];
  const due = createSlicer(options);
  for (const value of values) {
    const turn = due();
    if (turn !== undefined) await turn;
    results.push(map(value));
  }
  return results;
}

/**
 * Makes what short pieces of work wait for before they begin, so that many that become due at once do not hold the
 * event loop together: each begins after the one before it, and some after the loop had its turn.
 */
export function createTurns(options?: SliceOptions): () => Promise<void> {
  const due = createSlicer(options);
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(due);
    return last;
  };
}
