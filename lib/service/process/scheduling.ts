import { readFileSync, readlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { platform, versions } from "node:process";

/** Policies of Linux: a thread under `IDLE` runs where no other one wants to, and gives way at once when one does. */
const POLICIES = { NORMAL: 0, IDLE: 5 };
type Policy = keyof typeof POLICIES;

/** Capability to change priorities, as a bit; levels of nice that a limit counts from. */
const CAP_SYS_NICE = 1n << 23n;
const NICE_LEVELS = 20;

/** Says how long a thread ran, and waited to run, since it began; in milliseconds. */
export type ThreadTimes = { ran: number; waited: number };

/** Returns the number that Linux knows the calling thread by; undefined elsewhere. */
export function threadNumber(): number | undefined {
  if (platform !== "linux") return undefined;
  return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
}

/** Returns the times of a thread of this process; undefined where it ended, or the kernel does not tell. */
export function threadTimes(thread: number): ThreadTimes | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ").map(Number);
    return { ran: ran / 1e6, waited: waited / 1e6 };
  } catch {
    return undefined;
  }
}

/** Tells whether this process may give a thread that has a lower priority this one, in levels of nice. */
export function mayRaiseTo(priority: number): boolean {
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
export function setPolicy(thread: number, policy: Policy): boolean {
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
