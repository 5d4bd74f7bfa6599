import type { Validators } from "@isnad/lib/store";
import { EgressError, type EgressErrorCode, type EgressResponse } from "@isnad/lib/web/egress";
import { sameSite } from "../../lib/extraction/extract.ts";
import type { CrawlParts, CrawlProfile } from "./types.ts";

/** Holds what of a profile decides who gets its credential. */
type Owner = Pick<CrawlProfile, "auth" | "source" | "feeds" | "sitemaps" | "list_pages">;

/**
 * Returns the header with a profile's credential for a request to an address; empty for a profile without one and for
 * any host that is not the source's own. `credentials` are the values by the names of their variables. Throws
 * EgressError `no-credential` where the variable is not set.
 */
export function credentialHeader(
  profile: Owner,
  address: string,
  credentials: Readonly<Record<string, string>>,
): Record<string, string> {
  const { auth } = profile;
  if (auth === undefined || !isOwn(profile, address, auth.hosts)) return {};
  const value = credentials[auth.env];
  if (value !== undefined) return { [auth.header]: value };
  throw new EgressError(
    "no-credential",
    address,
    `the environment variable ${auth.env}, which its profile names, is not set`,
  );
}

/**
 * Tells whether a host is one that the profile names, on the source's own site; never one over plain HTTP unless it is
 * named so.
 */
function isOwn({ source, feeds, sitemaps, list_pages }: Owner, address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (url.protocol === "https:" && hosts.includes(url.hostname)) return true;
  const { homepage = "" } = source;
  const listings = [feeds, sitemaps, list_pages].flatMap((pages) => (pages ?? []).map((page) => page.url));
  return [homepage, ...listings.filter((listing) => sameSite(listing, homepage))].some((own) => {
    const named = URL.parse(own);
    return named !== null && named.host === url.host && (url.protocol === "https:" || named.protocol === "http:");
  });
}

interface FetchInput {
  readonly url: string;
  readonly accept?: string;
  /** Validators (ETag, Last-Modified) of an earlier answer, which make the request conditional. */
  readonly validators?: Validators | undefined;
  readonly signal: AbortSignal;
  /** The longest wait for the host's turn, in milliseconds. */
  readonly maxTurnMs: number;
}

/**
 * Fetches an address with the manners, the headers, the credential and the name that the profile asks for. Throws
 * EgressError.
 */
export async function fetchFor(
  { clientFor, credentials }: Pick<CrawlParts, "clientFor" | "credentials">,
  profile: CrawlProfile,
  { url, accept, validators, signal, maxTurnMs }: FetchInput,
): Promise<EgressResponse> {
  const { user_agent, min_delay_ms, concurrency, respect_robots } = profile.politeness ?? {};
  return clientFor(user_agent)(url, {
    signal,
    maxTurnMs,
    cookies: true,
    followRefresh: true,
    headers: {
      ...(accept !== undefined && { accept }),
      ...profile.headers,
      ...credentialHeader(profile, url, credentials),
    },
    ...(min_delay_ms !== undefined && { minDelayMs: min_delay_ms }),
    ...(concurrency !== undefined && { concurrency }),
    ...(respect_robots !== undefined && { respectRobots: respect_robots }),
    ...(validators?.etag != null && { etag: validators.etag }),
    ...(validators?.lastModified != null && { lastModified: validators.lastModified }),
  });
}

/** Why an article's page cannot be had. */
export interface Failure {
  /** `retry`: it may be over later. `skipped`: nothing is wrong, but there is no article for us. */
  readonly state: "skipped" | "failed" | "retry";
  /** A code, with a detail after a colon. */
  readonly reason: string;
  /** Holds what the site asks to wait before another try, in milliseconds. */
  readonly waitMs: number;
  /** True when the text that the feed gives may stand in: not for an article that was withdrawn. */
  readonly feedMayServe: boolean;
  /** True when other articles of the host would fare the same: surely (`host`), perhaps (`unclear`), or not. */
  readonly outage: "host" | "unclear" | "none";
  /** True when the page was asked for: otherwise it does not count as a try. */
  readonly tried: boolean;
  /** True when the site says that there is no such page (any more). */
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

/** Returns what an error of the client means for an article. Throws what is none of its errors, and an abort. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof EgressError) || error.code === "aborted") throw error;
  const { code } = error;
  if (code === "robots-denied") return failure({ state: "skipped", reason: code });
  if (!PASSING.has(code)) return failure({ state: "failed", reason: code });
  const reason =
    code === "robots-unreachable" && error.cause instanceof EgressError ? `${code}: ${error.cause.code}` : code;
  return failure({ state: "retry", reason, outage: OF_HOST.has(code) ? "host" : "unclear", tried: !UNTRIED.has(code) });
}

/** Returns what a status other than 2xx means for an article. */
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

/** Returns a failure with what is usual. */
export function failure(given: Pick<Failure, "state" | "reason"> & Partial<Failure>): Failure {
  return { waitMs: 0, feedMayServe: true, outage: "none", tried: true, gone: false, ...given };
}
