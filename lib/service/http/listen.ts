import http from "node:http";
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
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
function absoluteUrl(url: string): string {
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

/**
 * A server that listens. `stop` has `/readyz` say at once that it stops, takes requests until that is known
 * (`drainMs`), then takes none any more, and cuts those that are not answered after `graceMs`.
 */
export type Listening = { url: string; port: number; stop(graceMs?: number): Promise<void> };

/** The port cannot be listened on; the message says why and what to do. */
export class ListenError extends Error {
  override name = "ListenError";
}

type Fetch = (request: Request, env: unknown) => Response | Promise<Response>;

/**
 * Bytes of a request's first line and headers. The longest text that a service takes (20,000 code points, each of up to
 * twelve bytes within a URL) must reach the route, which answers 414; Bun answers what is larger with an empty 431.
 */
const MAX_HEAD = 256 * 1024;

/** Time that requests in flight have to finish, in milliseconds. */
const GRACE_MS = 10_000;

/** Sets how long before they are cut they are told so, in milliseconds. */
const LAST_WORDS_MS = 500;

/** Describes where a service listens, and how long it goes on taking requests once it is to stop. */
type ListenOptions = { host: string; port: number; drainMs?: number };

/**
 * Serves `fetch` on `host` and `port` (0: any free one). Handlers find the server as `env.server`; `env.stopping()`
 * tells whether it is about to stop, and the signal `env.ending` aborts when what is not answered is about to be cut.
 * Throws {@link ListenError} when it cannot listen.
 */
export async function listen(fetch: Fetch, { host, port, drainMs = 0 }: ListenOptions): Promise<Listening> {
  let isStopping = false;
  const stopping = (): boolean => isStopping;
  const end = new AbortController();
  const env = { stopping, ending: end.signal };
  const server = serveUnderBun((request, connection) => fetch(request, { server: connection, ...env }), { host, port });
  return {
    url: server.url.href.replace(/\/$/, ""),
    port: server.port ?? port,
    async stop(graceMs = GRACE_MS) {
      isStopping = true;
      if (drainMs > 0) await sleep(drainMs);
      const timers = [
        setTimeout(() => end.abort(new Error("the service stops")), Math.max(0, graceMs - LAST_WORDS_MS)),
        setTimeout(() => void server.stop(true), graceMs),
      ];
      await server.stop();
      timers.forEach(clearTimeout);
    },
  };
}

/** Describes what a handler is told of the connection. `timeout` 0: the request may take as long as it does. */
export type Connection = {
  timeout(request: Request, seconds: number): void;
  requestIP(request: Request): { address: string } | null;
};

/** Describes what of Bun's server is used. */
type BunServer = Connection & {
  url: { href: string };
  port: number | undefined;
  stop(force?: boolean): Promise<void>;
};
type BunRuntime = {
  serve(options: {
    hostname: string;
    port: number;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
    maxRequestBodySize: number;
    idleTimeout: number;
  }): BunServer;
};

function isBun(value: unknown): value is BunRuntime {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "serve") === "function";
}

/**
 * Bun's server, without the types of Bun; requests have absolute URLs. It cuts a connection on which nothing happens
 * for `idleS` seconds, or on which a body comes slower than 16 KiB/s in that time. Throws {@link ListenError} when it
 * cannot listen.
 */
export function serveUnderBun(
  fetch: (request: Request, connection: Connection) => Response | Promise<Response>,
  { host: hostname, port, idleS = 60 }: Omit<ListenOptions, "drainMs"> & { idleS?: number | undefined },
): BunServer {
  const runtime: unknown = Reflect.get(globalThis, "Bun");
  if (!isBun(runtime)) throw new ListenError("services listen under Bun only");
  // Bun has this for the whole process, and its server no option of its own.
  Reflect.set(http, "maxHeaderSize", MAX_HEAD);
  try {
    return runtime.serve({
      hostname,
      port,
      fetch(request, server) {
        const url = absoluteUrl(request.url);
        const length = request.headers.get("content-length");
        const isRepeated = length?.includes(",") === true;
        if (url === request.url && !isRepeated) return fetch(request, server);
        // Bun knows the request itself alone, and no copy of it.
        const connection: Connection = {
          timeout: (_, seconds) => server.timeout(request, seconds),
          requestIP: () => server.requestIP(request),
        };
        const given = new Request(url, request);
        // Bun refuses lengths that differ, and joins equal ones, which count as one (RFC 9110, 8.6).
        if (isRepeated) given.headers.set("content-length", length.slice(0, length.indexOf(",")));
        return fetch(given, connection);
      },
      // The routes set their own limits, so that every 413 is a problem document.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: idleS,
    });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    throw new ListenError(reason(code, hostname, port), { cause });
  }
}

function reason(code: unknown, host: string, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} on ${host} is in use: stop the other process or choose another port`;
  if (code === "EACCES") return `port ${port} on ${host} is not allowed for this user: choose one above 1023`;
  return `cannot listen on port ${port} of ${host}: check HOST and the port`;
}

/** Holds what is kept of the past at each completion: some fifty of them count. */
const DECAY = 0.98;

/** Completions that tell anything, at the least. */
const MIN_COMPLETIONS = 2;

/** Describes how fast work is done while there is always some waiting; measured again whenever some begins to wait. */
type Drain = {
  /** Something waits from now on, while `inWork` requests are worked on. */
  busy(inWork: number): void;
  /** `cost` units are done; `waiting` tells whether something waits still. */
  done(cost: number, options: { waiting: boolean }): void;
  /** Something else took the time since the last completion: it does not count. */
  skip(): void;
  /**
   * Milliseconds a unit, over all that is done at the same time, rather too few than too many: what was done so far is
   * but a sample. 0 as long as nothing is known.
   */
  msPerUnit(): number;
};

/**
 * Makes it. The time between completions is divided by what was completed in it, so that it does not matter how much is
 * done at a time. The first completion only starts the clock: it took as long as all that was done beside it.
 */
export function createDrain(now: () => number): Drain {
  let isBusy = false;
  let since: number | undefined;
  let ms = 0;
  let units = 0;
  let completions = 0;
  let atOnce = 0;
  let before = 0;
  return {
    busy(inWork) {
      if (isBusy) return;
      isBusy = true;
      since = undefined;
      ms = 0;
      units = 0;
      completions = 0;
      atOnce = inWork;
    },
    done(cost, { waiting }) {
      if (!isBusy) return;
      const at = now();
      if (since !== undefined) {
        ms = ms * DECAY + (at - since);
        units = units * DECAY + cost;
        completions += 1;
      }
      since = at;
      isBusy = waiting;
    },
    skip() {
      since = undefined;
    },
    msPerUnit() {
      // What was found the last time counts half until as much is known as half of what is done at a time tells.
      if (completions < Math.max(MIN_COMPLETIONS, atOnce / 2)) return before / 2;
      before = ms / units;
      return before / (1 + atOnce / completions);
    },
  };
}
