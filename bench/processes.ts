import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "../e2e/faults/stack.ts";

/** Processor seconds and memory of one process, or of several that count as one. */
export type Usage = { cpuS: number; rssMb: number };

/** Returns what each process of the stack has used so far; `postgres` is the server with all its backends. */
export function usage(stack: Stack): Record<string, Usage> {
  const rows = processTable();
  const postmaster = postmasterOf(stack);
  const used: Record<string, Usage> = {};
  for (const [name, pid] of Object.entries(stack.info().pids)) used[name] = sum(rows.filter((row) => row.pid === pid));
  used.postgres = sum(rows.filter((row) => row.pid === postmaster || row.ppid === postmaster));
  return used;
}

/** Returns what processes have used so far, as one. */
export function usageOfProcesses(pids: readonly number[]): Usage {
  return sum(processTable().filter(({ pid }) => pids.includes(pid)));
}

/** Returns the share in the machine's memory of each process of the stack, in MB (PSS); `postgres` is all of it. */
export function footprintOf(stack: Stack): Record<string, number> {
  const rows = processTable();
  const postmaster = postmasterOf(stack);
  const shares: Record<string, number> = {};
  for (const [name, pid] of Object.entries(stack.info().pids)) shares[name] = pssMb(pid);
  shares.postgres = rows
    .filter(({ pid, ppid }) => pid === postmaster || ppid === postmaster)
    .reduce((sum, { pid }) => sum + pssMb(pid), 0);
  return shares;
}

/** Returns the share of a process in the machine's memory, in MB; 0 for one that has ended. */
export function pssMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
  } catch (error) {
    if (error instanceof Error) return 0;
    throw error;
  }
}

function postmasterOf(stack: Stack): number {
  const file = join(stack.dataDir, "postgres", "cluster", "postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n")[0]);
}

type Row = { pid: number; ppid: number; cpuS: number; rssMb: number };

function processTable(): Row[] {
  const list = execFileSync("ps", ["-e", "-o", "pid=,ppid=,cputimes=,rss="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [pid, ppid, cpuS, rss] = line.trim().split(/\s+/).map(Number);
    if (!pid || ppid === undefined || cpuS === undefined || rss === undefined) return [];
    return [{ pid, ppid, cpuS: fineCpuS(pid) ?? cpuS, rssMb: rss / 1024 }];
  });
}

/** Processor seconds of a process in hundredths, where the system tells them so finely. */
export function fineCpuS(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Memory that processes share, as those of Postgres do, is counted for each of them: the sum is an upper bound. */
function sum(rows: readonly Row[]): Usage {
  const of = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return { cpuS: of((row) => row.cpuS), rssMb: Math.round(of((row) => row.rssMb)) };
}

/** Keeps, by process, the most memory seen and the latest processor time. */
export function peak(into: Record<string, Usage>, now: Record<string, Usage>): void {
  for (const [name, { cpuS, rssMb }] of Object.entries(now)) {
    into[name] = { cpuS, rssMb: Math.max(rssMb, into[name]?.rssMb ?? 0) };
  }
}

/**
 * The value of a metric of the service at `url`, -1 while it does not answer or has none of that name; labels are part
 * of the name.
 */
export async function gauge(url: string, name: string): Promise<number> {
  const line = (await lines(url)).find((each) => each.startsWith(`${name} `));
  return line === undefined ? -1 : Number(line.slice(name.length + 1));
}

/** Counts the articles that wait for any stage, as the service at `url` knows it; -1 while it does not. */
export async function waiting(url: string): Promise<number> {
  const counts = (await lines(url)).flatMap((line) => {
    const [, count] = /^worker_\w*backlog\{[^}]*state="waiting"[^}]*\} (\d+)$/.exec(line) ?? [];
    return count === undefined ? [] : [Number(count)];
  });
  return counts.length === 0 ? -1 : counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the lines of a service's metrics; none while it does not answer. */
async function lines(url: string): Promise<string[]> {
  try {
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
    return (await response.text()).split("\n");
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}
