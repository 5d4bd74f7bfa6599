import type { Context } from "hono";
import type { Scope } from "../../contract/state-v1.ts";
import type { Logger } from "../process/logger.ts";

/** Describes what a credential may be good for: the scopes of keys, and what only tokens of the environment have. */
export type Right = Scope | "delete" | "edge" | "internal";

/** A credential that was recognised. */
export type Holder = { client: string; rights: ReadonlySet<Right>; ratePerMin: number | null };

/** Describes what the service puts into the context of each request. */
export type HttpEnv = {
  Variables: {
    /** 1 to 128 visible ASCII characters; echoed as `X-Request-Id`, passed on to upstream calls. */
    requestId: string;
    /** Fields of the request's log line; see {@link note}. */
    fields: Record<string, unknown>;
    /**
     * Says whose the request is: its key, else its address or network. Each client has its share of what is limited; a
     * service that asks for another passes it on.
     */
    client: string;
    /** The credentials of the request that are valid; see `access.ts`. */
    holders: readonly Holder[];
    /** The service's logger; see {@link requestLogger}. */
    logger: Logger;
  };
};

/** A request within a service. */
export type HttpContext = Context<HttpEnv>;

/**
 * Adds fields to the one line that is logged for the request; `message` replaces its text. No text of articles, no
 * credentials.
 */
export function note(c: HttpContext, fields: Record<string, unknown>): void {
  Object.assign(c.var.fields, fields);
}

/** Returns a logger for further lines about a request; each carries `request_id`. */
export function requestLogger(c: HttpContext): Logger {
  return c.var.logger.child({ request_id: c.var.requestId });
}

/** Returns the path of a request, percent-encoded: a URI reference, as the `instance` of a problem has to be. */
export function pathOf(c: HttpContext): string {
  return new URL(c.req.url).pathname;
}

/** Returns the query of a request, as it was sent. */
export function queryOf(c: HttpContext): URLSearchParams {
  return new URLSearchParams(/\?([^#]*)/.exec(c.req.url)?.[1]);
}
