/** Says since when long work holds this turn of the event loop; undefined before any does. */
let heldSince: number | undefined;

/** Returns for how long all long work together has held this turn of the event loop, in milliseconds. */
function heldMs(): number {
  const now = performance.now();
  if (heldSince === undefined) {
    heldSince = now;
    setImmediate(() => {
      heldSince = undefined;
    });
  }
  return now - heldSince;
}

/** Work that waits for a turn of the event loop, in the order in which it came. */
const waiting: (() => void)[] = [];

/** Resolves in a later turn of the event loop, which no other work that waits is given. */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  heldSince = undefined;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/** Describes how long the event loop may be held in one go, in milliseconds (4). */
export type SliceOptions = { sliceMs?: number };

/**
 * Makes what is to be called between two steps of long work: once the event loop has been held for `sliceMs`
 * milliseconds, by this work and all other together, it returns a promise that resolves after the loop had its turn;
 * until then nothing.
 */
export function createSlicer({ sliceMs = 4 }: SliceOptions = {}): () => Promise<void> | undefined {
  return () => (heldMs() > sliceMs ? ownTurn() : undefined);
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

/** A read this quick is always made again, in milliseconds. */
const QUICK_MS = 20;
/** Times as long as the read took, its value is given again. */
const REST = 10;

/** Describes which values may be given again, and the clock, in milliseconds. */
type PacedOptions<T> = { keep?: (value: T) => boolean; now?: () => number };

/**
 * `read`, never under way twice, nor for more than a tenth of the time however often it is asked for: those who ask
 * together share one, and a value that took long is given again for ten times as long, unless it is not to be kept.
 * A failure never is.
 */
export function paced<T>(
  read: () => Promise<T>,
  { keep = () => true, now = () => performance.now() }: PacedOptions<T> = {},
): () => Promise<T> {
  let reading: Promise<T> | undefined;
  let goodUntil = 0;
  return async () => {
    if (reading !== undefined && now() < goodUntil) return await reading;
    const startedAt = now();
    goodUntil = Number.POSITIVE_INFINITY;
    reading = read();
    try {
      const value = await reading;
      const tookMs = now() - startedAt;
      goodUntil = tookMs < QUICK_MS || !keep(value) ? 0 : now() + REST * tookMs;
      return value;
    } catch (error) {
      goodUntil = 0;
      throw error;
    }
  };
}

/**
 * Makes a function that tells whether the clock has held since its last call: time went on, and by `maxStepMs` at most.
 * The first call has nothing to compare with, and says no. What cannot be undone is not done on the word of a clock
 * that has just jumped.
 */
export function createSteadyClock(maxStepMs: number, now: () => number = Date.now): () => boolean {
  let before: number | undefined;
  return () => {
    const step = before === undefined ? Number.NaN : now() - before;
    before = now();
    return step >= 0 && step <= maxStepMs;
  };
}
