import { statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { indexFile, openForReading, openForWriting, reportDamage, wasReported } from "./database.ts";
import { asKeywordError } from "./faults.ts";
import { Follower } from "./follow.ts";
import { allowedAmong, search, translation } from "./search.ts";
import { Statements } from "./statements.ts";
import type { KeywordDoc, KeywordHits, KeywordQuery, KeywordStatus } from "./types.ts";
import { KeywordIndexError } from "./types.ts";
import { IndexWriter } from "./writer.ts";

/** What stands on one connection. */
type Connection = { statements: Statements; writer: IndexWriter; follower: Follower };

/** How soon a change is taken up when nobody searches, and after a failure, in milliseconds. */
const FOLLOW_MS = 100;
const FAILED_MS = 5_000;
/** How long segments are merged at a time, and how long not, in milliseconds. */
const SLICE_MS = 4;

/**
 * The keyword index itself, in one SQLite file, and what is searched of it in memory; it lives in a Worker. Reading,
 * it follows the file, and answers once that has been filled; writing, it follows from the first search on. A writer
 * whose file was removed, replaced, or found damaged refuses all work: it has to be opened again.
 */
export class KeywordEngine {
  readonly fresh: boolean;
  readonly #dir: string;
  readonly #mode: "read" | "write";
  #connection: Connection | undefined;
  /** The inode of the file that is open. */
  #file = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /**
   * Opens the index for writing (made anew when it cannot be used), or for reading, then at the first search at the
   * latest.
   */
  constructor(dir: string, mode: "read" | "write") {
    this.#dir = dir;
    this.#mode = mode;
    let fresh = false;
    if (mode === "write") {
      const opened = openForWriting(dir);
      this.#connection = connectionOf(new Statements(opened.db), mode);
      this.#file = inodeOf(dir);
      fresh = opened.fresh;
    } else this.#followLater(0);
    this.fresh = fresh;
  }

  upsert(docs: readonly KeywordDoc[]): void {
    this.#change((writer) => writer.upsert(docs));
  }

  remove(articleIds: readonly number[]): void {
    this.#change((writer) => writer.remove(articleIds));
  }

  /** The hits in columns, which cross a thread at no cost. Changes that were committed before are seen. */
  async search(query: KeywordQuery): Promise<KeywordHits> {
    const { projection, numbers } = await this.#current();
    return search(projection, numbers, query);
  }

  /** Those of `articleIds` that an answer to the query may hold. */
  async allowed(query: Omit<KeywordQuery, "limit">, articleIds: readonly number[]): Promise<number[]> {
    const { projection, numbers } = await this.#current();
    return allowedAmong(projection, numbers, query, articleIds);
  }

  /** See {@link translation}. */
  async translation(text: string): Promise<string> {
    const { projection, numbers } = await this.#current();
    return translation(projection, numbers, text);
  }

  ids(afterId: number, limit: number): number[] {
    const rows = this.#open.statements.all("select id from doc where id > ? order by id limit ?", afterId, limit);
    return rows.map((row) => Number(row.id));
  }

  missing(articleIds: readonly number[]): number[] {
    const { statements } = this.#open;
    return articleIds.filter((id) => statements.get("select 1 from doc where id = ?", id) === undefined);
  }

  count(): number {
    return Number(this.#open.statements.get("select count(*) n from doc")?.n ?? 0);
  }

  status(): KeywordStatus {
    try {
      const { statements, follower } = this.#open;
      if (follower.damage !== undefined) throw follower.damage;
      const complete = statements.meta("complete") !== undefined;
      const answers = complete || this.#mode === "write";
      return { state: answers ? "ready" : "unavailable", documents: this.count(), complete };
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  setTier(sourceId: string, tier: number): void {
    this.#change((writer) => writer.setTier(sourceId, tier));
  }

  markComplete(): void {
    this.#change((writer) => writer.markComplete());
  }

  clear(): void {
    this.#change((writer) => writer.clear());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#disconnect();
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.statements.db.close();
    } catch (error) {
      // What is damaged cannot be put in order by closing it.
      if (asKeywordError(error).reason !== "corrupt") throw error;
    }
  }

  async #current(): Promise<Follower> {
    if (this.#timer === undefined) this.#followLater(FOLLOW_MS);
    for (;;) {
      const { follower } = this.#open;
      if (follower.isCurrent() || this.#step(follower)) {
        if (follower.isComplete || this.#mode === "write") return follower;
        throw new KeywordIndexError("unavailable", "keyword index: it is being filled");
      }
      await nextTurn();
    }
  }

  /** Follows the file by a step, and remembers damage for who opens the index to write next. */
  #step(follower: Follower): boolean {
    try {
      return follower.step();
    } catch (error) {
      const fault = asKeywordError(error);
      if (fault.reason === "corrupt") reportDamage(this.#dir, follower.epoch);
      throw fault;
    }
  }

  #followLater(ms: number): void {
    if (!this.#closed) this.#timer = setTimeout(() => this.#followLater(this.#follow()), ms);
  }

  /** Follows the file and puts the memory in order for a moment. Returns when to go on, in milliseconds. */
  #follow(): number {
    try {
      const { follower } = this.#open;
      if (!follower.isCurrent() && !this.#step(follower)) return 0;
      return follower.projection.merge(SLICE_MS) ? FOLLOW_MS : SLICE_MS;
    } catch {
      // A search, or who asks for the status, learns why.
      return FAILED_MS;
    }
  }

  #change(work: (writer: IndexWriter) => void): void {
    const { writer, follower } = this.#open;
    work(writer);
    follower.changed();
  }

  get #open(): Connection {
    if (this.#closed) throw new KeywordIndexError("closed", "keyword index: closed");
    const file = inodeOf(this.#dir);
    if (this.#mode === "write" && this.#connection !== undefined) {
      if (file !== this.#file) throw new KeywordIndexError("missing", "keyword index: its file is not there any more");
      const { statements } = this.#connection;
      if (wasReported(this.#dir, statements.db)) throw new KeywordIndexError("corrupt", "keyword index: it is damaged");
      return this.#connection;
    }
    // A writer that found the file damaged has put another one in its place.
    if (this.#connection !== undefined && file !== this.#file) this.#disconnect();
    if (this.#connection === undefined) {
      this.#connection = connectionOf(new Statements(openForReading(this.#dir)), this.#mode);
      this.#file = file;
    }
    return this.#connection;
  }
}

/** Which file the index of a folder is; 0 where there is none. */
function inodeOf(dir: string): number {
  return statSync(indexFile(dir), { throwIfNoEntry: false })?.ino ?? 0;
}

function connectionOf(statements: Statements, mode: "read" | "write"): Connection {
  const follower = new Follower(statements, { trusted: mode === "write" });
  return { statements, writer: new IndexWriter(statements), follower };
}
