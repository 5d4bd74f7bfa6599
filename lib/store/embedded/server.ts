import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  truncateSync,
} from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, PostgresStartError } from "../client.ts";
import { folderError, type Layout } from "./layout.ts";
import type { Account, Binaries } from "./programs.ts";

/** Holds what a running server says of itself in `postmaster.pid`. */
export type Postmaster = { pid: number; port: number; status: "starting" | "ready" | "stopping" };

/** Reads `postmaster.pid` of the cluster; undefined when there is none or its process is gone. */
export function runningPostmaster(cluster: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isPostgres(pid, cluster)) return undefined;
  const word = lines[7]?.trim();
  return { pid, port: Number(lines[3] ?? 0), status: word === "ready" || word === "stopping" ? word : "starting" };
}

/** Tells whether a process of this id is there; one that belongs to another account counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/** A process id is used again after a while: on Linux, look whether it is a Postgres of this cluster that lives. */
function isPostgres(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres") && worksIn(pid, cluster) !== false;
  } catch {
    return false;
  }
}

/**
 * Tells whether a process works in a folder, as a Postgres does in its cluster; undefined where that may not be seen.
 */
function worksIn(pid: number, folder: string): boolean | undefined {
  let at: string;
  try {
    at = readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if (codeOf(error) === "EACCES") return undefined;
    throw error;
  }
  return at === realpathSync(folder);
}

/** A server whose starter lives and has not yet been told of its end still has an entry in the process table. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** The role and the database that the platform uses in its own cluster. */
export const ROLE = "isnad";

const LOG_LIMIT_BYTES = 8 * 2 ** 20;

