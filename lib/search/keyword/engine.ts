import { statSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ARTICLE_FIELDS, comparable } from "../filters.ts";
import { indexFile, openForReading, openForWriting } from "./database.ts";
import { asKeywordError } from "./faults.ts";
import { searchStatement } from "./statement.ts";
import { indexedTerms } from "./terms.ts";
import type { KeywordDoc, KeywordHits, KeywordQuery, KeywordStatus } from "./types.ts";
import { KeywordIndexError } from "./types.ts";

const INSERT_DOC = `insert into doc values (?${", ?".repeat(ARTICLE_FIELDS.length)})`;

/** The keyword index itself: synchronous, over one SQLite file; it lives in a Worker. */
export class KeywordEngine {
  readonly fresh: boolean;
  readonly #dir: string;
  readonly #mode: "read" | "write";
  readonly #statements = new Map<string, StatementSync>();
  #db: DatabaseSync | undefined;
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
    if (mode === "write") ({ db: this.#db, fresh } = openForWriting(dir));
    this.fresh = fresh;
  }

  upsert(docs: readonly KeywordDoc[]): void {
    const analysed = docs.map((doc) => ({ doc, title: indexedTerms(doc.title), content: indexedTerms(doc.content) }));
    this.#transaction(() => {
      for (const { doc, title, content } of analysed) {
        this.#drop(doc.articleId);
        this.setTier(doc.sourceId, doc.tier);
        this.#run(INSERT_DOC, doc.articleId, ...ARTICLE_FIELDS.map((field) => comparable(doc, field)));
        this.#run(
          "insert into words (rowid, title, content, title_roots, content_roots) values (?, ?, ?, ?, ?)",
          ...[doc.articleId, title.stems, content.stems, title.roots, content.roots],
        );
      }
    });
  }

  remove(articleIds: readonly number[]): void {
    this.#transaction(() => {
      for (const id of articleIds) this.#drop(id);
    });
  }

  /** The hits in columns, which cross a thread at no cost. */
  search(query: KeywordQuery): KeywordHits {
    const statement = searchStatement(query);
    const rows = statement === undefined ? [] : this.#all(statement.sql, ...statement.values);
    return {
      articleIds: Float64Array.from(rows, (row) => Number(row.id)),
      scores: Float64Array.from(rows, (row) => -Number(row.score)),
    };
  }

  ids(afterId: number, limit: number): number[] {
    return this.#all("select id from doc where id > ? order by id limit ?", afterId, limit).map((row) =>
      Number(row.id),
    );
  }

  missing(articleIds: readonly number[]): number[] {
    return articleIds.filter((id) => this.#all("select 1 from doc where id = ?", id).length === 0);
  }

  count(): number {
    return Number(this.#all("select count(*) n from doc")[0]?.n ?? 0);
  }

  status(): KeywordStatus {
    try {
      const complete = this.#all("select 1 from meta where key = 'complete'").length > 0;
      return { state: "ready", documents: this.count(), complete };
    } catch (error) {
      return { state: asKeywordError(error).reason, documents: 0, complete: false };
    }
  }

  setTier(sourceId: string, tier: number): void {
    this.#run(
      "insert into source values (?, ?) on conflict do update set tier = excluded.tier where tier <> excluded.tier",
      ...[sourceId, tier],
    );
  }

  markComplete(): void {
    this.#run("insert or ignore into meta values ('complete', '1')");
  }

  clear(): void {
    this.#transaction(() => {
      this.#run("delete from meta where key = 'complete'");
      this.#run("insert into words (words) values ('delete-all')");
      this.#run("delete from doc");
    });
  }

  close(): void {
    const db = this.#db;
    this.#db = undefined;
    this.#statements.clear();
    try {
      db?.close();
    } catch (error) {
      // What is damaged cannot be put in order by closing it.
      if (asKeywordError(error).reason !== "corrupt") throw error;
    }
  }

  #drop(id: number): void {
    if (this.#run("delete from doc where id = ?", id) > 0) this.#run("delete from words where rowid = ?", id);
  }

  #transaction(work: () => void): void {
    this.#open.exec("begin immediate");
    try {
      work();
      this.#open.exec("commit");
    } catch (error) {
      if (this.#open.isTransaction) this.#open.exec("rollback");
      throw error;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  #all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepared(sql).all(...values);
  }

  #prepared(sql: string): StatementSync {
    const db = this.#open;
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get #open(): DatabaseSync {
    if (this.#mode === "write") {
      if (this.#db === undefined) throw new KeywordIndexError("closed", "keyword index: closed");
      return this.#db;
    }
    // A writer that found the file damaged has put another one in its place.
    const file = statSync(indexFile(this.#dir), { throwIfNoEntry: false })?.ino ?? 0;
    if (this.#db !== undefined && file !== this.#file) this.close();
    if (this.#db === undefined) {
      this.#db = openForReading(this.#dir);
      this.#file = file;
    }
    return this.#db;
  }
}
