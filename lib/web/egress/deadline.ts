/** Time as the client sees it; tests bring their controller. */
export interface Clock {
  /** Milliseconds of a clock that nobody sets, from a moment of its controller. */
  now(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** A time limit that can stand still while its owner waits for something that is not its fault. */
export interface Deadline {
  /** Aborts when the time is up, or when the caller's own signal does. */
  readonly signal: AbortSignal;
  /** True when the time was up. */
  readonly passed: boolean;
  pause(): void;
  resume(): void;
  /** Ends the timer. */
  end(): void;
}

/** Starts a time limit of `ms`, running. */
export function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let left = ms;
  let since = 0;
  let passed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resume = () => {
    if (timer !== undefined || controller.signal.aborted) return;
    since = performance.now();
    timer = setTimeout(() => {
      passed = true;
      controller.abort();
    }, left);
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(0, left - (performance.now() - since));
  };
  resume();
  return {
    signal: outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]),
    get passed() {
      return passed;
    },
    pause,
    resume,
    end: pause,
  };
}
