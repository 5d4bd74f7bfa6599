import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";

/** Folders below the data folder that are tightened; below them lie files of which there may be very many. */
const DEPTH = 3;

/** The cluster of the embedded database, whose modes its server sees to. */
const CLUSTER = "cluster";

const OTHERS = 0o077;

const UNCHANGEABLE = new Set(["EPERM", "ENOTSUP", "EROFS", "ENOENT"]);

/** From now on, what the process makes is for its own user alone. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/**
 * Makes the folder of all state, for its owner alone (0700), and takes from the files and folders that are in it what
 * others may do with them. What belongs to another user, as a mounted volume may, is left alone.
 */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  tighten(folder, DEPTH);
}

function tighten(path: string, depth: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink()) return;
  const isOwn = stat.uid === process.getuid?.();
  if (isOwn && (stat.mode & OTHERS) !== 0) closeToOthers(path, stat.mode);
  if (!stat.isDirectory() || depth === 0 || (!isOwn && process.getuid?.() !== 0)) return;
  for (const name of readdirSync(path)) if (name !== CLUSTER) tighten(join(path, name), depth - 1);
}

function closeToOthers(path: string, mode: number): void {
  try {
    chmodSync(path, mode & 0o7700);
  } catch (error) {
    // Some file systems have no modes, and some are made by others; whether it can be written shows by itself.
    if (!(error instanceof Error && "code" in error && UNCHANGEABLE.has(String(error.code)))) throw error;
  }
}

/** Describes what `run.json` tells of a running stack: base URLs of the services, one credential each, process ids. */
type RunInfo = {
  urls: Record<string, string>;
  tokens: { ingest: string; metrics: string; scraper: string; edge: string; internal?: string };
  pids: Record<string, number>;
};

/** Returns the path of `run.json` within the data folder. */
export function runFilePath(dataDir: string): string {
  return join(dataDir, "run.json");
}

/** Writes `run.json` with mode 0600; a reader sees the old file or the new one, never half of one. */
export function writeRunFile(dataDir: string, info: RunInfo): void {
  const path = runFilePath(dataDir);
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Removes `run.json`; nothing happens when it is not there. */
export function removeRunFile(dataDir: string): void {
  rmSync(runFilePath(dataDir), { force: true });
}

/** Returns the URLs in `run.json`, for a message; empty when the file is missing or unreadable. */
export function runningUrls(dataDir: string): string[] {
  try {
    const info: unknown = JSON.parse(readFileSync(runFilePath(dataDir), "utf8"));
    if (typeof info !== "object" || info === null || !("urls" in info)) return [];
    return Object.values(info.urls ?? {}).filter((url) => typeof url === "string");
  } catch (error) {
    if (error instanceof Error) return [];
    throw error;
  }
}

/** A lock on a file that the kernel gives back when its process ends, however it ends. It may be released twice. */
export type Lock = { release(): void };

/**
 * Takes an exclusive lock on the file `path`, or returns undefined when another process, or another holder in this one,
 * has it in either way. The lock is SQLite's own (fcntl or its counterpart), the only one that node's API offers.
 */
export function tryExclusive(path: string): Lock | undefined {
  return tryLock(path, "begin exclusive");
}

/** Takes a lock that any number of holders share and that keeps an exclusive one out. */
export function tryShared(path: string): Lock | undefined {
  return tryLock(path, "begin; select count(*) from sqlite_master");
}

function tryLock(path: string, sql: string): Lock | undefined {
  const db = new DatabaseSync(path);
  try {
    // Nothing is ever written, not even a journal: a lock must be had on a full disk too.
    db.exec(`pragma journal_mode = memory; ${sql}`);
    return { release: () => db.isOpen && db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Tells whether SQLite says that another connection is at work: SQLITE_BUSY (5) and its extended codes. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === 5
  );
}

/** Bytes handled at a time, so that a thread gets to other work in between: hashing them takes about a millisecond. */
const PIECE = 1 << 20;

/** SHA-256 (hex) and length of a file. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const buffer = new Uint8Array(PIECE);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE, null);
      if (bytesRead === 0) return { sha256: hash.digest("hex"), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes the parts one after another, waits until they are on the disk. Returns SHA-256 (hex) and length of the whole.
 */
export async function writeDurably(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  const file = await open(path, "w");
  try {
    let bytes = 0;
    for (const part of parts) {
      for (let at = 0; at < part.length; at += PIECE) {
        const piece = part.subarray(at, at + PIECE);
        await file.writeFile(piece);
        hash.update(piece);
        bytes += piece.length;
      }
    }
    await file.sync();
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

/** Waits until what is in `path`, a file or the names in a folder, is on the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames within a folder and waits until the name is on the disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await sync(dirname(to));
}
