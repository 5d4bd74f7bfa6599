import { type AllowList, checkAddress, EgressError, readAllowList, type Resolver, systemResolver } from "./address.ts";
import { type BodyTaker, exchange } from "./exchange.ts";
import { refreshOf } from "./refresh.ts";
import { type EgressResponse, makeResponse, retryAfterMs } from "./response.ts";

/** A time limit that can stand still while its owner waits for something that is not its fault. */
interface Deadline {
  /** Aborts when the time is up, or when the caller's own signal does. */
  readonly signal: AbortSignal;
  /** True when the time was up. */
  readonly passed: boolean;
  pause(): void;
  resume(): void;
  /** Ends the timer. */
  end(): void;
}

/** Starts a time limit of `ms`, running. */
function startDeadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let left = ms;
  let since = 0;
  let passed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const resume = () => {
    if (timer !== undefined || controller.signal.aborted) return;
    since = performance.now();
    timer = setTimeout(() => {
      passed = true;
      controller.abort();
    }, left);
  };
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left = Math.max(0, left - (performance.now() - since));
  };
  resume();
  return {
    signal: outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]),
    get passed() {
      return passed;
    },
    pause,
    resume,
    end: pause,
  };
}

/** Parts of a request. */
export interface FetchOptions {
  /** Default GET. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Validators of an earlier answer: they make the request conditional. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** For everything but `beforeHop`: looking up, redirects, body. Default 20,000 ms. */
  readonly timeoutMs?: number;
  /** For making the connection, to each address of the host. Default: as long as the request may take. */
  readonly connectMs?: number;
  /** Default 5,000,000, before and after inflating; with 0 the body is not read. */
  readonly maxBytes?: number;
  /** `cut` gives the beginning of a larger body. Default `refuse`. */
  readonly overflow?: "refuse" | "cut";
  /**
   * Takes the body of an answer of status 2xx piece by piece, as it comes, in place of keeping it: for what is too
   * large for memory. What it throws ends the request as `connection-lost`, caused by it.
   */
  readonly onBody?: BodyTaker;
  /** Default 5; with 0 a redirect is the answer. */
  readonly maxRedirects?: number;
  /**
   * True where cookies that a redirect sets go along with the requests that follow it; none outlasts the fetch. Default
   * false.
   */
  readonly cookies?: boolean;
  /**
   * True where a page that has itself replaced at once (`meta refresh`) is followed as a redirect is. Default false.
   */
  readonly followRefresh?: boolean;
  readonly signal?: AbortSignal;
  /** Called before each request of a chain of redirects; what it returns is called when that request is over. */
  readonly beforeHop?: (url: URL) => Promise<(answer: HopAnswer | undefined) => Promise<void>>;
}

/** Answer to one request of a chain of redirects; none when it failed. */
interface HopAnswer {
  readonly status: number;
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
}

/** Parts of a fetcher. */
interface FetcherOptions {
  readonly userAgent: string;
  /** Value of SCRAPER_ALLOW_PRIVATE_HOSTS. Default: none. */
  readonly allowPrivateHosts?: string;
  readonly resolver?: Resolver;
  /** Certificates to trust besides the system's, PEM. */
  readonly ca?: string;
}

/**
 * Fetches one address, redirects followed, every hop checked. Throws EgressError; an error status is an answer, not an
 * error.
 */
export type Fetcher = (address: string, options?: FetchOptions) => Promise<EgressResponse>;

const DEFAULTS = { timeoutMs: 20_000, maxBytes: 5_000_000, maxRedirects: 5 };

/**
 * Makes the one outbound HTTP client: no request leaves it for an address that was not checked. It keeps no cookies
 * between fetches.
 */
export function createFetcher(options: FetcherOptions): Fetcher {
  const allow = readAllowList(options.allowPrivateHosts ?? "");
  const resolver = options.resolver ?? systemResolver;
  return async (address, request = {}) => {
    const timeoutMs = request.timeoutMs ?? DEFAULTS.timeoutMs;
    const deadline = startDeadline(timeoutMs, request.signal);
    try {
      return await follow({ address, request, allow, resolver, deadline, options });
    } catch (error) {
      if (deadline.passed)
        throw new EgressError("timed-out", address, `no whole answer within ${timeoutMs} ms`, { cause: error });
      if (request.signal?.aborted !== true) throw error;
      throw new EgressError("aborted", address, "the caller gave up", { cause: error });
    } finally {
      deadline.end();
    }
  };
}

