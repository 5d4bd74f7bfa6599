import type { Registry } from "prom-client";
import { instruments } from "../process/metrics.ts";
import { createDrain } from "./listen.ts";
import { AppError, retryAfter } from "./problem.ts";

/** Describes how long requests wait for their turn. */
export type WaitOptions = {
  /** Requests that may wait. */
  maxWaiting: number;
  /** Longest time to wait, in milliseconds; a request that is expected to wait longer is refused at once. */
  maxWaitMs: number;
  /** Milliseconds since some moment. */
  now?: () => number;
};

/**
 * Lets so many requests be worked on at a time; further ones wait. The clients take turns (start-time fair queueing,
 * Goyal et al. 1996), and the requests of one go in the order in which they came: one alone may use everything, and
 * keeps no other waiting for long.
 */
export type Limiter = {
  /**
   * Does `work` when its turn comes; `cost` is how many units it is (1), `client` whose it is. Throws an
   * {@link AppError} without having begun: at once where the wait would be too long, as soon as that shows, or at the
   * end of it. It is `overloaded` (503), or, where a client has more than its share while others wait or are served,
   * `rate-limit-exceeded` (429), both with `Retry-After`. Rejects with the signal's reason when that aborts before.
   */
  run<T>(work: () => Promise<T>, options?: { cost?: number; client?: string; signal?: AbortSignal }): Promise<T>;
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

/** `turn` is the virtual time at which its client's work before it would be done: the least is next. */
type Waiting = {
  client: Client;
  cost: number;
  since: number;
  turn: number;
  begin(): void;
  refuse(reason: Reason): void;
};

/** A client with something in flight or waiting: units of both, and the virtual time at which all of it is done. */
type Client = { running: number; waiting: number; until: number };

/**
 * Holds what those who have nothing in flight may take beyond the limit, so that one who holds all of it keeps nobody
 * out.
 */
const RESERVE = 0.25;

function createLimiter(
  name: string,
  concurrency: number,
  { maxWaiting, maxWaitMs, now = () => performance.now() }: WaitOptions,
  metrics: ReturnType<typeof limiterMetrics>,
): Limiter {
  const waiting = new Set<Waiting>();
  const drain = createDrain(now);
  const clients = new Map<string, Client>();
  let virtual = 0;
  let running = 0;
  let inWork = 0;
  let ahead = 0;
  const labels = { limiter: name };
  for (const reason of ["full", "expected", "waited"]) metrics.refused.inc({ ...labels, reason }, 0);
  metrics.states.set(name, () => ({ running, waiting: waiting.size }));

  const reserve = Math.max(1, Math.floor(concurrency * RESERVE));
  const fits = (client: Client, cost: number): boolean =>
    running === 0 || running + cost <= concurrency + (client.running === 0 ? reserve : 0);
  const waitMs = (): number => ahead * drain.msPerUnit();
  /** Returns the same for a request whose turn is at that virtual time: what comes before it is done first. */
  const waitMsAt = (turn: number): number => {
    let before = 0;
    for (const each of waiting) if (each.turn <= turn) before += each.cost;
    return before * drain.msPerUnit();
  };
  /** Tells whether this client has more than its share, and others have something to do as well. */
  const isOver = (client: Client): boolean => {
    const others = [...clients.values()].filter((each) => each !== client && each.running + each.waiting > 0);
    return others.length > 0 && (client.running + client.waiting) * (others.length + 1) > running + ahead;
  };
  const refusal = (client: Client, reason: Reason): AppError => {
    metrics.refused.inc({ ...labels, reason });
    const headers = retryAfter(Math.min(60, Math.max(1, Math.ceil(waitMs() / 1000))));
    if (isOver(client)) {
      return new AppError("rate-limit-exceeded", "This client asks for more than its share; try again later.", {
        headers,
      });
    }
    return new AppError("overloaded", "There is more to do than can be done soon; try again later.", { headers });
  };

  const clientNamed = (key: string): Client => {
    const client = clients.get(key) ?? { running: 0, waiting: 0, until: virtual };
    clients.set(key, client);
    return client;
  };
  /** Forgets a client that has nothing to do any more. */
  const leave = (key: string, client: Client): void => {
    if (client.running + client.waiting === 0 && clients.get(key) === client) clients.delete(key);
  };

  const begin = (client: Client, cost: number, { waitedMs, turn }: { waitedMs: number; turn: number }): void => {
    running += cost;
    client.running += cost;
    virtual = Math.max(virtual, turn);
    inWork += 1;
    metrics.wait.observe(labels, waitedMs / 1000);
  };

  /**
   * Returns the one whose turn is next, if there is room for it; else the first of a client that has nothing in flight.
   */
  const next = (): Waiting | undefined => {
    let best: Waiting | undefined;
    for (const each of waiting) if (best === undefined || each.turn < best.turn) best = each;
    if (best !== undefined && fits(best.client, best.cost)) return best;
    for (const each of waiting) if (each.client.running === 0 && fits(each.client, each.cost)) return each;
    return undefined;
  };

  /** Makes room for a request of `client`, by the last one of who has most waiting; false where that is this one. */
  const makeRoom = (client: Client, cost: number): boolean => {
    let heaviest = client;
    for (const { client: each } of waiting) if (each.waiting > heaviest.waiting) heaviest = each;
    if (heaviest.waiting <= client.waiting + cost) return false;
    [...waiting].findLast((each) => each.client === heaviest)?.refuse("full");
    return true;
  };

  /** Refuses, last in turn first, those whose turn would come too late by what is known now. */
  const trim = (): void => {
    const [first] = waiting;
    if (first === undefined || now() - first.since + waitMs() <= maxWaitMs) return;
    for (const last of [...waiting].sort((a, b) => a.turn - b.turn).reverse()) {
      if (now() - last.since + waitMs() - last.cost * drain.msPerUnit() <= maxWaitMs) return;
      last.refuse("expected");
      // To answer them takes its time too.
      drain.skip();
    }
  };

  const end = (client: Client, cost: number): void => {
    running -= cost;
    client.running -= cost;
    inWork -= 1;
    drain.done(cost, { waiting: waiting.size > 0 });
    for (let first = next(); first !== undefined; first = next()) first.begin();
    trim();
  };

  const waitForTurn = (client: Client, cost: number, turn: number, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      if (!waiting.delete(entry)) return;
      ahead -= cost;
      client.waiting -= cost;
    };
    const entry: Waiting = {
      client,
      cost,
      since: now(),
      turn,
      begin() {
        settled();
        resolve(begin(client, cost, { waitedMs: now() - entry.since, turn }));
      },
      refuse(reason) {
        const error = refusal(client, reason);
        settled();
        client.until -= cost;
        reject(error);
      },
    };
    const aborted = (): void => {
      settled();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => entry.refuse("waited"), maxWaitMs);
    signal?.addEventListener("abort", aborted);
    waiting.add(entry);
    ahead += cost;
    client.waiting += cost;
    return promise;
  };

  return {
    async run(work, { cost = 1, client: key = "", signal } = {}) {
      signal?.throwIfAborted();
      const client = clientNamed(key);
      const turn = Math.max(virtual, client.until);
      try {
        if (fits(client, cost) && (waiting.size === 0 || client.running + client.waiting === 0)) {
          client.until = turn + cost;
          begin(client, cost, { waitedMs: 0, turn });
        } else if (waiting.size >= maxWaiting && !makeRoom(client, cost)) throw refusal(client, "full");
        else if (waitMsAt(turn) > maxWaitMs) throw refusal(client, "expected");
        else {
          client.until = turn + cost;
          drain.busy(inWork);
          await waitForTurn(client, cost, turn, signal);
        }
        try {
          return await work();
        } finally {
          end(client, cost);
        }
      } finally {
        leave(key, client);
      }
    },
  };
}

function limiterMetrics(registry: Registry) {
  const { counter, gauge, histogram } = instruments(registry);
  const labelNames = ["limiter"] as const;
  const states = new Map<string, () => { running: number; waiting: number }>();
  gauge("limiter_running", "Units of work that are being done.", labelNames, {
    collect() {
      for (const [limiter, state] of states) this.set({ limiter }, state().running);
    },
  });
  gauge("limiter_waiting", "Requests that wait for their turn.", labelNames, {
    collect() {
      for (const [limiter, state] of states) this.set({ limiter }, state().waiting);
    },
  });
  return {
    /** Says what each limiter does now, by its name. */
    states,
    wait: histogram("limiter_wait_seconds", "Time that requests waited for their turn, in seconds.", labelNames, {
      buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    refused: counter(
      "limiter_refused_total",
      "Requests refused: too many wait (full), too long a wait expected (expected) or had (waited).",
      [...labelNames, "reason"] as const,
    ),
  };
}
