import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { EgressError } from "./error.ts";

/** Hosts in private networks that may be reached all the same. */
export interface AllowList {
  /** Returns whether a host name, with the port asked for, may resolve to a private address. */
  allowsHost(host: string, port: number): boolean;
  /** Returns whether a private address may be connected to. */
  allowsAddress(address: string, port: number): boolean;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads `SCRAPER_ALLOW_PRIVATE_HOSTS`: host names, addresses and CIDR ranges, each with a port if only that one is
 * meant (`localhost:8099`, `[::1]:8099`, `10.1.0.0/16`), apart by commas or blanks. Throws RangeError for an entry that
 * is none of these.
 */
export function readAllowList(text: string): AllowList {
  const hosts: { host: string; port: number | undefined }[] = [];
  const ranges: { range: Range; port: number | undefined }[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    if (ipaddr.isValidCIDR(entry)) {
      ranges.push({ range: ipaddr.parseCIDR(entry), port: undefined });
      continue;
    }
    const { host, port } = splitPort(entry);
    if (ipaddr.isValid(host)) {
      const ip = ipaddr.parse(host);
      ranges.push({ range: [ip, ip.kind() === "ipv4" ? 32 : 128], port });
    } else if (/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(host)) hosts.push({ host: host.toLowerCase(), port });
    else throw new RangeError(`not a host, address or range: ${entry}`);
  }
  return {
    allowsHost: (host, port) => {
      const bare = host.toLowerCase().replace(/\.$/, "");
      return hosts.some((entry) => entry.host === bare && (entry.port ?? port) === port);
    },
    allowsAddress: (address, port) => {
      const bare = address.replace(/^\[|\]$/g, "");
      if (!ipaddr.isValid(bare)) return false;
      const ip = ipaddr.process(bare);
      return ranges.some(
        ({ range, port: only }) => range[0].kind() === ip.kind() && (only ?? port) === port && ip.match(range),
      );
    },
  };
}

function splitPort(entry: string): { host: string; port: number | undefined } {
  const match = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry);
  if (match === null) return { host: entry, port: undefined };
  const [, bracketed, plain, port] = match;
  return { host: bracketed ?? plain ?? entry, port: port === undefined ? undefined : Number(port) };
}

/**
 * Returns the host and port of an address that the operator has set, as an entry of a list of private hosts that may be
 * reached: it may be one.
 */
export function hostWithPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

// Public by their number, but what answers there is the cloud's own metadata service.
const METADATA = new Set(["168.63.129.16"]);
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const NAT64_LOCAL = ipaddr.IPv6.parseCIDR("64:ff9b:1::/48");
const COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");

/**
 * Returns true for an IP address that belongs to the public internet: not private, loopback, link-local, carrier-grade
 * NAT, reserved, documentation, multicast, nor the metadata service of a cloud. An IPv6 address that carries an IPv4
 * one (mapped, compatible, NAT64, 6to4) is judged by both; Teredo is never public. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").split("%", 1)[0] ?? "";
  // ipaddr.js reads the short and octal forms too, which another reader may take for something else.
  if (isIP(bare) === 0) return false;
  const ip = ipaddr.parse(bare);
  return ip instanceof ipaddr.IPv4 ? isPublicV4(ip) : isPublicV6(ip);
}

function isPublicV4(ip: ipaddr.IPv4): boolean {
  return ip.range() === "unicast" && !METADATA.has(ip.toString());
}

function isPublicV6(ip: ipaddr.IPv6): boolean {
  if (ip.isIPv4MappedAddress()) return isPublicV4(ip.toIPv4Address());
  const bytes = ip.toByteArray();
  if (ip.match(NAT64)) return isPublicV4(embedded(bytes, 12));
  if (ip.match(NAT64_LOCAL) || ip.match(COMPATIBLE)) return false;
  if (ip.range() === "6to4") return isPublicV4(embedded(bytes, 2));
  return ip.range() === "unicast";
}

function embedded(bytes: readonly number[], at: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(at, at + 4));
}

/** Turns a host name into its addresses. */
export type Resolver = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** Checked addresses that a request may connect to. */
export interface CheckedAddress {
  /** In the order in which to try them; at least one. */
  readonly ips: readonly string[];
  readonly port: number;
  /** The name of the certificate to ask for; empty for a literal address, which has none. */
  readonly serverName: string;
}

/** Addresses of one host that are tried, one after the other. */
const MAX_TRIED = 4;

/** Returns the system's resolver, in the order that it gives. */
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
