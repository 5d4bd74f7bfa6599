import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

// Public by their number, but what answers there is the cloud's own metadata service.
const METADATA = new Set(["168.63.129.16"]);
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
const NAT64_LOCAL = ipaddr.IPv6.parseCIDR("64:ff9b:1::/48");
const COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");

/**
 * True for an IP address that belongs to the public internet: not private, loopback, link-local, carrier-grade NAT,
 * reserved, documentation, multicast, nor the metadata service of a cloud. An IPv6 address that carries an IPv4 one
 * (mapped, compatible, NAT64, 6to4) is judged by both; Teredo is never public. False for what is no address.
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
