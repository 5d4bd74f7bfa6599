import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs, errorMessage } from "../std/mod.ts";
import {
  articleIdOfKey,
  type FollowerState,
  LOG_START,
  type LogEntry,
  type LogPosition,
  type Store,
} from "../store/mod.ts";

/**
 * Holds what is kept equal to the log. Every call may be repeated, and may be the last one before a crash: what it
 * holds, and the position that it says, never tell of more than it holds.
 */
export type Sink = {
  /**
   * Returns up to where its contents go; undefined where they are of no use, or are to be made again. Asked before
   * every step, so that what happens to an index is noticed.
   */
  position(): Promise<LogPosition | undefined>;
  /**
   * Takes changes over, in their order, as the store has these articles now. What it holds then goes up to `to`; where
   * that is missing it goes as far as before.
   */
  apply(entries: readonly LogEntry[], to?: LogPosition): Promise<void>;
  /** Says that it holds everything that the log has: what was built since a reset serves from now on. */
  complete(): Promise<void>;
  /** Begins with nothing. What it held goes on serving until it is complete again. */
  reset(): Promise<void>;
  /** Returns up to `limit` keys of articles that it holds, above `after`, ascending. */
  keys(after: number, limit: number): Promise<number[]>;
  /** Does what is due now and then, while there is nothing to follow: writes a snapshot, for instance. */
  idle?(): Promise<void>;
};

/** One event a line; the first argument holds its fields. */
export type FollowLogger = Record<"info" | "warn", (fields: object, message: string) => void>;

type FollowOptions = {
  /** Holds what the sink is, as operators read it. */
  name: string;
  store: Pick<Store, "log" | "followers">;
  sink: Sink;
  logger: FollowLogger;
  /** Changes applied at a time (256). */
  batch?: number;
  /** Says how often is looked for changes that were not announced, in milliseconds (1,000). */
  pollMs?: number;
  /**
   * For an engine that several processes could feed: one that has this name does at a time, and another takes over.
   * Without it the sink is of this process alone.
   */
  owner?: string | undefined;
  /** Name under which the state is written down; `name` where nothing is given. */
  reportAs?: string;
};

/** Says how a follower stands. */
type FollowerStatus = {
  state: FollowerState;
  /** Changes of the log that were not followed when it was read last. */
  behind: number;
  position: LogPosition;
  resets: number;
  reason: string | null;
  /** True when the sink has held everything that the log had when this began. */
  caughtUp: boolean;
  /** True when this process feeds the sink, and not another one. */
  leads: boolean;
};

/** Keeps a sink equal to the log. */
export type Follower = {
  readonly name: string;
  status(): FollowerStatus;
  /** Resolves when the sink holds everything that the log had at the start. Rejects when it is closed before. */
  whenCaughtUp(): Promise<void>;
  /** Looks for changes now. */
  wake(): void;
  close(): Promise<void>;
};

const BACKOFF = { baseMs: 250, maxMs: 5_000 };
/** Keys compared at a time. */
const WINDOW = 5_000;
/** Says how long another process waits for one that says nothing, in seconds. */
const LEASE_S = 15;
/** Says how often the state is written down while it stays the same, in milliseconds. */
const REPORT_MS = 5_000;

/**
 * Follows the log into a sink until it is closed. Where the log has not the row that the sink went up to (the database
 * went back in time, is another one, or dropped what is long past), the sink is compared with the database key by key
 * and made equal; where it says that it is of no use, it is filled from the beginning. Whatever fails is tried again
 * after growing waits.
 */
