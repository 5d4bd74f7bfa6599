import { BoundedMap } from "../../std/mod.ts";
import { EgressError } from "../egress/address.ts";
import type { EgressResponse } from "../egress/response.ts";
import type { Clock } from "../egress/turns.ts";

/**
 * Returns whether a path, with its query, begins with what a pattern of RFC 9309 says: `*` stands for anything, `$` at
 * the end for the end. Both in the form of {@link normalisePath}. Matches greedily, in time proportional to the path
 * for each piece of the pattern.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const first = pieces[0] ?? "";
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const index = path.indexOf(piece, at);
    if (index < 0) return false;
    at = index + piece.length;
  }
  if (pieces.length === 1) return !anchored || at === path.length;
  const last = pieces.at(-1) ?? "";
  return anchored ? path.endsWith(last) && path.length - last.length >= at : path.indexOf(last, at) >= 0;
}

/** Percent-encodes what needs it and brings the rest into one form, so that `/ä` and `/%C3%A4` are the same. */
export function normalisePath(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const char = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[a-z0-9._~-]/i.test(char) ? char : code.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()));
}

/** Rules of a robots.txt for one robot (RFC 9309). */
interface RobotsRules {
  /** Returns whether a path, with its query, may be fetched. */
  allows(path: string): boolean;
  /** Seconds between requests that `Crawl-delay` asks for; undefined when it does not. */
  readonly crawlDelayS: number | undefined;
  /** Addresses of sitemaps, for whoever wants them. */
  readonly sitemaps: readonly string[];
}

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delay: number | undefined;
}

const MAX_LINES = 20_000;
const MAX_PATTERN = 2000;
const MAX_DELAY_S = 300;

/** Rules that allow everything, as for a site without a robots.txt. */
const ALLOW_ALL: RobotsRules = { allows: () => true, crawlDelayS: undefined, sitemaps: [] };

/**
 * Reads a robots.txt for one robot, by its product token (`IsnadBot`). The groups that name the robot count, together;
 * without one, those for `*`. Of the rules that match a path the longest decides, `allow` on a tie. Never throws.
 */
export function readRobots(text: string, product: string): RobotsRules {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let open: Group | undefined;
  let naming = false;
  for (const line of text.split(/\r\n?|\n/, MAX_LINES)) {
    const [, rawKey = "", rawValue = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line.replace(/^\ufeff/, "")) ?? [];
    const key = rawKey.toLowerCase();
    const value = rawValue.trim();
    if (key === "user-agent") {
      if (!naming || open === undefined) {
        open = { agents: [], rules: [], delay: undefined };
        groups.push(open);
      }
      naming = true;
      open.agents.push(value.toLowerCase());
    } else if (key === "sitemap") {
      if (URL.canParse(value)) sitemaps.push(value);
    } else if (key === "allow" || key === "disallow") {
      naming = false;
      if (value !== "")
        open?.rules.push({ allow: key === "allow", pattern: normalisePath(value.slice(0, MAX_PATTERN)) });
    } else if (key === "crawl-delay") {
      naming = false;
      const delay = Number.parseFloat(value);
      if (open !== undefined && delay >= 0) open.delay = Math.min(MAX_DELAY_S, delay);
    }
  }
  const token = product.toLowerCase();
  const named = groups.filter((group) => group.agents.some((agent) => tokensOf(agent).includes(token)));
  const applicable = named.length > 0 ? named : groups.filter((group) => group.agents.includes("*"));
  const rules = applicable.flatMap((group) => group.rules);
  const delays = applicable.flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
  return {
    allows: (path) => decide(rules, normalisePath(path)),
    crawlDelayS: delays.length === 0 ? undefined : Math.max(...delays),
    sitemaps,
  };
}

/**
 * Returns what a line may call a robot: by RFC 9309 a name without digits ends at the first, yet robots have them, too.
 */
function tokensOf(agent: string): string[] {
  return [/^[a-z_-]+/, /^[^\s/]+/].flatMap((token) => token.exec(agent)?.[0] ?? []);
}

function decide(rules: readonly Rule[], path: string): boolean {
  if (path === "/robots.txt") return true;
  let best: Rule | undefined;
  for (const rule of rules) {
    if (!matchesPath(rule.pattern, path)) continue;
    const longer = best === undefined || rule.pattern.length > best.pattern.length;
    if (longer || (rule.pattern.length === best?.pattern.length && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

/** The rules of sites, fetched once in a while. */
interface RobotsCache {
  /**
   * Returns the rules of the site that an address is on. Throws EgressError: `robots-unreachable`, caused by what was
   * in the way, while the site's robots.txt cannot be had; `private-address` and the like when the site may not be
   * reached at all. `concurrency` is how many requests the site may be asked at once, its robots.txt among them.
   */
  rulesFor(url: URL, concurrency: number): Promise<RobotsRules>;
}

/** Parts of a cache. */
interface RobotsCacheOptions {
  /** Fetches a robots.txt: politely, but without asking for its rules. */
  readonly fetch: (address: string, concurrency: number) => Promise<EgressResponse>;
  readonly product: string;
  readonly clock: Clock;
}
const MAX_SITES = 5000;
/** Milliseconds for which rules hold; RFC 9309 allows a day. */
const TTL_MS = 6 * 3_600_000;
/** Milliseconds for which a failure to fetch robots.txt is cached. */
const FAILED_TTL_MS = 600_000;
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
  const { clock } = options;
  const sites = new BoundedMap<string, Entry>(MAX_SITES);
  return {
    rulesFor(url, concurrency) {
      const cached = sites.get(url.origin);
      if (cached !== undefined && cached.until > clock.now()) return cached.rules;
      const entry: Entry = { rules: load(), until: clock.now() + TTL_MS };
      sites.set(url.origin, entry);
      return entry.rules;

      async function load(): Promise<RobotsRules> {
        const address = `${url.origin}/robots.txt`;
        try {
          const answer = await options.fetch(address, concurrency);
          if (answer.ok) return readRobots(answer.text().text, options.product);
          if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) return ALLOW_ALL;
          entry.until = clock.now() + FAILED_TTL_MS;
          throw unreachable(address, `the site answers ${answer.status}`);
        } catch (error) {
          if (!(error instanceof EgressError) || error.code === "robots-unreachable") throw error;
          if (OURS.has(error.code)) {
            sites.delete(url.origin);
            throw error;
          }
          entry.until = clock.now() + FAILED_TTL_MS;
          throw unreachable(address, `${error.code}: ${error.detail}`, error);
        }
      }
    },
  };
}

function unreachable(address: string, why: string, cause?: EgressError): EgressError {
  return new EgressError("robots-unreachable", address, `the site's robots.txt cannot be had: ${why}`, { cause });
}
