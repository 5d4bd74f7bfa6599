/** What a wake-up call is to the library: heard once, and nothing kept of it. */
export const jobOptions = {
  attempts: 1,
  // What is kept would keep a job of the same id from being added again.
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

/** Returns how a worker keeps its jobs: those of one that was killed go to others after `stallMs` to 1.5 times that. */
export function workerOptions(stallMs: number) {
  return {
    lockDuration: stallMs,
    stalledInterval: stallMs / 2,
    maxStalledCount: 10,
    // After a lost connection: look again soon, the library's own wait is 15 s.
    runRetryDelay: 1_000,
    drainDelay: 5,
  };
}
