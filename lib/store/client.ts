import postgres from "postgres";
import { codeOf } from "../service/process/run-main.ts";
import { backoffMs } from "../std/mod.ts";

export { codeOf, isConnectionLost, isUnavailable } from "../service/process/run-main.ts";

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

/**
 * Ports of the embedded servers that this process uses, as they are now, by the cluster's password and a port that the
 * server had: what stands between, such as a proxy, has another port.
 */
const embeddedPorts = new Map<string, number>();

/** Time after which a connection that nobody uses is closed, in seconds: each is a process of the server. */
const IDLE_S = 6;

/** Keeps on which port the embedded server of this password is reached from now on. */
export function notePort(password: string, port: number): void {
  for (const known of embeddedPorts.keys()) if (known.startsWith(`${password}@`)) embeddedPorts.set(known, port);
  embeddedPorts.set(`${password}@127.0.0.1:${port}`, port);
}

function addressOf(url: string): string {
  return /^postgres:\/\/[^:@/]*:([^:@/]*@127\.0\.0\.1:\d+)\//.exec(url.slice(0, 300))?.[1] ?? "";
}

/** Returns a URL as it is now: an embedded server may come back on another port, where somebody has taken its own. */
export function currentUrl(url: string): string {
  const port = embeddedPorts.get(addressOf(url));
  return port === undefined ? url : url.replace(/@127\.0\.0\.1:\d+/, `@127.0.0.1:${port}`);
}

/** Opens a pool of connections; they are made on demand and made again after a loss. */
export function connect(url: string, { max = 8, name = "isnad", timeoutMs }: PoolOptions = {}): Sql {
  const sql = postgres(url, {
    max,
    connect_timeout: 10,
    max_lifetime: null,
    idle_timeout: IDLE_S,
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
  // The driver looks there each time that it connects.
  const address = addressOf(url);
  const port = () => embeddedPorts.get(address);
  if (port() !== undefined) Object.defineProperty(sql.options.port, 0, { get: port });
  return sql;
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
