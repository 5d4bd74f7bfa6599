import { backoffMs } from "../../std/mod.ts";
import { createRobotsCache } from "../robots/robots.ts";
import { EgressError } from "./address.ts";
import type { Fetcher, FetchOptions } from "./fetcher.ts";
import type { EgressResponse } from "./response.ts";
import { type Clock, createTurns, type HostLimits, type LeaseStore, systemClock } from "./turns.ts";

/** The least of a robots.txt that must be read, by RFC 9309. */
const ROBOTS_BYTES = 512_000;

/** Manners towards the hosts of one source. */
export interface Manners extends Partial<HostLimits> {
  /** Default true. */
  readonly respectRobots?: boolean;
  /** Retries after a passing failure. Default 2. */
  readonly retries?: number;
  /** The longest `Retry-After` that is waited for; a longer one is handed back with the answer. Default 30,000 ms. */
  readonly maxWaitMs?: number;
  /** The longest wait for the host's turn. Default 120,000 ms. */
  readonly maxTurnMs?: number;
}

/** Parts of a polite client. */
interface PoliteClientOptions {
  readonly fetcher: Fetcher;
  readonly leases: LeaseStore;
  /** The product token that robots.txt knows the robot by. */
  readonly product: string;
  readonly clock?: Clock;
  /** 0 to 1; tests bring their own. */
  readonly random?: () => number;
}

/** Fetches politely: robots.txt, one host at a time and not too often, again after passing failures. */
export type PoliteClient = (address: string, options?: FetchOptions & Manners) => Promise<EgressResponse>;

const DEFAULTS = { concurrency: 2, minDelayMs: 1000, retries: 2, maxWaitMs: 30_000, maxTurnMs: 120_000 };
const ROBOTS_TIMEOUT_MS = 10_000;
/** A lease outlasts its request by this: giving it back takes a moment. */
const HOLD_SLACK_MS = 1_000;
const DEFAULT_TIMEOUT_MS = 20_000;
/** Statuses whose `Retry-After` holds for the whole host. */
const BACKOFF = { baseMs: 500, maxMs: 30_000 };
const BUSY = new Set([429, 503]);
const RETRIED = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Makes a client that keeps to the manners of crawling. Each request of a chain of redirects waits for its host's turn,
 * which all processes with one lease store share; a host that answers 429 or 503 with `Retry-After` is left alone by
 * all of them. Throws EgressError, `robots-denied` and, for a site whose robots.txt cannot be had, `robots-unreachable`
 * among them.
 */
export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const { fetcher, leases, product, clock = systemClock, random = Math.random } = options;
  const turns = createTurns(leases, clock);

  const once = (address: string, request: FetchOptions & Manners, robots: boolean): Promise<EgressResponse> =>
    fetcher(address, {
      ...request,
      beforeHop: async (url) => {
        const { concurrency = DEFAULTS.concurrency } = request;
        const rules = robots ? await cache.rulesFor(url, concurrency) : undefined;
        if (rules?.allows(`${url.pathname}${url.search}`) === false) {
          throw new EgressError("robots-denied", url.href, "the site's robots.txt forbids it");
        }
        const limits = {
          concurrency,
          minDelayMs: Math.max(request.minDelayMs ?? DEFAULTS.minDelayMs, (rules?.crawlDelayS ?? 0) * 1000),
        };
        const { timeoutMs = DEFAULT_TIMEOUT_MS, maxTurnMs = DEFAULTS.maxTurnMs, signal } = request;
        const lease = await turns.take(url, { limits, holdMs: timeoutMs + HOLD_SLACK_MS, maxTurnMs, signal });
        return (answer) =>
          turns.end(lease, answer !== undefined && BUSY.has(answer.status) ? answer.retryAfterMs : undefined);
      },
    });

  const cache = createRobotsCache({
    product,
    clock,
    fetch: (address, concurrency) => {
      const limits = { concurrency, minDelayMs: 0, timeoutMs: ROBOTS_TIMEOUT_MS };
      return once(address, { maxBytes: ROBOTS_BYTES, overflow: "cut", ...limits }, false);
    },
  });

  return async (address, request = {}) => {
    const { respectRobots = true, retries = DEFAULTS.retries, maxWaitMs = DEFAULTS.maxWaitMs } = request;
    for (let attempt = 0; ; attempt++) {
      let wait = backoffMs(attempt, BACKOFF, random);
      try {
        const answer = await once(address, request, respectRobots);
        if (answer.retryAfterMs !== undefined && BUSY.has(answer.status)) wait = answer.retryAfterMs;
        if (!RETRIED.has(answer.status) || attempt >= retries || wait > maxWaitMs) return answer;
      } catch (error) {
        // What the cache holds of a robots.txt that could not be had does not change by asking again.
        const passing = error instanceof EgressError && error.retryable && error.code !== "robots-unreachable";
        if (!passing || attempt >= retries) throw error;
      }
      await clock.sleep(wait, request.signal).catch((cause: unknown) => {
        throw new EgressError("aborted", address, "the caller gave up", { cause });
      });
    }
  };
}
