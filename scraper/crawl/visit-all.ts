import { backoffMs } from "@isnad/lib/std";
import type { FrontierOutcome, FrontierRow } from "@isnad/lib/store";
import { EgressError } from "@isnad/lib/web/egress";
import { type Failure, fetchFor } from "./fetch.ts";
import type { CrawlCounts, CrawlParts, CrawlProfile, CrawlRun } from "./types.ts";
import { type Visit, visitArticle, type VisitContext } from "./visit.ts";

/**
 * Runs `step` again and again in `concurrency` loops at once, until it answers false for the first time. After an error
 * no step is begun any more; those under way are waited for, and the first error is thrown.
 */
export async function runConcurrently(concurrency: number, step: () => Promise<boolean>): Promise<void> {
  let goesOn = true;
  const loop = async () => {
    while (goesOn) {
      try {
        if (!(await step())) goesOn = false;
      } catch (error) {
        goesOn = false;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, loop));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
}

/**
 * So many articles in a row that cannot be had, each for a reason that may be their host's, raise the question whether
 * it is.
 */
const STREAK = 5;

/** Says which hosts of a source are out of reach, by what became of their articles. */
interface HostOutages {
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

/** Tells whether a site has an answer for its front page, whatever that is short of an error of the server. */
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

/** Says how often an article is tried, over all runs. */
const MAX_TRIES = 3;
const BACKOFF = { baseMs: 60_000, factor: 4, maxMs: 6 * 3_600_000 };

/**
 * Ages at which the newest articles of a source are visited again without a listing that marks them, in seconds: an
 * hour, six, a day, three days.
 */
export const REVISIT_AGES_S = [3_600, 21_600, 86_400, 259_200];
/** The newest articles of a source that are visited again, unless its profile says otherwise. */
const REVISITED_ARTICLES = 50;
/** Says why an article waits that is visited again, and whose page was not there the last time. */
const REVISIT = "revisit";
const REVISIT_GONE = "revisit: gone";
/** Time until a page that was gone is asked for once more, before the article is reported as withdrawn, in seconds. */
const GONE_AGAIN_S = 3_600;

/** Has the newest articles of a profile visited again that have come to an age for it. */
export async function reopenNewest({ store }: CrawlParts, { name, full_text, limits }: CrawlProfile): Promise<void> {
  if (full_text === "feed") return;
  const newest = limits?.revisited_articles ?? REVISITED_ARTICLES;
  await store.frontier.reopen(name, { newest, agesS: REVISIT_AGES_S, reason: REVISIT });
}

/** Returns what a visit without an article means for a row that the scraper came back to by itself. */
function ofRevisit({ reason }: FrontierRow, why: Failure): FrontierOutcome {
  if (!why.gone) return { state: "done", reason: why.reason };
  if (reason === REVISIT_GONE) return { state: "skipped", reason: why.reason };
  return { state: "retry", reason: REVISIT_GONE, delayS: GONE_AGAIN_S };
}

/** Holds what the visits of the articles that were due came to. */
interface VisitTotals {
  /** Articles that are tried again in a later run. */
  readonly retried: number;
  /** Hosts that are out of reach and whose articles wait, one line each. */
  readonly outages: readonly string[];
}

interface VisitAllOptions {
  readonly context: VisitContext;
  readonly run: CrawlRun;
  /** Most articles. */
  readonly limit: number;
  /** Counted into. */
  readonly counts: CrawlCounts;
  /** Called after every article; `kept`: there is an item to send. */
  readonly onVisited: (kept: boolean) => void;
}

/**
 * Visits the articles of the frontier that are due, those of earlier, interrupted runs too. Each is kept and settled in
 * one transaction, or settled with the reason against it.
 */
export async function visitAll({ context, run, limit, counts, onVisited }: VisitAllOptions): Promise<VisitTotals> {
  const { parts, profile, signal } = context;
  const { frontier } = parts.store;
  let left = limit;
  let retried = 0;
  const outages = createHostOutages(context);

  const visitOne = async (row: FrontierRow): Promise<boolean> => {
    const lastTry = row.attempts + 1 >= MAX_TRIES;
    const visit = await visitArticle(context, { row, lastTry });
    const fetched = visit.kind === "unchanged" || visit.fetched ? 1 : 0;
    await outages.record(row.url, visit.kind === "none" ? visit.why : null);
    if (visit.kind !== "none") {
      return keep(context, { row, runId: run.runId, visit, fetched, counts });
    }
    if (row.reason === REVISIT || row.reason === REVISIT_GONE) return await endRevisit(row, visit.why);
    const isOver = visit.why.state === "retry" && visit.why.tried && lastTry;
    const why = isOver ? { ...visit.why, state: "failed" as const } : visit.why;
    if (why.state === "retry") retried++;
    const more = why.state === "retry" ? { fetched } : { fetched, [why.state]: 1 };
    const isNews = why.gone && (await parts.store.items.markGone(profile.name, row.url));
    context.report.error(row.url, why.reason, { retried: why.state === "retry" });
    await settle(context, row, why, { runId: run.runId, counts: more });
    add(counts, more);
    return isNews;
  };

  const endRevisit = async (row: FrontierRow, why: Failure): Promise<boolean> => {
    const outcome = ofRevisit(row, why);
    const isNews = outcome.state === "skipped" && (await parts.store.items.markGone(profile.name, row.url));
    context.report.error(row.url, why.reason, { retried: outcome.state === "retry" });
    const more = outcome.state === "skipped" ? { skipped: 1 } : {};
    await frontier.settle(profile.name, row.url, { ...outcome, counted: { runId: run.runId, counts: more } });
    add(counts, more);
    return isNews;
  };

  await runConcurrently(profile.politeness?.concurrency ?? 1, async () => {
    signal.throwIfAborted();
    if (left <= 0) return false;
    left--;
    const [row] = await frontier.take(profile.name, {
      limit: 1,
      owner: run.owner,
      leaseS: parts.fetchLeaseS,
      exceptHosts: outages.hosts(),
    });
    if (row === undefined) return false;
    onVisited(await visitOne(row));
    return true;
  });
  return { retried, outages: outages.problems() };
}

interface Keeping {
  readonly row: FrontierRow;
  readonly runId: string;
  readonly visit: Exclude<Visit, { kind: "none" }>;
  readonly fetched: 0 | 1;
  readonly counts: CrawlCounts;
}

/** Keeps an article; whether there is something to send. */
async function keep(
  { parts, profile }: VisitContext,
  { row, runId, visit, fetched, counts }: Keeping,
): Promise<boolean> {
  const { items, validators } = parts.store;
  const { item, contentHash } = visit.kind === "item" ? visit : visit.stored;
  const profileId = profile.name;
  const more = { fetched, extracted: visit.kind === "item" ? 1 : 0 };
  const kept = await items.keep({ profileId, runId, url: row.url, item, contentHash, deliver: true, counts: more });
  add(counts, { ...more, skipped: kept === "unchanged" ? 1 : 0 });
  // Not before the item: a 304 must never stand for a page that was not kept.
  if (visit.kind === "item" && visit.validators !== null) {
    await validators.put(profileId, row.url, visit.validators);
  }
  return kept !== "unchanged";
}

const COUNTED = ["fetched", "extracted", "failed", "skipped"] as const;

function add(counts: CrawlCounts, more: Partial<CrawlCounts>): void {
  for (const key of COUNTED) counts[key] += more[key] ?? 0;
}

async function settle(
  { parts, profile }: VisitContext,
  row: FrontierRow,
  why: Failure,
  counted: FrontierOutcome["counted"],
): Promise<void> {
  const { state, reason, waitMs } = why;
  const delayS = state === "retry" ? Math.max(backoffMs(row.attempts, BACKOFF), waitMs) / 1000 : undefined;
  await parts.store.frontier.settle(profile.name, row.url, { state, reason, delayS, counted });
}
