import { readFileSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { pid, platform, versions } from "node:process";
import { constants, getPriority, setPriority } from "node:os";
import { performance } from "node:perf_hooks";
import type { Background } from "./protocol.ts";

/** Policies of Linux: a thread under `IDLE` runs where no other one wants to, and gives way at once when one does. */
const POLICIES = { NORMAL: 0, IDLE: 5 };
type Policy = keyof typeof POLICIES;

/** Capability to change priorities, as a bit; levels of nice that a limit counts from. */
const CAP_SYS_NICE = 1n << 23n;
const NICE_LEVELS = 20;

/** Says how long a thread ran, and waited to run, since it began; in milliseconds. */
type ThreadTimes = { ran: number; waited: number };

/** Returns the number that Linux knows the calling thread by; undefined elsewhere. */
export function threadNumber(): number | undefined {
  if (platform !== "linux") return undefined;
  return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
}

/** Returns the times of a thread of this process; undefined where it ended, or the kernel does not tell. */
function threadTimes(thread: number): ThreadTimes | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ").map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    return undefined;
  }
}

/** Tells whether this process may give a thread that has a lower priority this one, in levels of nice. */
function mayRaiseTo(priority: number): boolean {
  if (platform !== "linux" || versions.bun === undefined) return false;
  const capabilities = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  if ((BigInt(`0x${capabilities}`) & CAP_SYS_NICE) !== 0n) return true;
  const limit = /^Max nice priority\s+(\w+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === "unlimited" || Number(limit) >= NICE_LEVELS - priority;
}

/** Holds what Bun calls a function of a native library with. */
type ForeignFunctions = {
  dlopen(
    library: string,
    functions: { sched_setscheduler: { args: readonly string[]; returns: string } },
  ): { symbols: { sched_setscheduler(thread: number, policy: number, parameters: Uint8Array): number } };
};

let setScheduler: ReturnType<ForeignFunctions["dlopen"]>["symbols"]["sched_setscheduler"] | undefined;

/** Gives a thread a policy; false where the system does not let it. */
function setPolicy(thread: number, policy: Policy): boolean {
  try {
    const ffi: ForeignFunctions = createRequire(import.meta.url)("bun:ffi");
    setScheduler ??= ffi.dlopen("libc.so.6", {
      sched_setscheduler: { args: ["i32", "i32", "ptr"], returns: "i32" },
    }).symbols.sched_setscheduler;
    // Of both policies the only parameter is 0.
    return setScheduler(thread, POLICIES[policy], new Uint8Array(4)) === 0;
  } catch {
    return false;
  }
}

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/**
 * Half the share of one in the background: the lowest priority of all would starve beside anything else. Where the
 * process may raise it again, such a thread is behind all others beside that.
 */
const PRIORITY_IDLE = PRIORITY_BELOW_NORMAL + 3;

/** Priority of this process as it was started: its main thread may step aside itself. */
const PROCESS_PRIORITY = getPriority();

/** Says how often a thread is looked at, in milliseconds. */
const LOOK_MS = 1_000;

/** Processor time that a thread takes as others do before it steps aside, in milliseconds: some dozen articles. */
const ALLOWANCE_MS = 1_000;

/** Share of the time by which a spent allowance grows again. */
const REFILL = 0.05;

/** Shares of the time between: a thread that waits for a processor for more and runs for less is starved. */
const STARVED = { waits: 0.5, runs: 0.05 };

/** Part of an allowance for which a starved thread comes forward. */
const FORWARD_SHARE = 0.25;

/** Holds what a look at a thread shows: what it did since the last one, in milliseconds, and whether it has work. */
type Look = ThreadTimes & { elapsedMs: number; isBusy: boolean };

/** Tells whether a thread got next to nothing of what it wanted to run. */
export function isStarved({ ran, waited, elapsedMs }: Look): boolean {
  return waited > STARVED.waits * elapsedMs && ran < STARVED.runs * elapsedMs;
}

/**
 * Decides when a thread steps aside. A little work is done at the priority of all: somebody may wait for the first
 * articles. More of it takes the allowance up, and is done in the background. That fills the allowance slowly: a thread
 * that rested long enough comes forward again, and one that starves beside other programs does so for a moment.
 */
export class Allowance {
  readonly #most: number;
  #left: number;
  #isAside = false;

  constructor(most = ALLOWANCE_MS) {
    this.#most = most;
    this.#left = most;
  }

  /** Returns whether the thread is to be in the background from this look on. */
  look(look: Look): boolean {
    const earned = this.#left + REFILL * look.elapsedMs;
    if (this.#isAside) {
      this.#left = Math.min(this.#most, earned);
      const isNeeded = look.isBusy && isStarved(look) && this.#left >= FORWARD_SHARE * this.#most;
      this.#isAside = this.#left < this.#most && !isNeeded;
    } else {
      this.#left = Math.max(-this.#most, Math.min(this.#most, earned - look.ran));
      this.#isAside = this.#left <= 0;
    }
    return this.#isAside;
  }
}

/** Describes how a thread is kept in the background. */
type BackgroundOptions = {
  background: Exclude<Background, false>;
  /** Tells whether it holds calls. */
  isBusy: () => boolean;
  /** See {@link Allowance}; 0: it is aside from the start. */
  allowanceMs?: number | undefined;
};

/**
 * Lets a thread of this process step aside once it has had its {@link Allowance}. Where the process may not give it
 * back what it takes from it, it does so for good. Nothing where priorities belong to processes (elsewhere than on
 * Linux).
 */
export class BackgroundThread {
  readonly #thread: number;
  readonly #options: BackgroundOptions;
  readonly #allowance: Allowance;
  readonly #mayReturn: boolean = mayRaiseTo(PROCESS_PRIORITY);
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: { at: number; times: ThreadTimes };
  #isAside = false;

  constructor(thread: number, options: BackgroundOptions) {
    this.#thread = thread;
    this.#options = options;
    this.#allowance = new Allowance(options.allowanceMs);
    const times = threadTimes(thread);
    this.#last = { at: performance.now(), times: times ?? { ran: 0, waited: 0 } };
    if (platform !== "linux") return;
    this.#place(times === undefined || options.allowanceMs === 0);
    if (!this.#isAside) this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Looks at it no more. */
  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const times = threadTimes(this.#thread);
    if (times === undefined) {
      this.close();
      return;
    }
    const { at, times: before } = this.#last;
    this.#last = { at: performance.now(), times };
    const isAside = this.#allowance.look({
      ran: times.ran - before.ran,
      waited: times.waited - before.waited,
      elapsedMs: this.#last.at - at,
      isBusy: this.#options.isBusy(),
    });
    if (isAside !== this.#isAside) this.#place(isAside);
  }

  #place(isAside: boolean): void {
    this.#isAside = isAside;
    const isIdle = this.#options.background === "idle";
    const nice = isIdle ? PRIORITY_IDLE : PRIORITY_BELOW_NORMAL;
    try {
      // A larger number goes later.
      if (isAside || this.#mayReturn)
        setPriority(this.#thread, isAside ? Math.max(PROCESS_PRIORITY, nice) : PROCESS_PRIORITY);
    } catch {
      // It has ended, or the system does not let it.
      this.close();
      return;
    }
    if (this.#mayReturn && isIdle) setPolicy(this.#thread, isAside ? "IDLE" : "NORMAL");
    if (isAside && !this.#mayReturn) this.close();
  }
}

/**
 * Lets the main thread of this process step aside as a {@link BackgroundThread} does, where it may come forward again:
 * for a process that does more than anybody waits for.
 */
export function stepAside(): Disposable {
  const main = mayRaiseTo(PROCESS_PRIORITY)
    ? new BackgroundThread(pid, { background: true, isBusy: () => true })
    : undefined;
  return { [Symbol.dispose]: () => main?.close() };
}
