import { EgressError } from "@isnad/lib/web/egress";
import { sameSite } from "../../lib/extraction/mod.ts";
import type { CrawlProfile } from "./types.ts";

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