export function follow(options: FollowOptions): Follower {
  const { name, store, sink, logger, batch = 256, pollMs = 1_000, owner, reportAs = name } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);
  const status: FollowerStatus = {
    state: "filling",
    behind: 0,
    position: LOG_START,
    resets: 0,
    reason: null,
    caughtUp: false,
    leads: owner === undefined,
  };
  /** Up to where the sink has to go before it is said to be complete: what the log had when it began. */
  let goal: number | undefined;
  /** True when it is made again because an operator asks for it. */
  let rebuilding = false;
  let noticed = Promise.withResolvers<void>();
  let unlisten: (() => Promise<void>) | undefined;
  let reported = { text: "", at: Number.NEGATIVE_INFINITY };
  let leasedAt = Number.NEGATIVE_INFINITY;
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);

  async function report(): Promise<void> {
    const { state, resets, reason, position } = status;
    const text = JSON.stringify([state, resets, reason]);
    if (text === reported.text && performance.now() - reported.at < REPORT_MS) return;
    await store.followers.put({ name: reportAs, state, seq: position.seq, resets, reason });
    reported = { text, at: performance.now() };
  }

  async function begin(reason: string, state: FollowerState): Promise<void> {
    status.resets += 1;
    status.reason = reason;
    status.state = state;
    await report();
  }

  /** Finds out where the sink is. One that is of no use is filled from the beginning. */
  async function locate(): Promise<void> {
    const position = await sink.position();
    if (position !== undefined) {
      status.position = position;
      return;
    }
    await fill("there was none that could be used");
  }

  /** Begins an index with nothing; what there was serves until it is complete. */
  async function fill(reason: string): Promise<void> {
    await sink.reset();
    status.position = LOG_START;
    goal = undefined;
    await begin(reason, "filling");
    logger.info({ follower: name, reason }, "index is filled from the beginning");
  }

  /** Makes the sink hold what the database holds: adds what is missing, takes out what is too much. */
  async function heal(reason: string): Promise<void> {
    await begin(reason, "healing");
    logger.warn({ follower: name, position: status.position.seq, reason }, "index is compared with the database");
    const head = await store.log.head();
    const epoch = await store.log.noteEpoch();
    if (epoch?.first === false) logger.warn({ follower: name, ...epoch }, "another server writes the log of changes");
    const done = await reconcile({ store, sink, signal, batch });
    await sink.apply([], head);
    status.position = head;
    goal = undefined;
    logger.warn({ follower: name, ...done, seq: head.seq }, "index was made equal to the database");
  }

  /** Takes one step. Returns whether there may be more to do. */
  async function step(): Promise<boolean> {
    unlisten ??= await store.log.listen(() => noticed.resolve());
    if (owner !== undefined && !(await lead(owner))) return false;
    noticed = Promise.withResolvers();
    await locate();
    const { same, head, entries, next, wanted } = await store.log.read(status.position, {
      limit: batch,
      follower: reportAs,
    });
    if (wanted === "rebuild" && !rebuilding) {
      rebuilding = true;
      await fill("it was asked for");
      return true;
    }
    if (wanted === "compare") {
      await heal("it was asked for");
      await store.followers.settle(reportAs);
      return true;
    }
    if (!same) {
      const ahead = status.position.seq > head;
      await heal(ahead ? "it was ahead of the log: the database went back" : "the log is of another history");
      return true;
    }
    goal ??= head;
    if (entries.length > 0) {
      await sink.apply(entries, next);
      status.position = next;
    }
    const more = entries.length === batch;
    status.behind = more ? head - next.seq : 0;
    if (!more || next.seq >= goal) await completed();
    if (!more) {
      await sink.idle?.();
      if (rebuilding) await store.followers.settle(reportAs);
      rebuilding = false;
    }
    await report();
    return more;
  }

  /** Has what was filled or healed serve. */
  async function completed(): Promise<void> {
    await sink.complete();
    if (status.state === "following") return;
    status.state = "following";
    if (!status.caughtUp)
      logger.info({ follower: name, seq: status.position.seq }, "index holds what the database holds");
    status.caughtUp = true;
    first.resolve();
  }

  /** Returns whether this process feeds the sink now. */
  async function lead(self: string): Promise<boolean> {
    if (status.leads && performance.now() - leasedAt < (LEASE_S * 1000) / 3) return true;
    status.leads = await store.followers.lease(reportAs, { owner: self, leaseS: LEASE_S });
    leasedAt = performance.now();
    return status.leads;
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const more = await step();
        failures = 0;
        if (!more) await Promise.race([noticed.promise, wait(pollMs)]);
      } catch (error) {
        if (signal.aborted) break;
        const retryMs = backoffMs(failures++, BACKOFF);
        status.state = "failing";
        status.reason = errorMessage(error);
        logger.warn({ follower: name, err: error, retryMs }, "index cannot follow the database");
        await report().catch(() => undefined);
        await wait(retryMs);
      }
    }
  }

  const running = run();
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    stop.abort();
    noticed.resolve();
    await running;
    first.reject(new Error(`${name} was closed`));
    await unlisten?.().catch(() => undefined);
    const leaving = owner === undefined ? store.followers.leave(reportAs) : store.followers.free(reportAs, owner);
    await leaving.catch(() => undefined);
  }

  return {
    name,
    status: () => ({ ...status }),
    whenCaughtUp: () => first.promise,
    wake: () => noticed.resolve(),
    close: () => (closing ??= close()),
  };
}

/** Holds what a comparison changed. */
type Reconciled = { checked: number; added: number; removed: number };

/**
 * Compares the keys of a sink with those of the indexed articles, window by window; adds what is missing and takes out
 * what is no article any more. A key is of one text only, so equal keys are equal contents.
 */
async function reconcile({
  store,
  sink,
  signal,
  batch = 256,
}: {
  store: Pick<Store, "log">;
  sink: Pick<Sink, "apply" | "keys" | "position">;
  signal?: AbortSignal | undefined;
  batch?: number;
}): Promise<Reconciled> {
  const done: Reconciled = { checked: 0, added: 0, removed: 0 };
  for (let after = 0; ; ) {
    signal?.throwIfAborted();
    const wanted = await store.log.keys(after, WINDOW);
    const held = await sink.keys(after, WINDOW);
    const last = Math.min(endOf(wanted), endOf(held));
    const right = new Set(wanted.filter((key) => key <= last));
    const present = new Set(held.filter((key) => key <= last));
    const missing = [...right].filter((key) => !present.has(key));
    const extra = [...present].filter((key) => !right.has(key));
    // What is too much goes first: its number may be that of an article which is missing.
    const entries = [
      ...extra.map((key): LogEntry => ({ key, articleId: articleIdOfKey(key), deleted: true })),
      ...missing.map((key): LogEntry => ({ key, articleId: articleIdOfKey(key), deleted: false })),
    ];
    for (let i = 0; i < entries.length; i += batch) {
      signal?.throwIfAborted();
      await sink.apply(entries.slice(i, i + batch));
    }
    done.checked += right.size;
    done.added += missing.length;
    done.removed += extra.length;
    if (last === Number.POSITIVE_INFINITY) return done;
    after = last;
  }
}

/** Returns the key up to which a page of keys is complete. */
function endOf(keys: readonly number[]): number {
  return keys.length < WINDOW ? Number.POSITIVE_INFINITY : (keys.at(-1) ?? 0);
}
