import { randomUUID } from "node:crypto";
import { EgressError } from "./address.ts";

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

/** Rate and concurrency of the requests to a host. */
export interface HostLimits {
  /** Requests under way at once. */
  readonly concurrency: number;
  /** From the start of one request to the start of the next, in milliseconds. */
  readonly minDelayMs: number;
}

/** A permission to send one request to a host. */
export interface HostLease {
  readonly host: string;
  readonly id: string;
}

/** A lease, or the wait before the next attempt. */
export type LeaseAnswer = { readonly lease: HostLease } | { readonly waitMs: number };

/**
 * Leases by which the processes that crawl agree on who asks which host when. Every operation is atomic. A lease that
 * is not given back, because its process died, ends by itself after `holdMs`.
 */
export interface LeaseStore {
  acquire(host: string, limits: HostLimits, holdMs: number): Promise<LeaseAnswer>;
  release(lease: HostLease): Promise<void>;
  /** Nobody asks the host for that long, as its `Retry-After` wants; of two calls the later end counts. */
  defer(host: string, forMs: number): Promise<void>;
}

interface Host {
  /** Leases by id, to when they end by themselves. */
  readonly held: Map<string, number>;
  /** Nobody may start before this. */
  next: number;
}

const MAX_HOSTS = 10_000;
const FULL_WAIT_MS = 50;

/** Returns a lease store for one process, and for tests. */
export function createMemoryLeaseStore(clock: Clock = systemClock): LeaseStore {
  const hosts = new Map<string, Host>();
  const stateOf = (name: string): Host => {
    const entry = hosts.get(name) ?? { held: new Map<string, number>(), next: 0 };
    hosts.set(name, entry);
    return entry;
  };
  return {
    async acquire(name, { concurrency, minDelayMs }, holdMs) {
      const now = clock.now();
      if (hosts.size > MAX_HOSTS)
        for (const [key, { held, next }] of hosts) if (held.size === 0 && next <= now) hosts.delete(key);
      const host = stateOf(name);
      for (const [id, until] of host.held) if (until <= now) host.held.delete(id);
      if (host.next > now) return { waitMs: host.next - now };
      if (host.held.size >= concurrency) return { waitMs: FULL_WAIT_MS };
      const id = randomUUID();
      host.held.set(id, now + holdMs);
      host.next = now + minDelayMs;
      return { lease: { host: name, id } };
    },
    async release({ host, id }) {
      hosts.get(host)?.held.delete(id);
    },
    async defer(name, forMs) {
      const host = stateOf(name);
      host.next = Math.max(host.next, clock.now() + forMs);
    },
  };
}

/** Options of waiting for a turn. */
export interface TurnOptions {
  readonly limits: HostLimits;
  /** Milliseconds until a lease that is not given back ends by itself. */
  readonly holdMs: number;
  /** The longest wait. */
  readonly maxTurnMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The turns of one process at the hosts that it asks. */
interface Turns {
  /** Waits for a turn. Throws EgressError `busy-host` when it would take too long, and the signal's reason. */
  take(url: URL, options: TurnOptions): Promise<HostLease>;
  /** Ends a turn; nobody asks the host for another `deferMs`. */
  end(lease: HostLease, deferMs: number | undefined): Promise<void>;
}

interface Line {
  /** Over when everybody so far has left the line. */
  tail: Promise<void>;
  length: number;
  /** Calls the first in the line to ask again. */
  wake: () => void;
}

/**
 * Lets those who want to ask a host stand in a line, first come, first served: only the first asks the lease store, and
 * is called when a turn of this process ends, so that many waiting cost the store no more than one.
 */
export function createTurns(leases: LeaseStore, clock: Clock): Turns {
  const lines = new Map<string, Line>();
  return {
    async take(url, options) {
      const until = clock.now() + options.maxTurnMs;
      const line = lines.get(url.host) ?? { tail: Promise.resolve(), length: 0, wake: () => undefined };
      lines.set(url.host, line);
      const before = line.tail;
      const left = Promise.withResolvers<void>();
      line.tail = left.promise;
      line.length++;
      try {
        await unlessAborted(before, options.signal);
        return await ask(url, line, until, options);
      } finally {
        // Who gives up in the middle of the line must not let those behind overtake those before.
        before.then(left.resolve);
        if (--line.length === 0) lines.delete(url.host);
      }
    },
    async end(lease, deferMs) {
      // First, so that nobody asks in between.
      if (deferMs !== undefined) await leases.defer(lease.host, deferMs);
      // A lease that cannot be given back ends by itself: no reason to lose the answer.
      await leases.release(lease).catch(() => undefined);
      lines.get(lease.host)?.wake();
    },
  };

  async function ask(url: URL, line: Line, until: number, options: TurnOptions): Promise<HostLease> {
    const { limits, holdMs, signal } = options;
    for (;;) {
      const called = new AbortController();
      line.wake = () => called.abort();
      const answer = await leases.acquire(url.host, limits, holdMs);
      if ("lease" in answer) return answer.lease;
      if (clock.now() + answer.waitMs > until) {
        throw new EgressError("busy-host", url.href, `the host is to be left alone for ${Math.ceil(answer.waitMs)} ms`);
      }
      const either = signal === undefined ? called.signal : AbortSignal.any([called.signal, signal]);
      await clock.sleep(answer.waitMs, either).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
