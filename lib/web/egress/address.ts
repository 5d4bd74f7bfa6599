import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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

/** This machine's own addresses, which webhooks of clients may go to on a developer's machine. */
const LOOPBACK = "127.0.0.0/8 ::1/128 localhost";

/**
 * Returns the private hosts that a webhook which a client names may lead to, as {@link readAllowList} takes them: those
 * that the operator lists, with `APP_ENV=local` this machine, too.
 */
export function hostsForHooks({ appEnv, allowPrivateHosts }: { appEnv: string; allowPrivateHosts: string }): string {
  return appEnv === "local" ? `${allowPrivateHosts} ${LOOPBACK}` : allowPrivateHosts;
}

/**
 * Returns why an address that a client names may not be reached, in words that name the `setting` of what may;
 * undefined where its host is a name, which is looked up when something is sent or fetched, or may be reached.
 */
export function refusedAddress(address: string, allowed: string, setting: string): string | undefined {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const allow = readAllowList(allowed);
  const isPrivate = isIP(host) === 0 ? host === "localhost" || host.endsWith(".localhost") : !isPublicAddress(host);
  if (!isPrivate || allow.allowsHost(host, port) || (isIP(host) !== 0 && allow.allowsAddress(host, port)))
    return undefined;
  return `must lead to a public address, or to one of ${setting}`;
}

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
