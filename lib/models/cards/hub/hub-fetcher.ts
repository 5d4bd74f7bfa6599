import { VERSION } from "../../../service/config/mod.ts";
import { createFetcher, type Fetcher, hostWithPort } from "../../../web/egress/mod.ts";

/**
 * Fetches from the hub at `url`. The hub's own host, which the operator named, may be a private one; what it redirects
 * to may not.
 */
export function hubFetcher(url: string): Fetcher {
  return createFetcher({ userAgent: `isnad/${VERSION}`, allowPrivateHosts: hostWithPort(url) });
}
