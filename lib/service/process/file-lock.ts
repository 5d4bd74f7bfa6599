import { DatabaseSync } from "node:sqlite";

/** A lock on a file that the kernel gives back when its process ends, however it ends. */
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
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Tells whether SQLite says that another connection is at work: SQLITE_BUSY (5) and its extended codes. */
export function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" && (error.errcode & 0xff) === 5
  );
}
