import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { AppError, retryAfter } from "./app-error.ts";
import { createDrain } from "./drain.ts";

/** How long requests wait for their turn. */
export type WaitOptions = {
  /** Requests that may wait. */
  maxWaiting: number;
  /** Longest time to wait, in milliseconds; a request that is expected to wait longer is refused at once. */
  maxWaitMs: number;
  /** Milliseconds since some moment. */
  now?: () => number;
};

/** Lets so many requests be worked on at a time; further ones wait for their turn in the order in which they came. */
export type Limiter = {
  /**
   * Does `work` when its turn comes; `cost` is how many units it is (1). Throws an {@link AppError} `overloaded` (503
   * with `Retry-After`) without having begun: at once where the wait would be too long, as soon as that shows, or at
   * the end of it. Rejects with the signal's reason when that aborts before.
   */
  run<T>(work: () => Promise<T>, options?: { cost?: number; signal?: AbortSignal }): Promise<T>;
};

/**
 * Makes a maker of limiters whose metrics are in `registry`: each has its `name` there, and does `concurrency` units of
 * work at a time. A request that costs more is done alone.
 */
export function createLimiters(
  registry: Registry,
  options: WaitOptions,
): (name: string, concurrency: number) => Limiter {
  const metrics = limiterMetrics(registry);
  return (name, concurrency) => createLimiter(name, concurrency, options, metrics);
}

type Reason = "full" | "expected" | "waited";

type Waiting = { cost: number; since: number; begin(): void; refuse(reason: Reason): void };

function createLimiter(
  name: string,
  concurrency: number,
  { maxWaiting, maxWaitMs, now = () => performance.now() }: WaitOptions,
  metrics: ReturnType<typeof limiterMetrics>,
): Limiter {
  const waiting = new Set<Waiting>();
  const drain = createDrain(now);
  let running = 0;
  let inWork = 0;
  let ahead = 0;
  const labels = { limiter: name };
  for (const reason of ["full", "expected", "waited"]) metrics.refused.inc({ ...labels, reason }, 0);
  metrics.states.set(name, () => ({ running, waiting: waiting.size }));

  const fits = (cost: number): boolean => running === 0 || running + cost <= concurrency;
  const waitMs = (): number => ahead * drain.msPerUnit();
  const overloaded = (reason: Reason): AppError => {
    metrics.refused.inc({ ...labels, reason });
    const seconds = Math.min(60, Math.max(1, Math.ceil(waitMs() / 1000)));
    return new AppError("overloaded", "There is more to do than can be done soon; try again later.", {
      headers: retryAfter(seconds),
    });
  };

  const begin = (cost: number, waitedMs: number): void => {
    running += cost;
    inWork += 1;
    metrics.wait.observe(labels, waitedMs / 1000);
  };

  /** Refuses, last come first, those whose turn would come too late by what is known now. */
  const trim = (): void => {
    const [first] = waiting;
    if (first === undefined || now() - first.since + waitMs() <= maxWaitMs) return;
    for (const last of [...waiting].reverse()) {
      if (now() - last.since + waitMs() - last.cost * drain.msPerUnit() <= maxWaitMs) return;
      last.refuse("expected");
      // To answer them takes its time too.
      drain.skip();
    }
  };

  const end = (cost: number): void => {
    running -= cost;
    inWork -= 1;
    drain.done(cost, { waiting: waiting.size > 0 });
    for (const next of waiting) {
      if (!fits(next.cost)) break;
      next.begin();
    }
    trim();
  };

  const turn = (cost: number, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      if (waiting.delete(entry)) ahead -= cost;
      settle();
    };
    const entry: Waiting = {
      cost,
      since: now(),
      begin: () => leave(() => resolve(begin(cost, now() - entry.since))),
      refuse: (reason) => leave(() => reject(overloaded(reason))),
    };
    const aborted = (): void => leave(() => reject(signal?.reason));
    const timer = setTimeout(() => entry.refuse("waited"), maxWaitMs);
    signal?.addEventListener("abort", aborted);
    waiting.add(entry);
    ahead += cost;
    return promise;
  };

  return {
    async run(work, { cost = 1, signal } = {}) {
      signal?.throwIfAborted();
      if (waiting.size === 0 && fits(cost)) begin(cost, 0);
      else if (waiting.size >= maxWaiting) throw overloaded("full");
      else if (waitMs() > maxWaitMs) throw overloaded("expected");
      else {
        drain.busy(inWork);
        await turn(cost, signal);
      }
      try {
        return await work();
      } finally {
        end(cost);
      }
    },
  };
}

function limiterMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ["limiter"] as const;
  const states = new Map<string, () => { running: number; waiting: number }>();
  new Gauge({
    name: "limiter_running",
    help: "Units of work that are being done.",
    labelNames,
    registers,
    collect() {
      for (const [limiter, state] of states) this.set({ limiter }, state().running);
    },
  });
  new Gauge({
    name: "limiter_waiting",
    help: "Requests that wait for their turn.",
    labelNames,
    registers,
    collect() {
      for (const [limiter, state] of states) this.set({ limiter }, state().waiting);
    },
  });
  return {
    /** What each limiter does now, by its name. */
    states,
    wait: new Histogram({
      name: "limiter_wait_seconds",
      help: "Time that requests waited for their turn, in seconds.",
      labelNames,
      buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    refused: new Counter({
      name: "limiter_refused_total",
      help: "Requests refused: too many wait (full), too long a wait expected (expected) or had (waited).",
      labelNames: [...labelNames, "reason"] as const,
      registers,
    }),
  };
}
