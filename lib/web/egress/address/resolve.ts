import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { EgressError } from "../error.ts";
import type { AllowList } from "./allow-list.ts";
import { isPublicAddress } from "./public.ts";

/** Turns a host name into its addresses. */
export type Resolver = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** Where a request may connect to: addresses that were checked, and no others. */
export interface CheckedAddress {
  /** In the order in which to try them; at least one. */
  readonly ips: readonly string[];
  readonly port: number;
  /** The name of the certificate to ask for; empty for a literal address, which has none. */
  readonly serverName: string;
}

/** Addresses of one host that are tried, one after the other. */
const MAX_TRIED = 4;

/** The system's resolver, in the order that it gives. */
export const systemResolver: Resolver = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Checks where an address leads, and returns where to connect. Every way to write an address is read by the URL
 * standard first (decimal, octal, hex, short forms). Throws EgressError `bad-address`, `dns-failed`, or
 * `private-address` when any of the host's addresses is not public and the allow-list does not name it.
 */
export async function checkAddress(url: URL, allow: AllowList, resolve: Resolver): Promise<CheckedAddress> {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressError("bad-address", url.href, "the scheme is not http or https");
  }
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("bad-address", url.href, "the address carries credentials");
  }
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") throw new EgressError("bad-address", url.href, "there is no host");
  const literal = isIP(host) !== 0;
  const addresses = literal ? [{ address: host }] : await resolved(url, host, resolve);
  const named = !literal && allow.allowsHost(host, port);
  for (const { address } of addresses) {
    if (isPublicAddress(address) || named || allow.allowsAddress(address, port)) continue;
    throw new EgressError(
      "private-address",
      url.href,
      literal ? "it is not public" : `its host resolves to ${address}`,
    );
  }
  if (addresses.length === 0) throw new EgressError("dns-failed", url.href, "the host has no address");
  const ips = addresses.map(({ address }) => address).slice(0, MAX_TRIED);
  return { ips, port, serverName: literal ? "" : host };
}

async function resolved(url: URL, host: string, resolve: Resolver): Promise<readonly { address: string }[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw new EgressError("dns-failed", url.href, `the host ${host} cannot be resolved`, { cause });
  }
}
