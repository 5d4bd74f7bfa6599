import { EgressError, type EgressErrorCode } from "@isnad/lib/web/egress";

/** Why an article's page cannot be had. */
export interface Failure {
  /** `retry`: it may be over later. `skipped`: nothing is wrong, but there is no article for us. */
  readonly state: "skipped" | "failed" | "retry";
  /** A code, with a detail after a colon. */
  readonly reason: string;
  /** What the site asks to wait before another try, in milliseconds. */
  readonly waitMs: number;
  /** Whether the text that the feed gives may stand in: not for an article that was withdrawn. */
  readonly feedMayServe: boolean;
  /** Whether other articles of the host would fare the same: surely (`host`), perhaps (`unclear`), or not. */
  readonly outage: "host" | "unclear" | "none";
  /** Whether the page was asked for: otherwise it does not count as a try. */
  readonly tried: boolean;
  /** Whether the site says that there is no such page (any more). */
  readonly gone: boolean;
}

const PASSING: ReadonlySet<EgressErrorCode> = new Set([
  "dns-failed",
  "connect-failed",
  "connection-lost",
  "bad-response",
  "timed-out",
  "busy-host",
  "robots-unreachable",
]);
const UNTRIED: ReadonlySet<EgressErrorCode> = new Set(["busy-host", "robots-unreachable"]);
const OF_HOST: ReadonlySet<EgressErrorCode> = new Set([
  "dns-failed",
  "connect-failed",
  "busy-host",
  "robots-unreachable",
]);

/** What an error of the client means for an article. Throws what is none of its errors, and an abort. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof EgressError) || error.code === "aborted") throw error;
  const { code } = error;
  if (code === "robots-denied") return failure({ state: "skipped", reason: code });
  if (!PASSING.has(code)) return failure({ state: "failed", reason: code });
  const reason =
    code === "robots-unreachable" && error.cause instanceof EgressError ? `${code}: ${error.cause.code}` : code;
  return failure({ state: "retry", reason, outage: OF_HOST.has(code) ? "host" : "unclear", tried: !UNTRIED.has(code) });
}

/** What a status other than 2xx means for an article. */
export function failureOfStatus(status: number, retryAfterMs: number | undefined): Failure {
  const reason = `http-${status}`;
  if (status === 404 || status === 410 || status === 451) {
    return failure({ state: "skipped", reason, feedMayServe: false, gone: status !== 451 });
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const outage = status === 429 || (status === 503 && retryAfterMs !== undefined) ? "host" : "unclear";
    return failure({ state: "retry", reason, waitMs: retryAfterMs ?? 0, outage });
  }
  return failure({ state: "failed", reason });
}

/** A failure with what is usual. */
export function failure(given: Pick<Failure, "state" | "reason"> & Partial<Failure>): Failure {
  return { waitMs: 0, feedMayServe: true, outage: "none", tried: true, gone: false, ...given };
}
