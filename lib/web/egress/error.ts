/** Why an outbound request gave no answer, or none that may be used. */
export type EgressErrorCode =
  | "bad-address"
  | "bad-header"
  | "no-credential"
  | "private-address"
  | "dns-failed"
  | "connect-failed"
  | "tls-failed"
  | "connection-lost"
  | "bad-response"
  | "bad-encoding"
  | "too-large"
  | "timed-out"
  | "too-many-redirects"
  | "bad-redirect"
  | "robots-denied"
  | "robots-unreachable"
  | "busy-host"
  | "aborted";

/** A failure that may be over when tried again. */
const RETRYABLE: ReadonlySet<EgressErrorCode> = new Set([
  "dns-failed",
  "connect-failed",
  "connection-lost",
  "bad-response",
  "timed-out",
  "busy-host",
  "robots-unreachable",
]);

/** An outbound request failed; `address` is where, without credentials. */
export class EgressError extends Error {
  override name = "EgressError";
  readonly code: EgressErrorCode;
  readonly address: string;
  /** In words. */
  readonly detail: string;
  readonly retryable: boolean;

  constructor(code: EgressErrorCode, address: string, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail} (${withoutCredentials(address)})`, options);
    this.code = code;
    this.detail = detail;
    this.address = withoutCredentials(address);
    this.retryable = RETRYABLE.has(code);
  }
}

const SECRET = /key|token|secret|passw|signature|credential|^auth|^sig$/i;

/**
 * Returns an address that may stand in a log: without user and password, and without what a query calls a key, a token
 * or the like.
 */
export function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.slice(0, 200).replace(/\/\/[^/@]*@/, "//");
  url.username = "";
  url.password = "";
  for (const name of [...url.searchParams.keys()]) if (SECRET.test(name)) url.searchParams.set(name, "-");
  return url.href.slice(0, 500);
}
