import postgres from "postgres";
import { codeOf } from "../service/process/failure.ts";
import { backoffMs } from "../std/mod.ts";

export { codeOf, isConnectionLost, isUnavailable } from "../service/process/failure.ts";

/** A pool of connections, with 64-bit integers read as numbers. */
export type Sql = postgres.Sql<{ bigint: number }>;

/** One transaction of the pool. */
export type Tx = postgres.TransactionSql<{ bigint: number }>;

/** Says how a pool is opened. */
export type PoolOptions = {
  /** Most connections (8). */
  max?: number;
  /** Holds what the server calls them. */
  name?: string;
  /**
   * Longest time of a statement. The server cancels it then; where the server says nothing either (it is frozen, or out
   * of reach without a word), the statement is abandoned {@link SILENCE_MS} later, together with its connection. No
   * limit when missing.
   */
  timeoutMs?: number;
};

/** Says how long a server that should have cancelled a statement is waited for. */
const SILENCE_MS = 1_000;

/** Opens a pool of connections; they are made on demand and made again after a loss. */
export function connect(url: string, { max = 8, name = "isnad", timeoutMs }: PoolOptions = {}): Sql {
  return postgres(url, {
    max,
    connect_timeout: 10,
    max_lifetime: null,
    // The driver's own waits grow to 20 s; a database that comes back should be used at once.
    backoff: (attempt: number) => backoffMs(attempt, { baseMs: 100, maxMs: 1_000 }) / 1000,
    query_timeout: timeoutMs === undefined ? null : (timeoutMs + SILENCE_MS) / 1000,
    connection: { application_name: name, ...(timeoutMs !== undefined && { statement_timeout: timeoutMs }) },
    onnotice: () => {},
    types: {
      // article_id and the like stay far below 2^53.
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
    },
  });
}

/** Why the embedded Postgres could not be brought up; `message` is one line made for the operator. */
export class PostgresStartError extends Error {
  override readonly name = "PostgresStartError";
  /**
   * `ENOSPC` full disk, `EROFS` or `EACCES` folder not writable, `EDAMAGED` broken cluster, `EUNSUPPORTED`, `EFAILED`.
   */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Tells whether no connection was made at all: nothing has been done. */
export function isConnectionRefused(error: unknown): boolean {
  return ["ECONNREFUSED", "CONNECT_TIMEOUT", "57P03", "53300"].includes(codeOf(error));
}

/**
 * Tells whether Postgres chose this transaction as the victim of a deadlock or of a serialization failure: run it
 * again.
 */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}
