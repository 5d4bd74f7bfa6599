import { VERSION } from "../../../config/index.ts";
import { createFetcher, type Fetcher, hostWithPort } from "../../../egress/index.ts";
import type { Hub } from "./hub.ts";

/**
 * Fetches from a hub. The hub's own host, which the operator named, may be a private one; what it redirects to may not.
 */
export function hubFetcher({ url }: Pick<Hub, "url">): Fetcher {
  return createFetcher({ userAgent: `isnad/${VERSION}`, allowPrivateHosts: hostWithPort(url) });
}
