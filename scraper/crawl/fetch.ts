import type { EgressResponse } from "@isnad/lib/web/egress";
import type { Validators } from "@isnad/lib/store";
import { credentialHeader } from "./credential.ts";
import type { CrawlParts } from "./parts.ts";
import type { CrawlProfile } from "./types.ts";

/** How one address of a source is fetched. */
export interface FetchInput {
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
