import ipaddr from "ipaddr.js";
import type { HttpContext } from "./context.ts";
import type { Connection } from "./listen.ts";

/** Header in which services show that they are of the platform. */
export const INTERNAL_HEADER = "x-internal-token";

/** Header in which a service of the platform says for which client it asks. */
export const CLIENT_HEADER = "x-isnad-client";

/**
 * Header of a request that a service of the platform passes on for its client: it is good for what the client's own
 * credentials are good for, and no more.
 */
export const PASSED_HEADER = "x-isnad-passed";

/**
 * Tells whether an address lies in one of these networks (CIDR) or is one of these addresses; what is no address does
 * not.
 */
export function inNetworks(networks: readonly string[]): (address: string | undefined) => boolean {
  const ranges = networks.map((network) => {
    if (network.includes("/")) return ipaddr.parseCIDR(network);
    const ip = ipaddr.process(network);
    return [ip, ip.kind() === "ipv4" ? 32 : 128] as const;
  });
  return (address) => {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const ip = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === ip.kind() && ip.match(range, bits));
  };
}

/**
 * Returns the address of the client: the connection's, and behind trusted proxies the last one of `X-Forwarded-For`
 * that none of them has. Undefined when the connection is not known or what the proxies say is no address.
 */
export function clientAddress(c: HttpContext, isTrusted: (address: string | undefined) => boolean): string | undefined {
  const hops = (c.req.header("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  let address = connectionOf(c)?.requestIP(c.req.raw)?.address;
  while (isTrusted(address)) {
    const hop = hops.pop();
    if (hop === undefined || hop === "") return address;
    address = ipaddr.isValid(hop) ? hop : undefined;
  }
  return address;
}

/** Lets the request take its time: the server would cut a connection on which nothing is sent for a while. */
export function keepOpen(c: HttpContext): void {
  connectionOf(c)?.timeout(c.req.raw, 0);
}

/** Returns what `listen` hands over beside the request. */
function connectionOf(c: HttpContext): Connection | undefined {
  const env: unknown = c.env;
  if (typeof env !== "object" || env === null || !("server" in env)) return undefined;
  const { server } = env;
  return isConnection(server) ? server : undefined;
}

function isConnection(server: unknown): server is Connection {
  return typeof server === "object" && server !== null && "requestIP" in server && "timeout" in server;
}
