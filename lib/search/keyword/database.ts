import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../../service/process/file-lock.ts";
import { asKeywordError } from "./faults.ts";
import { INDEX_VERSION, SCHEMA, TABLES } from "./schema.ts";
import { type KeywordFault, KeywordIndexError } from "./types.ts";

/** How long a connection waits for another one's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_PAUSE_MS = 5;

/** The index file of a folder. */
export function indexFile(dir: string): string {
  return join(dir, "keyword.db");
}

/**
 * Opens the index of `dir` to search it. Throws {@link KeywordIndexError} when there is none, it has another version,
 * or it is damaged.
 */
export function openForReading(dir: string): DatabaseSync {
  const file = indexFile(dir);
  if (!existsSync(file)) throw new KeywordIndexError("missing", `keyword index: there is none in ${dir}`);
  const db = connect(file);
  const fault = faultIn(db);
  if (fault === undefined) {
    db.exec("pragma query_only = 1");
    return db;
  }
  db.close();
  throw new KeywordIndexError(fault, `keyword index: ${file} is ${fault === "missing" ? "empty" : fault}`);
}

/** Where it is noted which index of the folder was found damaged. */
function damageFile(dir: string): string {
  return join(dir, "damaged");
}

/** Notes that rows of the index are not what was written, so that the next one who opens it to write makes it anew. */
export function reportDamage(dir: string, epoch: string | undefined): void {
  if (epoch !== undefined) writeFileSync(damageFile(dir), epoch);
}

/** Whether {@link reportDamage} was called for the index that `db` is. */
export function wasReported(dir: string, db: DatabaseSync): boolean {
  const file = damageFile(dir);
  if (!existsSync(file)) return false;
  return (
    db.prepare("select 1 from meta where key = 'epoch' and value = ?").get(readFileSync(file, "utf8")) !== undefined
  );
}

/** Opens the index of `dir` to write it; one that cannot be used is replaced by an empty one, which is `fresh`. */
export function openForWriting(dir: string): { db: DatabaseSync; fresh: boolean } {
  mkdirSync(dir, { recursive: true });
  const file = indexFile(dir);
  let db = tryConnect(file);
  const fault = db === undefined ? "corrupt" : (faultIn(db) ?? (wasReported(dir, db) ? "corrupt" : undefined));
  if (db !== undefined && fault === undefined) return { db, fresh: false };
  if (db === undefined || fault === "corrupt") {
    db?.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    rmSync(damageFile(dir), { force: true });
    db = connect(file);
  }
  return { db, fresh: recreate(db) };
}

/** Whether the file holds an index of this version, by its header and its `meta` table. */
function faultIn(db: DatabaseSync): KeywordFault | undefined {
  try {
    const there = db.prepare("select 1 from sqlite_schema where name = 'meta'").get();
    if (there === undefined) return "missing";
    const version = db.prepare("select value from meta where key = 'version'").get();
    if (version?.value !== INDEX_VERSION) return "other-version";
    for (const table of TABLES) if (table !== "words") db.prepare(`select 1 from ${table} limit 1`).get();
    return undefined;
  } catch (error) {
    const { reason } = asKeywordError(error);
    return reason;
  }
}

/** Makes the tables anew, unless another process has just done it. Returns whether it did. */
function recreate(db: DatabaseSync): boolean {
  db.exec("begin immediate");
  try {
    const needed = faultIn(db) !== undefined;
    if (needed) {
      for (const table of TABLES) db.exec(`drop table if exists ${table}`);
      db.exec(SCHEMA);
      db.prepare("insert into meta values ('version', ?), ('epoch', ?)").run(INDEX_VERSION, randomUUID());
    }
    db.exec("commit");
    return needed;
  } catch (error) {
    db.exec("rollback");
    throw error;
  }
}

function tryConnect(file: string): DatabaseSync | undefined {
  try {
    return connect(file);
  } catch (error) {
    if (asKeywordError(error).reason === "corrupt") return undefined;
    throw error;
  }
}

/** Sets the journal's mode, for which SQLite itself does not wait while another connection is at work. */
function turnToWal(db: DatabaseSync): void {
  const end = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS);
    }
  }
}

function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    turnToWal(db);
    db.exec("pragma synchronous = normal");
    db.exec("pragma cache_size = -65536");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
