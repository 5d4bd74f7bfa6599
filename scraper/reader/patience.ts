import { cpuUsage } from "node:process";

/** A machine that is busy with other things may take this many times longer than the deadline. */
const PATIENCE = 8;
const SHORTEST_MS = 20;

/** What a task has cost so far, in milliseconds. */
export interface Spent {
  /** Time on the clock. */
  readonly waited: number;
  /** Processor time of the whole process, and the tasks under way that share it. */
  readonly used: number;
  readonly sharedBy: number;
}

/**
 * How long a task may go on before it is looked at again, in milliseconds; 0 when it has had its deadline. What counts is
 * processor time, so that a page is not given up because the machine is busy with others, up to eight times the deadline.
 */
export function patience(deadlineMs: number, { waited, used, sharedBy }: Spent): number {
  const own = used / Math.max(1, sharedBy);
  const left = Math.min(deadlineMs - own, deadlineMs * PATIENCE - waited);
  return left <= 0 ? 0 : Math.max(SHORTEST_MS, left);
}

/** Processor time that the process has used, all threads together, in milliseconds. */
export function processorMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}
