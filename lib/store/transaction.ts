import { setTimeout as sleep } from "node:timers/promises";
import type { Sql, Tx } from "./client.ts";
import { isRetryable } from "./errors.ts";

/** Thrown inside a transaction that met a rare race and must be run again from its start. */
export class RunAgain extends Error {
  override readonly name = "RunAgain";
}

/**
 * Runs `work` in a transaction, and again (up to ten times) when Postgres chose it as the victim of a deadlock or a
 * serialization failure, or when it threw `RunAgain`. `work` must do nothing but SQL.
 */
export async function transaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await sql.begin(work)) as T;
    } catch (error) {
      if (attempt === 10 || !(error instanceof RunAgain || isRetryable(error))) throw error;
      await sleep(Math.random() * 10 * attempt);
    }
  }
}
