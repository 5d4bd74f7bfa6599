/** How often and how many at once a host may be asked. */
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

/** What asking for a lease gives: the lease, or how long to wait before asking again. */
export type LeaseAnswer = { readonly lease: HostLease } | { readonly waitMs: number };

/**
 * Where the processes that crawl agree on who asks which host when. Every operation is atomic. A lease that is not
 * given back, because its process died, ends by itself after `holdMs`.
 */
export interface LeaseStore {
  acquire(host: string, limits: HostLimits, holdMs: number): Promise<LeaseAnswer>;
  release(lease: HostLease): Promise<void>;
  /** Nobody asks the host for that long, as its `Retry-After` wants; of two calls the later end counts. */
  defer(host: string, forMs: number): Promise<void>;
}