/** Makes a new cluster in a folder beside its place and moves it there when it is whole. */
export async function initCluster(layout: Layout, binaries: Binaries, account: Account, password: string) {
  // Of this start alone: initdb outlives a starter that is killed, and goes on in its folder.
  const fresh = `${layout.cluster}.new-${randomUUID()}`;
  const secrets = await mkdtemp(join(tmpdir(), "isnad-initdb-"));
  const passwordFile = join(secrets, "password");
  try {
    await mkdir(fresh, { mode: 0o700 });
    account.own(fresh);
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    account.own(passwordFile);
    account.own(secrets);
    await chmod(secrets, 0o700);
    const [program, args] = account.command(binaries.initdb, [
      `--pgdata=${fresh}`,
      `--username=${ROLE}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      // One call for the whole file system instead of one for each of a thousand files.
      ...(process.platform === "linux" ? ["--sync-method=syncfs"] : []),
    ]);
    const { ended, output } = await runToEnd(program, args, account.ids);
    if (ended !== "exit 0") throw startError(layout, output, `initdb ended (${ended}): ${output.trim().slice(-200)}`);
    await rename(fresh, layout.cluster);
    await removeHalfMade(layout);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
    throw error instanceof PostgresStartError ? error : folderError(layout.folder, error);
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}

/** Removes clusters whose making was killed, as far as that goes; an initdb that is still at work there then ends. */
export async function removeHalfMade({ folder, cluster }: Layout): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(`${basename(cluster)}.new`))) {
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Starts the server as nobody's child and in a session of its own, so that it outlives this process and hears no
 * Ctrl-C, and waits until it answers (after a crash it first replays its log). Returns the server's process id. The
 * caller knows that no server of this cluster runs.
 */
export async function startServer(
  layout: Layout,
  binaries: Binaries,
  account: Account,
  settings: Record<string, string>,
): Promise<number> {
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program, args] = account.command(binaries.postgres, ["-D", layout.cluster, ...options]);
  // Left by a server that was killed. Postgres would mind it while its process waits to be reaped; that no orphan of
  // it still uses the cluster, it finds out by the shared memory.
  await rm(join(layout.cluster, "postmaster.pid"), { force: true });
  const { descriptor, offset } = openLog(layout);
  let pid: number;
  try {
    pid = await spawnOrphan(program, args, account.ids, descriptor);
  } catch (cause) {
    throw new PostgresStartError("EFAILED", `the embedded Postgres cannot be started: ${String(cause)}`, { cause });
  } finally {
    closeSync(descriptor);
  }
  for (;;) {
    const alive = isAlive(pid);
    const running = runningPostmaster(layout.cluster);
    if (running?.status === "ready" && running.pid === pid) return pid;
    if (!alive) throw startError(layout, logSince(layout, offset), "the server ended at once");
    await sleep(15);
  }
}

/** Runs a program whose parent, a shell, ends at once. Returns its process id. */
function spawnOrphan(program: string, args: string[], ids: Account["ids"], log: number): Promise<number> {
  const script = 'exec 3>&1 >&2; "$@" 3>&- & echo $! >&3';
  return new Promise((resolve, reject) => {
    const shell = spawn("/bin/sh", ["-c", script, "sh", program, ...args], {
      ...ids,
      detached: true,
      cwd: "/",
      stdio: ["ignore", "pipe", log],
    });
    let output = "";
    shell.stdout?.on("data", (chunk) => (output += String(chunk)));
    shell.once("error", reject);
    shell.once("close", () => {
      const pid = Number(output);
      if (pid > 0) resolve(pid);
      else reject(new Error("the shell named no process"));
    });
  });
}

/** Stops the server: first without waiting for its clients, then at once. */
export async function stopServer(pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ["SIGINT", 15_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (codeOf(error) === "ESRCH") return;
      throw error;
    }
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return;
      await sleep(15);
    }
  }
}

/** Matches what a backend of a server that was killed says in the same log as it ends. */
const ORPHAN_ENDS = /^.*FATAL: +terminating .*$/gm;

/** Turns the server's own words into one line that says what is wrong and what to do. */
export function startError(layout: Layout, log: string, fallback: string): PostgresStartError {
  const output = log.replaceAll(ORPHAN_ENDS, "");
  const cause = /(?:PANIC|FATAL|initdb: error|error while loading|could not)[^\n]*/.exec(output)?.[0] ?? fallback;
  if (/No space left on device|wrote only \d+ of \d+ bytes/i.test(output)) {
    return new PostgresStartError("ENOSPC", `the embedded Postgres cannot start: the disk of ${layout.folder} is full`);
  }
  if (/Read-only file system/i.test(output)) {
    const message = `the embedded Postgres cannot start: ${layout.folder} is on a read-only file system`;
    return new PostgresStartError("EROFS", message);
  }
  if (/Permission denied/i.test(output)) {
    return new PostgresStartError("EACCES", `the embedded Postgres cannot start in ${layout.folder}: ${cause}`);
  }
  if (
    /invalid (checksum|data in)|PG_VERSION|pg_control|not a valid data directory|checkpoint record|could not (open|read) file/i.test(
      output,
    )
  ) {
    const message = `the cluster in ${layout.cluster} is damaged (${cause}): restore a copy, or move the folder away to begin anew`;
    return new PostgresStartError("EDAMAGED", message);
  }
  if (/incompatible with server|database files are incompatible/i.test(output)) {
    const message = `the cluster in ${layout.cluster} belongs to another version of Postgres (${cause})`;
    return new PostgresStartError("EDAMAGED", message);
  }
  const oneLine = cause.replaceAll(/\s+/g, " ");
  return new PostgresStartError("EFAILED", `the embedded Postgres cannot start: ${oneLine}; see ${layout.log}`);
}

function openLog(layout: Layout): { descriptor: number; offset: number } {
  try {
    const descriptor = openSync(layout.log, "a", 0o600);
    let offset = statSync(layout.log).size;
    if (offset > LOG_LIMIT_BYTES) {
      truncateSync(layout.log, 0);
      offset = 0;
    }
    return { descriptor, offset };
  } catch (error) {
    throw folderError(layout.folder, error);
  }
}

function logSince(layout: Layout, offset: number): string {
  const descriptor = openSync(layout.log, "r");
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, buffer.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

function runToEnd(program: string, args: string[], ids: { uid?: number; gid?: number }) {
  return new Promise<{ ended: string; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { ...ids, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ ended: `exit ${code ?? signal}`, output }));
  });
}
