import ipaddr from "ipaddr.js";

/** Hosts in private networks that may be reached all the same. */
export interface AllowList {
  /** Whether a host name, with the port asked for, may resolve to a private address. */
  allowsHost(host: string, port: number): boolean;
  /** Whether a private address may be connected to. */
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
