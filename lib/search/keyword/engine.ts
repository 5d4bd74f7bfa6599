import { statSync } from "node:fs";
import { indexFile, openForReading, openForWriting } from "./database.ts";
import { asKeywordError } from "./faults.ts";
import { Follower } from "./follow.ts";
import { search } from "./search.ts";
import { Statements } from "./statements.ts";
import type { KeywordDoc, KeywordHits, KeywordQuery, KeywordStatus } from "./types.ts";
import { KeywordIndexError } from "./types.ts";
import { IndexWriter } from "./writer.ts";

/** What stands on one connection. */
type Connection = { statements: Statements; writer: IndexWriter; follower: Follower };

/** The keyword index itself: synchronous, over one SQLite file; it lives in a Worker. */
export class KeywordEngine {
  readonly fresh: boolean;
  readonly #dir: string;
  readonly #mode: "read" | "write";
  #connection: Connection | undefined;
  /** The inode of the file that is open for reading. */
  #file = 0;

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
      this.#connection = connectionOf(new Statements(opened.db));
      fresh = opened.fresh;
    }
    this.fresh = fresh;
  }

  upsert(docs: readonly KeywordDoc[]): void {
    this.#change((writer) => writer.upsert(docs));
  }

  remove(articleIds: readonly number[]): void {
    this.#change((writer) => writer.remove(articleIds));
  }

  /** The hits in columns, which cross a thread at no cost. */
  search(query: KeywordQuery): KeywordHits {
    const { follower } = this.#open;
    return search(follower.current(), follower.numbers, query);
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
      const complete = this.#open.statements.meta("complete") !== undefined;
      return { state: "ready", documents: this.count(), complete };
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
    const connection = this.#connection;
    this.#connection = undefined;
    try {
      connection?.statements.db.close();
    } catch (error) {
      // What is damaged cannot be put in order by closing it.
      if (asKeywordError(error).reason !== "corrupt") throw error;
    }
  }

  #change(work: (writer: IndexWriter) => void): void {
    const { writer, follower } = this.#open;
    work(writer);
    follower.changed();
  }

  get #open(): Connection {
    if (this.#mode === "write") {
      if (this.#connection === undefined) throw new KeywordIndexError("closed", "keyword index: closed");
      return this.#connection;
    }
    // A writer that found the file damaged has put another one in its place.
    const file = statSync(indexFile(this.#dir), { throwIfNoEntry: false })?.ino ?? 0;
    if (this.#connection !== undefined && file !== this.#file) this.close();
    if (this.#connection === undefined) {
      this.#connection = connectionOf(new Statements(openForReading(this.#dir)));
      this.#file = file;
    }
    return this.#connection;
  }
}

function connectionOf(statements: Statements): Connection {
  return { statements, writer: new IndexWriter(statements), follower: new Follower(statements) };
}
