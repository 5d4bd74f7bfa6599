import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import type { Config } from "@isnad/lib/service/config";
import { AppError } from "./app-error.ts";
import type { HttpEnv } from "./context.ts";

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

function isLoopback(name: string): boolean {
  if (name === "localhost") return true;
  if (!ipaddr.isValid(name)) return false;
  return ipaddr.process(name).range() === "loopback";
}
