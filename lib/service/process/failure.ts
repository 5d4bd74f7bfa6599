import { errorMessage, scrub } from "../../std/mod.ts";

/** One line that tells an operator what is wrong and what to do about it. */
export function explainFailure(error: unknown): string {
  // What failed first counts; what failed while cleaning up after it does not.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  for (let at = error; at instanceof Error; at = at.cause) {
    const failure = knownFailure(at);
    if (failure !== undefined) return failure;
  }
  return scrub(errorMessage(error)).replace(/\s+/g, " ").trim();
}

/** SQLite's result codes for a database that cannot be written and for a full disk. */
const SQLITE = { readonly: 8, full: 13 };

/** PostgreSQL's SQLSTATE for a full disk. */
const DISK_FULL = "53100";

function knownFailure(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  const errcode = "errcode" in error ? error.errcode : undefined;
  const path = "path" in error && typeof error.path === "string" ? error.path : undefined;
  if (code === "ENOSPC" || code === "EDQUOT" || code === DISK_FULL || errcode === SQLITE.full) {
    return `the disk is full${path === undefined ? "" : ` (${path})`}: free space and start again`;
  }
  const unwritable = code === "EROFS" || code === "EACCES" || code === "EPERM";
  if ((unwritable && path !== undefined) || errcode === SQLITE.readonly) {
    return `${path ?? "the data folder"} cannot be written: check DATA_DIR and its permissions`;
  }
  return undefined;
}

/** Returns the five-character SQLSTATE or the driver's code of `error`, "" where it has none. */
export function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

const lostConnection = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * Time limits: of the pool, kept by the server or, where that is silent, by the driver (whether it was done is open
 * then), and the server's own for waiting for a lock and for a whole transaction.
 */
const timedOut = new Set(["57014", "QUERY_TIMEOUT", "55P03", "25P04"]);

/** A server that takes no writes: a standby, or one whose place another has taken. */
const READ_ONLY = "25006";

/**
 * Tells whether `error` says that Postgres cannot serve now, through no fault of the statement: the connection was lost
 * or refused, the server stops, starts or recovers (class 57P), it has run out of a resource (class 53), it takes no
 * writes for now, or it did not answer within a time limit. Such an operation may be tried again later.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (isConnectionLost(error) || timedOut.has(code) || code === READ_ONLY) return true;
  if (/^(53...|58...)$/.test(code)) return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isUnavailable);
}

/** Why a database that answers takes no writes. */
export type Refusal = "read-only" | "locked" | "full";

const REFUSALS: Record<string, Refusal> = { [READ_ONLY]: "read-only", "55P03": "locked", "53100": "full" };

/** Returns the reason for which the database refused to write, if `error` says so. */
export function refusalOf(error: unknown): Refusal | undefined {
  return REFUSALS[codeOf(error)];
}

/**
 * Tells whether the connection was lost or could not be made: what was sent over it may or may not have been done. A
 * server also ends one that was silent within a transaction for longer than it allows (25P03).
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return lostConnection.has(code) || /^(08...|57P0[1-5]|25P03)$/.test(code);
}
