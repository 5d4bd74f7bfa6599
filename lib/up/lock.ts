import { DatabaseSync } from "node:sqlite";

/** A lock that this process holds until `release()` or its end. */
export type Lock = { release(): void };

const SQLITE_BUSY = 5;

/**
 * Takes the lock at `path`, or returns null when another process has it. The operating system frees it when the
 * holder ends, however it ends, so that a lock is never stale: it is a byte-range lock on an empty SQLite file.
 * Throws when the file cannot be created (read-only folder, full disk).
 */
export function takeLock(path: string): Lock | null {
  const db = new DatabaseSync(path);
  try {
    db.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return {
    release() {
      if (db.isOpen) db.close();
    },
  };
}
