import { createMiddleware } from "hono/factory";
import type { Config } from "@isnad/lib/service/config";
import { AppError } from "./app-error.ts";
import { bearerToken } from "./auth.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

/** Methods that change nothing. */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Where the service is known as, besides the host that a request names. */
export type Sites = Pick<Config, "publicBaseUrl">;

/**
 * Tells whether a browser sends the request from another site's page. Browsers say so (`Sec-Fetch-Site`) to what they
 * trust, loopback among it; to others they tell the page's origin alone.
 */
export function isCrossSite(c: HttpContext, { publicBaseUrl }: Sites): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site.toLowerCase() === "cross-site";
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const page = URL.canParse(origin) ? new URL(origin).hostname : "";
  return ![c.req.url, publicBaseUrl].some((own) => new URL(own).hostname === page);
}

/**
 * Refuses (403) what a browser sends from another site's page to a route that may write, unless it carries a
 * credential: no page can make a browser add one that it does not know.
 */
export function refuseCrossSite(sites: Sites) {
  return createMiddleware<HttpEnv>(async function refuseCrossSite(c, next) {
    if (!SAFE.has(c.req.method) && !hasCredential(c) && isCrossSite(c, sites)) throw crossSite();
    await next();
  });
}

/** Tells whether the request carries what may be a credential: a bearer token or a key. */
export function hasCredential(c: HttpContext): boolean {
  return bearerToken(c.req.header("authorization")) !== undefined || c.req.header("x-api-key") !== undefined;
}

/** The refusal of a request of another site's page where its address would be its credential. */
export function crossSite(): AppError {
  return new AppError("forbidden", "A page of another site must send a credential.");
}
