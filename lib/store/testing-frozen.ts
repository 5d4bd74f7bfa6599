import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ensurePostgres } from "./embedded/ensure.ts";
import { runningPostmaster } from "./embedded/pidfile.ts";
import { codeOf } from "./errors.ts";
import { migrate } from "./migrate.ts";

/** A Postgres of the test's own that can be stopped in its tracks. */
export type FreezablePostgres = {
  url: string;
  /** Stops the server and all its backends (SIGSTOP): connections stay, and nothing is answered. */
  freeze(): void;
  /** Resumes the processes of the server. */
  thaw(): void;
  /** Resumes the processes, ends the server, and removes its files. */
  close(): Promise<void>;
};

/** Starts a Postgres with the platform's schema, for a test that freezes it; nobody else may use it. */
export async function freezablePostgres(): Promise<FreezablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "isnad-frozen-"));
  const lease = await ensurePostgres({ dataDir, settings: { fsync: "off" } });
  await migrate(lease.url);
  const server = await runningPostmaster(join(dataDir, "postgres", "cluster"));
  if (server === undefined) throw new Error("the server that was started does not run");
  const frozen = new Set<number>();
  const thaw = (): void => {
    for (const pid of frozen) signal(pid, "SIGCONT");
    frozen.clear();
  };
  return {
    url: lease.url,
    freeze() {
      // The server first: it makes no more backends then.
      for (const pid of [server.pid, ...childrenOf(server.pid)]) {
        signal(pid, "SIGSTOP");
        frozen.add(pid);
      }
    },
    thaw,
    async close() {
      thaw();
      await lease.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function childrenOf(parent: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : []));
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // A backend that has ended meanwhile.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
