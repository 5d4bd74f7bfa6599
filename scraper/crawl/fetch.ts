import type { Validators } from "@isnad/lib/store";
import { EgressError, type EgressResponse } from "@isnad/lib/web/egress";
import { sameSite } from "../../lib/extraction/mod.ts";
import type { CrawlParts, CrawlProfile } from "./types.ts";

/** What of a profile decides who gets its credential. */
type Owner = Pick<CrawlProfile, "auth" | "source" | "feeds" | "sitemaps" | "list_pages">;

/**
 * The header with a profile's credential for a request to an address; empty for a profile without one and for any host
 * that is not the source's own. `credentials` are the values by the names of their variables. Throws EgressError
 * `no-credential` where the variable is not set.
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
 * Whether a host is one that the profile names, on the source's own site; never one over plain HTTP unless it is named
 * so.
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

/** How one address of a source is fetched. */
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

/** What an answer says of itself, for the next conditional request. `contentHash` names its body. */
export function validatorsOf(answer: EgressResponse, contentHash: string | null): Validators {
  return { etag: answer.etag ?? null, lastModified: answer.lastModified ?? null, contentHash };
}
