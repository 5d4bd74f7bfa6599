import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres, isUnavailable, type PostgresLease } from "@isnad/lib/store";
import postgres from "postgres";
import type { EngineUnderTrial } from "./engine.ts";
import type { Stack } from "./stack.ts";

/** The embedded database of a stack under trial, which may have been killed a moment ago. */
export async function leaseDatabase(dataDir: string): Promise<PostgresLease> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ensurePostgres({ dataDir });
    } catch (error) {
      if (attempt === 50 || !isUnavailable(error)) throw error;
      await sleep(100);
    }
  }
}

/**
 * A way to break a running stack: a process by its name (`api`, or one of several, `api-2`), what is below all, the
 * engine that it searches with, or the workers while one of them is at a stage.
 */
export type Fault =
  | "engine"
  | (typeof SERVICES)[number]
  | `${(typeof SERVICES)[number]}-${number}`
  | (typeof BELOW)[number]
  | `stage ${(typeof STAGES | typeof FIRST_STAGES)[number]}`;

const SERVICES = ["api", "workers", "retrieval", "scraper", "edge", "nlp"] as const;
const BELOW = ["postgres", "backend", "connections", "up"] as const;
const FIRST_STAGES = ["ingestion", "analysis"] as const;
/** Stages behind the search, at each of which the workers are killed once. */
export const STAGES = ["entities", "copies", "stories", "claims", "rerank"] as const;

export const FAULTS: readonly Fault[] = [
  ...(["api", "workers", "retrieval", "postgres", "backend", "connections", "up"] as const),
  ...STAGES.map((stage): Fault => `stage ${stage}`),
];

/** Processes of a stack with two of each service, `count` of them: each service in turn, which of the two is random. */
export function eitherOfTwo(count: number, random: () => number): Fault[] {
  return Array.from(
    { length: count },
    (_, i): Fault => `${SERVICES[i % SERVICES.length] ?? "api"}-${random() < 0.5 ? 1 : 2}`,
  );
}

/**
 * `count` deaths of what moves articles on: the workers in any stage, or between stages, where they tell webhooks and
 * follow for saved searches, and the search service, which follows for its indexes.
 */
export function anyStageOrFollower(count: number, random: () => number): Fault[] {
  const kinds: Fault[] = [
    ...[...FIRST_STAGES, ...STAGES].map((stage): Fault => `stage ${stage}`),
    ...(["workers", "retrieval", "retrieval"] as const),
  ];
  return Array.from({ length: count }, () => kinds[Math.floor(random() * kinds.length)] ?? "workers");
}

/** Breaks the stack: `kill -9` of a process, the end of every connection to the database, or the engine's own fault. */
export async function strike(
  { stack, engine, random }: { stack: Stack; engine?: EngineUnderTrial | undefined; random: () => number },
  fault: Fault,
): Promise<void> {
  switch (fault) {
    case "engine":
      return engine?.strike();
    case "up":
      return stack.restart("SIGKILL");
    case "postgres":
      return kill(postmaster(stack));
    case "backend": {
      const pids = backends(postmaster(stack));
      return kill(pids[Math.floor(random() * pids.length)]);
    }
    case "connections":
      return endConnections(stack);
    default:
      if (fault.startsWith("stage ")) await busy(stack, fault.slice("stage ".length));
      return kill(stack.info().pids[fault.startsWith("stage ") ? "workers" : fault]);
  }
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It had just ended by itself.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function postmaster({ dataDir }: Stack): number {
  const file = join(dataDir, "postgres", "cluster", "postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n")[0]);
}

/** The processes that serve connections of the platform. */
function backends(parent: number): number[] {
  const list = execFileSync("ps", ["-e", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [pid, ppid, ...args] = line.trim().split(/\s+/);
    return Number(ppid) === parent && args.join(" ").startsWith("postgres: isnad isnad") ? [Number(pid)] : [];
  });
}

/** Longest wait until a stage has an article in hand, in milliseconds, and until one waits for it at all. */
const BUSY_MS = 60_000;
const IDLE_MS = 5_000;

/** Resolves as soon as the workers that run now hold an article of a stage, or it has done all that there was. */
async function busy(stack: Stack, stage: string): Promise<void> {
  const lease = await leaseDatabase(stack.dataDir);
  const sql = postgres(lease.url, { max: 1, onnotice: () => {} });
  const begin = performance.now();
  const passed = () => performance.now() - begin;
  try {
    for (; passed() < BUSY_MS; await sleep(5)) {
      try {
        const owner = `%:${stack.info().pids.workers}/%`;
        const [row] = await sql<{ held: number; open: number }[]>`
          select count(*) filter (where lease_owner like ${owner})::int as held, count(*)::int as open from work
          where stage = ${stage} and set_aside_at is null`;
        if (row === undefined || row.held > 0 || (row.open === 0 && passed() > IDLE_MS)) return;
      } catch (error) {
        // It was killed a moment ago.
        if (!isUnavailable(error)) throw error;
      }
    }
  } finally {
    await sql.end();
    await lease.release();
  }
}

async function endConnections({ dataDir }: Stack): Promise<void> {
  const lease = await leaseDatabase(dataDir);
  const sql = postgres(lease.url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
  } finally {
    await sql.end();
    await lease.release();
  }
}
