import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive } from "../../service/process/files.ts";
import { freePort, portFault } from "../../std/ports.ts";
import { codeOf, PostgresStartError } from "../client.ts";

/** Says where the embedded cluster and what belongs to it lie, all under `DATA_DIR/postgres`. */
export type Layout = {
  folder: string;
  /** The cluster itself (PGDATA), owned by the account that runs the server. */
  cluster: string;
  password: string;
  port: string;
  log: string;
  /** Held while somebody starts or stops the server. */
  startLock: string;
  /** Shared by everyone who uses the server. */
  usersLock: string;
};

/** Names the files, and makes the folder. Throws PostgresStartError where it cannot be written. */
export async function openLayout(dataDir: string): Promise<Layout> {
  const folder = join(dataDir, "postgres");
  const probe = join(folder, `.probe-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await writeFile(probe, "");
    await unlink(probe);
  } catch (error) {
    throw folderError(folder, error);
  }
  return {
    folder,
    cluster: join(folder, "cluster"),
    password: join(folder, "password"),
    port: join(folder, "port"),
    log: join(folder, "server.log"),
    startLock: join(folder, "start.lock"),
    usersLock: join(folder, "users.lock"),
  };
}

/** One line for a data folder that cannot be written. */
export function folderError(folder: string, cause: unknown): PostgresStartError {
  const code = codeOf(cause);
  const reason =
    code === "ENOSPC"
      ? "the disk is full"
      : code === "EROFS"
        ? "the file system is read-only"
        : code === "EACCES" || code === "EPERM"
          ? "permission denied"
          : cause instanceof Error
            ? cause.message
            : String(cause);
  return new PostgresStartError(code === "" ? "EFAILED" : code, `cannot write to ${folder}: ${reason}`, { cause });
}

/** The cluster's password: 256 random bits, made once, in a file only its owner may read. */
export async function readOrMakePassword(path: string): Promise<string> {
  const content = await readOrNothing(path);
  if (content !== undefined && content.trim() !== "") return content.trim();
  const password = randomBytes(32).toString("base64url");
  await writeWhole(path, password);
  return password;
}

/** The port of last time, or undefined. */
export async function rememberedPort(path: string): Promise<number | undefined> {
  const port = Number(await readOrNothing(path));
  return Number.isInteger(port) && port > 0 && port < 65536 ? port : undefined;
}

/** Keeps `port` for next time. */
export async function rememberPort(path: string, port: number): Promise<void> {
  await writeWhole(path, String(port));
}

/** Returns the port of last time as soon as nobody listens there on loopback, after `waitMs` one that is free. */
export async function choosePort(last: number | undefined, waitMs: number): Promise<number> {
  const deadline = performance.now() + waitMs;
  while (last !== undefined) {
    if ((await portFault("127.0.0.1", last)) === null) return last;
    if (performance.now() >= deadline) break;
    await sleep(50);
  }
  return await freePort().catch((cause: unknown) => {
    throw new PostgresStartError("EFAILED", "no free port on 127.0.0.1 for the embedded Postgres", { cause });
  });
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path);
}

/**
 * Takes the lock under which the server is started and stopped. Throws PostgresStartError, naming the process that has
 * it, when it is not free within `waitMs`.
 */
export async function lockStart(layout: Layout, waitMs = 60_000): Promise<Lock> {
  const holder = `${layout.startLock}.holder`;
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(layout);
    if (lock !== undefined) {
      // Only for the message below: on a full disk the server must still be stopped.
      await writeFile(holder, String(process.pid)).catch(() => undefined);
      return lock;
    }
    if (performance.now() > deadline) {
      const pid = await readFile(holder, "utf8").catch(() => "unknown");
      const message = `process ${pid} has been starting or stopping the embedded Postgres of ${layout.folder} for ${waitMs / 1000} s: end it if it hangs`;
      throw new PostgresStartError("EBUSY", message);
    }
    await sleep(20);
  }
}

function tryLock(layout: Layout): Lock | undefined {
  try {
    return tryExclusive(layout.startLock);
  } catch (error) {
    throw folderError(layout.folder, error);
  }
}
