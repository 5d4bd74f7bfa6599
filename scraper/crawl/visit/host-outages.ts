import { EgressError } from "@isnad/lib/web/egress";
import { fetchFor } from "../fetch.ts";
import type { Failure } from "./failure.ts";
import type { VisitContext } from "./visit.ts";

/**
 * So many articles in a row that cannot be had, each for a reason that may be their host's, raise the question whether
 * it is.
 */
const STREAK = 5;

/** Which hosts of a source are out of reach, by what became of their articles. */
export interface HostOutages {
  /** Takes note of a visit; `failure` is null when the page was had. */
  record(url: string, failure: Failure | null): Promise<void>;
  /** Hosts that are not asked any more. */
  hosts(): string[];
  isDown(url: string): boolean;
  /** One line a host that is out of reach. */
  problems(): string[];
}

/**
 * Follows the hosts of a source through a run. A host is out of reach when five of its articles in a row could not be
 * had and it says so itself, cannot be connected to, or does not answer for its front page either: dead pages are no
 * dead host.
 */
export function createHostOutages(context: VisitContext): HostOutages {
  const streaks = new Map<string, number>();
  const down = new Map<string, string>();
  return {
    async record(url, failure) {
      const { host, origin } = new URL(url);
      if (failure === null || failure.outage === "none") return void streaks.delete(host);
      const streak = (streaks.get(host) ?? 0) + 1;
      streaks.set(host, streak);
      if (streak % STREAK !== 0) return;
      if (failure.outage === "host" || !(await answers(context, origin))) down.set(host, failure.reason);
    },
    hosts: () => [...down.keys()],
    isDown: (url) => down.has(new URL(url).host),
    problems: () => [...down].map(([host, reason]) => `${host} is out of reach (${reason})`),
  };
}

/** Whether a site has an answer for its front page, whatever that is short of an error of the server. */
async function answers({ parts, profile, signal, maxTurnMs }: VisitContext, origin: string): Promise<boolean> {
  try {
    const { status } = await fetchFor(parts, profile, { url: `${origin}/`, signal, maxTurnMs });
    return status < 500 && status !== 429;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    return error.code === "robots-denied" || error.code === "too-large" || error.code === "too-many-redirects";
  }
}
