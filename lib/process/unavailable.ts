/** The five-character SQLSTATE or the driver's code of `error`, "" where it has none. */
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
 * The time limit of the pool, kept by the server or, where that is silent, by the driver: whether it was done is open
 * then.
 */
const timedOut = new Set(["57014", "QUERY_TIMEOUT"]);

/**
 * Whether `error` says that Postgres cannot serve now, through no fault of the statement: the connection was lost or
 * refused, the server stops, starts or recovers (class 57P), it has run out of a resource (class 53), or it did not
 * answer within the pool's time limit. Such an operation may be tried again later.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (lostConnection.has(code) || timedOut.has(code)) return true;
  if (/^(08...|53...|57P0[1-5]|58...)$/.test(code)) return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isUnavailable);
}

/** Whether the connection was lost or could not be made: what was sent over it may or may not have been done. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  return lostConnection.has(code) || /^(08...|57P0[1-5])$/.test(code);
}
