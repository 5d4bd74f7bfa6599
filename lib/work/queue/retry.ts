/** How often a job is tried before it is given up. */
export const ATTEMPTS = 5;

/** Growing waits between the tries of a job: `firstMs`, 2, 4 and 8 times that, each up to half shorter at random. */
export function retryAfter(firstMs: number) {
  return { type: "exponential", delay: firstMs, jitter: 0.5 };
}

/** How often a job is tried, and nothing kept of a finished one. */
export const jobOptions = {
  attempts: ATTEMPTS,
  // What is kept would keep a job of the same id from being added again.
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

/**
 * How a worker keeps and loses its jobs: those of one that was killed go to others after `stallMs` to 1.5 times that.
 */
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
