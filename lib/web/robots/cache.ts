import { BoundedMap } from "../../std/mod.ts";
import type { Clock } from "../egress/deadline.ts";
import { EgressError } from "../egress/error.ts";
import type { EgressResponse } from "../egress/response.ts";
import { ALLOW_ALL, readRobots, type RobotsRules } from "./rules.ts";

/** The rules of sites, fetched once in a while. */
export interface RobotsCache {
  /**
   * Returns the rules of the site that an address is on. Throws EgressError: `robots-unreachable`, caused by what was
   * in the way, while the site's robots.txt cannot be had; `private-address` and the like when the site may not be
   * reached at all. `concurrency` is how many requests the site may be asked at once, its robots.txt among them.
   */
  rulesFor(url: URL, concurrency: number): Promise<RobotsRules>;
}

/** Parts of a cache. */
export interface RobotsCacheOptions {
  /** Fetches a robots.txt: politely, but without asking for its rules. */
  readonly fetch: (address: string, concurrency: number) => Promise<EgressResponse>;
  readonly product: string;
  readonly clock: Clock;
  /** Milliseconds for which rules hold. Default 6 hours; RFC 9309 allows a day. */
  readonly ttlMs?: number;
  /** Milliseconds for which a failure to fetch robots.txt is cached. Default 10 minutes. */
  readonly failedTtlMs?: number;
}

/** The least of a robots.txt that must be read, by RFC 9309. */
export const ROBOTS_BYTES = 512_000;
const MAX_SITES = 5000;
/** Failures that say nothing of the site's state but that it must not be reached. */
const OURS = new Set(["private-address", "bad-address", "aborted"]);

interface Entry {
  readonly rules: Promise<RobotsRules>;
  until: number;
}

/**
 * Keeps the rules of the sites visited. By RFC 9309 a site whose robots.txt is missing (status 400 to 499) allows
 * everything and one whose robots.txt cannot be had (500 and up, no connection) allows nothing for now: asking for its
 * rules fails.
 */
export function createRobotsCache(options: RobotsCacheOptions): RobotsCache {
  const { clock, ttlMs = 6 * 3_600_000, failedTtlMs = 600_000 } = options;
  const sites = new BoundedMap<string, Entry>(MAX_SITES);
  return {
    rulesFor(url, concurrency) {
      const cached = sites.get(url.origin);
      if (cached !== undefined && cached.until > clock.now()) return cached.rules;
      const entry: Entry = { rules: load(), until: clock.now() + ttlMs };
      sites.set(url.origin, entry);
      return entry.rules;

      async function load(): Promise<RobotsRules> {
        const address = `${url.origin}/robots.txt`;
        try {
          const answer = await options.fetch(address, concurrency);
          if (answer.ok) return readRobots(answer.text().text, options.product);
          if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return ALLOW_ALL;
          entry.until = clock.now() + failedTtlMs;
          throw unreachable(address, `the site answers ${answer.status}`);
        } catch (error) {
          if (!(error instanceof EgressError) || error.code === "robots-unreachable") throw error;
          if (OURS.has(error.code)) {
            sites.delete(url.origin);
            throw error;
          }
          entry.until = clock.now() + failedTtlMs;
          throw unreachable(address, `${error.code}: ${error.detail}`, error);
        }
      }
    },
  };
}

function unreachable(address: string, why: string, cause?: EgressError): EgressError {
  return new EgressError("robots-unreachable", address, `the site's robots.txt cannot be had: ${why}`, { cause });
}
