import { type AllowList, checkAddress, EgressError, readAllowList, type Resolver, systemResolver } from "./address.ts";
import { type BodyTaker, exchange } from "./exchange.ts";
import { createCookieJar, headersAlong, headersFor } from "./headers.ts";
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
      const next = maxRedirects === 0 ? null : locationOf(answer.status, answer.headers.location, url);
      if (next === null) {
        return makeResponse({ ...answer, url: url.href, redirects, retryAfterMs: hop.retryAfterMs });
      }
      redirects.push(url.href);
      if (redirects.length > maxRedirects) {
        throw new EgressError("too-many-redirects", chain.address, `more than ${maxRedirects} redirects`);
      }
      if (jar?.take(url, answer.headers["set-cookie"]) === true) cookiesTaken++;
      // A gate that sets a cookie sends back to where one came from: with the cookie that is no circle.
      if (visited.has(`${cookiesTaken} ${next.href}`))
        throw new EgressError("too-many-redirects", chain.address, "the redirects go in a circle");
      headers = headersAlong(headers, url, next);
      if (answer.status < 307 && method !== "HEAD") {
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
