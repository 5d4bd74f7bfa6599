import { chmodSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

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