interface Chain {
  readonly address: string;
  readonly request: FetchOptions;
  readonly allow: AllowList;
  readonly resolver: Resolver;
  readonly deadline: Deadline;
  readonly options: FetcherOptions;
}

async function follow(chain: Chain): Promise<EgressResponse> {
  const { request, options, deadline } = chain;
  const { signal } = deadline;
  const { maxRedirects = DEFAULTS.maxRedirects } = request;
  const redirects: string[] = [];
  let url = parse(chain.address);
  let method = request.method ?? "GET";
  let body = request.body;
  let headers: Record<string, string> = { ...request.headers };
  const jar = request.cookies === true ? createCookieJar() : undefined;
  let cookiesTaken = 0;
  let wasRefreshed = false;
  const visited = new Set<string>();
  for (;;) {
    visited.add(`${cookiesTaken} ${url.href}`);
    deadline.pause();
    const done = await request.beforeHop?.(url);
    deadline.resume();
    let hop: HopAnswer | undefined;
    try {
      const to = await within(checkAddress(url, chain.allow, chain.resolver), signal);
      const answer = await exchange({
        url,
        to,
        method,
        headers: headersFor(options.userAgent, request, withCookies(headers, jar?.headerFor(url)), url.href),
        body,
        maxBytes: request.maxBytes ?? DEFAULTS.maxBytes,
        overflow: request.overflow,
        onBody: request.onBody,
        connectMs: request.connectMs,
        signal,
        ca: options.ca,
      });
      hop = { status: answer.status, retryAfterMs: retryAfterMs(answer.headers["retry-after"], Date.now()) };
      const located = maxRedirects === 0 ? null : locationOf(answer.status, answer.headers.location, url);
      const refreshed = located === null && request.followRefresh === true ? refreshOf(answer, url) : null;
      const next = located ?? refreshed;
      // A page that has itself shown again is the answer.
      if (next === null || (refreshed !== null && visited.has(`${cookiesTaken} ${refreshed.href}`))) {
        // Validators would be sent to the page that leads here, which may stay the same when this one changes.
        if (wasRefreshed) for (const name of ["etag", "last-modified"]) delete answer.headers[name];
        return makeResponse({ ...answer, url: url.href, redirects, retryAfterMs: hop.retryAfterMs });
      }
      wasRefreshed ||= refreshed !== null;
      redirects.push(url.href);
      if (redirects.length > maxRedirects) {
        throw new EgressError("too-many-redirects", chain.address, `more than ${maxRedirects} redirects`);
      }
      if (jar?.take(url, answer.headers["set-cookie"]) === true) cookiesTaken++;
      // A gate that sets a cookie sends back to where one came from: with the cookie that is no circle.
      if (visited.has(`${cookiesTaken} ${next.href}`))
        throw new EgressError("too-many-redirects", chain.address, "the redirects go in a circle");
      headers = headersAlong(headers, url, next);
      if (located !== null && answer.status < 307 && method !== "HEAD") {
        method = "GET";
        body = undefined;
      }
      url = next;
    } finally {
      await done?.(hop);
    }
  }
}

function withCookies(headers: Readonly<Record<string, string>>, cookies: string | undefined): Record<string, string> {
  if (cookies === undefined) return { ...headers };
  const [name = "cookie", value] = Object.entries(headers).find(([name]) => name.toLowerCase() === "cookie") ?? [];
  return { ...headers, [name]: value === undefined ? cookies : `${value}; ${cookies}` };
}

function parse(address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw new EgressError("bad-address", address, "it is no URL");
  return url;
}

function locationOf(status: number, location: string | undefined, base: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  const next = location === undefined ? null : URL.parse(location, base.href);
  if (next === null) throw new EgressError("bad-redirect", base.href, `status ${status} without a readable location`);
  next.hash = "";
  return next;
}

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) {
      // Nobody waits for it any more: that it fails as well is no news.
      work.catch(() => undefined);
      return stop();
    }
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that frame a request or belong to the connection: never the caller's to set. */
const OURS = /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/;
/** Headers of the caller that another host may see. */
const COMMON = /^(?:accept|accept-language|content-type|user-agent)$/i;

/**
 * Returns the headers of a request. Throws EgressError `bad-header` for a name or value that would break the request
 * open, or that frames it. A validator that is none is left out: it came from a server.
 */
