import { spawn } from "node:child_process";
import { closeSync, openSync, readSync, statSync, truncateSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, PostgresStartError } from "../errors.ts";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { folderError, type Layout } from "./layout.ts";
import { isAlive, runningPostmaster } from "./pidfile.ts";

/** The role and the database that the platform uses in its own cluster. */
export const ROLE = "isnad";

const LOG_LIMIT_BYTES = 8 * 2 ** 20;

/** Makes a new cluster in a folder beside its place and moves it there when it is whole. */
export async function initCluster(layout: Layout, binaries: Binaries, account: Account, password: string) {
  const fresh = `${layout.cluster}.new`;
  const secrets = await mkdtemp(join(tmpdir(), "isnad-initdb-"));
  const passwordFile = join(secrets, "password");
  try {
    await rm(fresh, { recursive: true, force: true });
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
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
    throw error instanceof PostgresStartError ? error : folderError(layout.folder, error);
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}

/**
 * Starts the server in a session of its own, so that it outlives this process and hears no Ctrl-C, and waits until it
 * answers (after a crash it first replays its log). Returns the server's process id.
 */
export async function startServer(
  layout: Layout,
  binaries: Binaries,
  account: Account,
  settings: Record<string, string>,
): Promise<number> {
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program, args] = account.command(binaries.postgres, ["-D", layout.cluster, ...options]);
  const from = openLog(layout);
  const child = spawn(program, args, {
    ...account.ids,
    detached: true,
    cwd: "/",
    stdio: ["ignore", from.descriptor, from.descriptor],
  });
  closeSync(from.descriptor);
  child.unref();
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, signal) => {
    ended = `exit ${code ?? signal}`;
  });
  for (;;) {
    const running = await runningPostmaster(layout.cluster);
    if (running?.ready === true && running.pid === child.pid) return running.pid;
    if (ended !== undefined) throw startError(layout, logSince(layout, from.offset), `the server ended (${ended})`);
    await sleep(15);
  }
}

/** Stops the server: first without waiting for its clients, then, after `graceMs`, at once. */
export async function stopServer(pid: number, graceMs = 15_000): Promise<void> {
  for (const [signal, waitMs] of [
    ["SIGINT", graceMs],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (codeOf(error) === "ESRCH") return;
      throw error;
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!isAlive(pid)) return;
      await sleep(15);
    }
  }
}

/** Turns the server's own words into one line that says what is wrong and what to do. */
export function startError(layout: Layout, output: string, fallback: string): PostgresStartError {
  const cause = /(?:PANIC|FATAL|initdb: error|error while loading|could not)[^\n]*/.exec(output)?.[0] ?? fallback;
  if (/No space left on device/i.test(output)) {
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
