import { isIPv6 } from "node:net";
import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import type { Config } from "../config/mod.ts";
import type { HttpEnv } from "./context.ts";
import { AppError } from "./problem.ts";

/** A name or an IPv4 address, or an IPv6 address in brackets; then a port. */
const HOST = /^(?:(?<name>[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?)|\[(?<v6>[0-9a-f:.]+)\])(?::(?<port>\d{0,5}))?$/i;

/** Longest name of a host, in characters. */
const NAME_LENGTH = 254;

/**
 * Tells whether the value of a `Host` header names a host, as RFC 9110 asks: a name in ASCII or an address, and at most
 * a port.
 */
export function isHost(value: string): boolean {
  const { name = "", v6, port = "" } = HOST.exec(value)?.groups ?? {};
  if (Number(port) > 65_535 || name.length > NAME_LENGTH) return false;
  return v6 === undefined ? name !== "" : isIPv6(v6);
}

/**
 * Refuses a request (400) whose `Host` names no host. One without any is HTTP/1.0, and served; in HTTP/1.1 the server
 * refuses it.
 */
export const requireHost = createMiddleware<HttpEnv>(async function requireHost(c, next) {
  const host = c.req.header("host");
  if (host !== undefined && !isHost(host)) throw new AppError("bad-request", "The Host header names no host.");
  await next();
});

/**
 * Returns the URL of a request, absolute. Bun gives the target alone where `Host` is missing or names no host, and a
 * URL that is none where its port is too high. A target that is no path (`CONNECT a:80`) becomes `/`.
 */
export function absoluteUrl(url: string): string {
  if (url.includes("://") && URL.canParse(url)) return url;
  const target = url.replace(/^https?:\/\/[^/?#]*/i, "");
  return new URL(`http://localhost${target.startsWith("/") ? target : "/"}`).href;
}

/**
 * Refuses a request (421) that names another host while the service listens on loopback: the name of somebody else's
 * page that was made to lead here (DNS rebinding). A service that listens to a network is known by names that it cannot
 * know, and refuses none.
 */
export function requireOwnHost({ host, publicBaseUrl }: Pick<Config, "host" | "publicBaseUrl">) {
  const names = new Set([host, new URL(publicBaseUrl).hostname].map(plainName));
  const isOpen = !isLoopback(plainName(host));
  return createMiddleware<HttpEnv>(async function requireOwnHost(c, next) {
    const given = c.req.header("host");
    if (!isOpen && given !== undefined) {
      const name = plainName(given.replace(/:\d*$/, ""));
      if (!isLoopback(name) && !names.has(name)) {
        throw new AppError("misdirected-request", "The Host header names another host than this one.");
      }
    }
    await next();
  });
}

/** Returns a host in lower case, without a trailing dot and without the brackets of an IPv6 address. */
function plainName(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, "");
  return name.startsWith("[") ? name.slice(1).replace(/\]$/, "") : name;
}

/** Tells whether a host is this machine: `localhost`, or a loopback address. */
export function isLoopback(host: string): boolean {
  const name = plainName(host);
  if (name === "localhost") return true;
  if (!ipaddr.isValid(name)) return false;
  return ipaddr.process(name).range() === "loopback";
}
