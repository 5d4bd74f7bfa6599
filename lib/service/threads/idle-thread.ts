import { readFileSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { performance } from "node:perf_hooks";
import { platform, versions } from "node:process";

/**
 * Half the share of one in the background: the lowest priority of all would starve beside anything else. Where the
 * process may, an {@link IdleThread} is kept behind all others beside that.
 */
export const PRIORITY_IDLE = constants.priority.PRIORITY_BELOW_NORMAL + 3;

/** Policies of Linux: a thread under `IDLE` runs where no other one wants to, and gives way at once when one does. */
const POLICIES = { NORMAL: 0, IDLE: 5 };
type Policy = keyof typeof POLICIES;

/** Milliseconds between two looks at a thread that holds calls. */
const LOOK_MS = 1_000;
/** Shares of the time between: a thread that waits for a processor for more and runs for less is starved. */
const STARVED = { waits: 0.5, runs: 0.05 };
/** Looks for which one that was starved has the share of its priority. */
const SPARED_LOOKS = 30;

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

/** Tells whether a thread got next to nothing of what it wanted to run between two looks. */
export function isStarved(before: ThreadTimes, now: ThreadTimes, elapsedMs: number): boolean {
  return now.waited - before.waited > STARVED.waits * elapsedMs && now.ran - before.ran < STARVED.runs * elapsedMs;
}

/**
 * Keeps a thread of this process behind all others: a low priority alone lets it finish its turn of some milliseconds
 * before a search that wakes up beside it may run. Where it starves, since other programs take all processors, it has
 * the share of its priority for a while. Nothing where the process may not give a thread back what it took from it.
 */
export class IdleThread {
  readonly #thread: number;
  readonly #isBusy: () => boolean;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: { at: number; times: ThreadTimes };
  #spared = 0;

  /** `isBusy` tells whether it holds calls. */
  constructor(thread: number, isBusy: () => boolean) {
    this.#thread = thread;
    this.#isBusy = isBusy;
    this.#last = { at: performance.now(), times: { ran: 0, waited: 0 } };
    if (!mayReturn() || !setPolicy(thread, "IDLE")) return;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Looks at it no more. */
  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const times = timesOf(this.#thread);
    if (times === undefined) {
      this.close();
      return;
    }
    const now = { at: performance.now(), times };
    if (this.#spared > 0 && --this.#spared === 0) setPolicy(this.#thread, "IDLE");
    else if (this.#spared === 0 && this.#isBusy() && isStarved(this.#last.times, times, now.at - this.#last.at)) {
      this.#spared = SPARED_LOOKS;
      setPolicy(this.#thread, "NORMAL");
    }
    this.#last = now;
  }
}

/** Returns the times of a thread of this process; undefined where it ended, or the kernel does not tell. */
function timesOf(thread: number): ThreadTimes | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ").map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    return undefined;
  }
}

/** Tells whether this process may give a thread its priority back. */
function mayReturn(): boolean {
  if (platform !== "linux" || versions.bun === undefined || timesOf(Number(threadNumber())) === undefined) return false;
  const capabilities = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  if ((BigInt(`0x${capabilities}`) & CAP_SYS_NICE) !== 0n) return true;
  const limit = /^Max nice priority\s+(\w+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === "unlimited" || Number(limit) >= NICE_LEVELS - PRIORITY_IDLE;
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
