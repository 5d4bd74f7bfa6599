import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Counter } from "./schema.ts";

/** The statements of one connection, each prepared once. */
export class Statements {
  readonly db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  get(sql: string, ...values: SQLInputValue[]): Record<string, unknown> | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#prepare(sql).all(...values);
  }

  /** A value of `meta`. */
  meta(key: string): string | undefined {
    const row = this.get("select value from meta where key = ?", key);
    return row === undefined ? undefined : String(row.value);
  }

  setMeta(key: string, value: string): void {
    this.run("insert into meta values (?, ?) on conflict do update set value = excluded.value", key, value);
  }

  counter(name: Counter): number {
    return Number(this.meta(name) ?? 0);
  }

  setCounter(name: Counter, value: number): void {
    this.setMeta(name, String(value));
  }

  /** Runs `work` in a transaction, which is taken back when it throws. */
  transaction<T>(kind: "deferred" | "immediate", work: () => T): T {
    this.db.exec(`begin ${kind}`);
    try {
      const result = work();
      this.db.exec("commit");
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("rollback");
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
