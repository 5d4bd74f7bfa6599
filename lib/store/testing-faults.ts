import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { freePort } from "../std/ports.ts";
import { testProxy } from "../std/testing-proxy.ts";
import { codeOf } from "./client.ts";
import { ensurePostgres } from "./embedded/ensure.ts";
import { accountFor } from "./embedded/programs.ts";
import { runningPostmaster } from "./embedded/server.ts";
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
  const server = runningPostmaster(join(dataDir, "postgres", "cluster"));
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

/** Listens on a port of loopback as soon as it is free, as any program may. Returns what gives it back. */
export async function takePort(port: number): Promise<() => void> {
  for (;;) {
    const server = createServer();
    const isTaken = await new Promise<boolean>((resolve) => {
      server
        .once("error", () => resolve(false))
        .listen({ host: "127.0.0.1", port, exclusive: true }, () => resolve(true));
    });
    if (isTaken) return () => void server.close();
  }
}

/** A way to a Postgres on which the connection breaks at the next commit. */
export type LosingProxy = {
  url: string;
  /**
   * Breaks the connection that commits next: `answered` once the server has committed, before its answer is passed on;
   * `unsent` instead of passing the commit on.
   */
  loseNext(when: "answered" | "unsent"): void;
  /** Returns how many commits lost their connection. */
  lost(): number;
  close(): Promise<void>;
};

/** The driver's statement that commits, where it is prepared, with the name that later ones go by. */
const PREPARED = /([a-z0-9]+)\0commit\0/;
const ANSWER = "COMMIT\0";

/** A proxy on loopback before the Postgres at `url` that loses commits when it is told to. */
export async function losingProxy(url: string): Promise<LosingProxy> {
  let next: "answered" | "unsent" | undefined;
  let lost = 0;
  const proxy = await testProxy(url, (client, upstream) => {
    let losing = false;
    let name: string | undefined;
    const commits = (text: string): boolean => {
      name ??= PREPARED.exec(text)?.[1];
      return name !== undefined && text.includes(`${name}\0`);
    };
    const lose = (): void => {
      lost++;
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (bytes) => {
      const when = next;
      if (!commits(bytes.toString("latin1")) || when === undefined) return upstream.write(bytes);
      next = undefined;
      if (when === "unsent") return lose();
      losing = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => (losing && bytes.includes(ANSWER) ? lose() : client.write(bytes)));
  });
  return {
    url: proxy.url,
    loseNext(when) {
      next = when;
    },
    lost: () => lost,
    close: proxy.close,
  };
}

/** Says where Debian and its derivatives put the programs of each version. */
const VERSIONS = "/usr/lib/postgresql";

/** A server of another version than the embedded one; `major` is that of its version. */
export type OtherPostgres = { url: string; major: number; stop(): void };

/** The folder of the programs of the oldest other PostgreSQL that is installed, from 14 on. */
function otherPrograms(): { folder: string; major: number } | undefined {
  const majors = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const major = majors.filter((version) => version >= 14 && version !== 18).sort((a, b) => a - b)[0];
  const folder = join(VERSIONS, String(major), "bin");
  return major !== undefined && existsSync(join(folder, "initdb")) ? { folder, major } : undefined;
}

/** Tells whether this machine has a PostgreSQL of another version to test against. */
export const hasOtherPostgres = otherPrograms() !== undefined;

/** Says once, for the log of the tests, that those against another PostgreSQL are left out. */
export function sayThatOtherPostgresIsMissing(): void {
  if (hasOtherPostgres) return;
  process.stderr.write(`no other PostgreSQL from 14 on in ${VERSIONS}: the tests against it are skipped\n`);
}

/** Starts a server of another version on loopback, with a cluster of its own that is gone when it stops. */
export async function otherPostgres(): Promise<OtherPostgres> {
  const programs = otherPrograms();
  if (programs === undefined) throw new Error("no other PostgreSQL is installed");
  const folder = mkdtempSync(join(tmpdir(), "isnad-other-postgres-"));
  const cluster = join(folder, "cluster");
  const account = accountFor(cluster, [cluster, programs.folder]);
  account.own(folder);
  mkdirSync(cluster, { mode: 0o700 });
  account.own(cluster);
  const run = (name: string, args: readonly string[]) => {
    const [program, all] = account.command(join(programs.folder, name), args);
    const { status, stdout } = spawnSync(program, all, { ...account.ids, cwd: "/", encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout}`);
  };
  run("initdb", ["-D", cluster, "-U", "isnad", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run("pg_ctl", ["-D", cluster, "-w", "-l", join(folder, "log"), "-o", options, "start"]);
  return {
    url: `postgres://isnad@127.0.0.1:${port}/postgres`,
    major: programs.major,
    stop() {
      run("pg_ctl", ["-D", cluster, "-m", "immediate", "-w", "stop"]);
      rmSync(folder, { recursive: true });
    },
  };
}
