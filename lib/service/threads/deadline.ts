import { cpuUsage } from "node:process";

/**
 * How long a call may take from when a thread takes it up: milliseconds on the clock, or of processor time, so that it
 * is not given up because the machine is busy with others; of these at most eight times as many on the clock.
 */
export type Deadline = { readonly ms: number } | { readonly cpuMs: number };

/** A machine that is busy with other things may take this many times longer than the processor time allowed. */
const BUSY_FACTOR = 8;
const SHORTEST_MS = 20;

/** What a call has cost so far, in milliseconds. */
export type Spent = {
  /** Time on the clock. */
  elapsed: number;
  /** Processor time of the whole process, and the calls under way that share it. */
  used: number;
  sharedBy: number;
};

/** How long a call may go on before it is looked at again, in milliseconds; 0 when it has had its deadline. */
export function remainingMs(deadline: Deadline, { elapsed, used, sharedBy }: Spent): number {
  const left =
    "ms" in deadline
      ? deadline.ms - elapsed
      : Math.min(deadline.cpuMs - used / Math.max(1, sharedBy), deadline.cpuMs * BUSY_FACTOR - elapsed);
  return left <= 0 ? 0 : Math.max(SHORTEST_MS, left);
}

/** Processor time that the process has used, all threads together, in milliseconds. */
export function processorMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** The deadline in words. */
export function describeDeadline(deadline: Deadline): string {
  return "ms" in deadline ? `${deadline.ms} ms` : `${deadline.cpuMs} ms of processor time`;
}