function headersFor(
  userAgent: string,
  { etag, lastModified }: { readonly etag?: string | undefined; readonly lastModified?: string | undefined },
  callerHeaders: Readonly<Record<string, string>>,
  address: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": userAgent,
    accept: ACCEPT,
    "accept-language": "ar,en;q=0.9,*;q=0.5",
    "accept-encoding": "br, gzip, deflate",
    ...(etag !== undefined && VALUE.test(etag) && { "if-none-match": etag }),
    ...(lastModified !== undefined && VALUE.test(lastModified) && { "if-modified-since": lastModified }),
  };
  for (const [name, value] of Object.entries(callerHeaders)) headers[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(headers)) {
    if (NAME.test(name) && VALUE.test(value) && !OURS.test(name)) continue;
    throw new EgressError("bad-header", address, `the header ${JSON.stringify(name.slice(0, 80))} cannot be sent`);
  }
  return headers;
}

/**
 * Returns what of the caller's headers goes along with a redirect: all of it on the same host, unless TLS is lost; else
 * nothing of its own.
 */
function headersAlong(callerHeaders: Readonly<Record<string, string>>, from: URL, to: URL): Record<string, string> {
  const upgraded = from.hostname === to.hostname && from.port === "" && to.port === "" && to.protocol === "https:";
  if (from.origin === to.origin || upgraded) return { ...callerHeaders };
  return Object.fromEntries(Object.entries(callerHeaders).filter(([name]) => COMMON.test(name)));
}

/** The cookies of one chain of redirects. */
interface CookieJar {
  /** Takes what an answer sets, `Set-Cookie` by `Set-Cookie`; whether that changed anything. */
  take(url: URL, setCookies: readonly string[] | undefined): boolean;
  /** Returns the value of `Cookie` for a request to an address; undefined for none. */
  headerFor(url: URL): string | undefined;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  /** The host that set it, or the domain that it named. */
  readonly domain: string;
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
}

const MAX_COOKIES = 50;
const MAX_LENGTH = 4096;
const COOKIE_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const COOKIE_VALUE = /^[\x21-\x3a\x3c-\x7e\x80-\xff]*$/;

/** Makes an empty jar that keeps cookies by the rules of RFC 6265, as long as somebody holds it. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    take(url, setCookies = []) {
      let changed = false;
      for (const line of setCookies) {
        const parsed = readCookie(url, line);
        if (parsed === null) continue;
        const { cookie, expired } = parsed;
        const key = `${cookie.name};${cookie.domain};${cookie.path}`;
        const before = cookies.get(key);
        if (expired) changed = cookies.delete(key) || changed;
        else if (before?.value !== cookie.value && (before !== undefined || cookies.size < MAX_COOKIES)) {
          cookies.set(key, cookie);
          changed = true;
        }
      }
      return changed;
    },
    headerFor(url) {
      const due = [...cookies.values()].filter((cookie) => isFor(cookie, url));
      const pairs = due.toSorted((a, b) => b.path.length - a.path.length).map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? undefined : pairs.join("; ");
    },
  };
}

function readCookie(url: URL, line: string): { cookie: Cookie; expired: boolean } | null {
  if (line.length > MAX_LENGTH) return null;
  const [pair = "", ...rest] = line.split(";");
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  if (equals < 1 || !COOKIE_NAME.test(name) || !COOKIE_VALUE.test(value)) return null;
  const attributes = new Map(rest.map(readAttribute));
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  const secure = attributes.has("secure");
  if ((secure && url.protocol !== "https:") || (domain !== "" && !isDomainOf(domain, url.hostname))) return null;
  const path = attributes.get("path") ?? "";
  const cookie = {
    name,
    value,
    domain: domain || url.hostname,
    hostOnly: domain === "",
    path: path.startsWith("/") ? path : url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/"))),
    secure,
  };
  return { cookie, expired: isExpired(attributes) };
}

function readAttribute(part: string): [name: string, value: string] {
  const [name = "", ...value] = part.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get("expires") ?? "") <= Date.now();
}

function isFor({ domain, hostOnly, path, secure }: Cookie, { hostname, pathname, protocol }: URL): boolean {
  if (secure && protocol !== "https:") return false;
  if (hostOnly ? hostname !== domain : !isDomainOf(domain, hostname)) return false;
  return pathname === path || (pathname.startsWith(path) && (path.endsWith("/") || pathname[path.length] === "/"));
}

/** Returns whether a host lies in a domain of at least two labels. */
function isDomainOf(domain: string, hostname: string): boolean {
  return hostname === domain || (domain.includes(".") && hostname.endsWith(`.${domain}`));
}
