import { randomUUID } from "node:crypto";
import { type Clock, systemClock } from "../clock.ts";
import type { LeaseStore } from "./lease-store.ts";

interface Host {
  /** Leases by id, to when they end by themselves. */
  readonly held: Map<string, number>;
  /** Nobody may start before this. */
  next: number;
}

const MAX_HOSTS = 10_000;
const FULL_WAIT_MS = 50;

/** A lease store for one process, and for tests. */
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
