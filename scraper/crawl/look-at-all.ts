import type { FrontierRow } from "@isnad/lib/store";
import type { Failure } from "./failure.ts";
import { inLanes } from "./in-lanes.ts";
import { type Look, type LookContext, lookAt } from "./look.ts";
import type { CrawlCounts, CrawlRun } from "./types.ts";

/** How often an article is tried, over all runs. */
const MAX_TRIES = 3;
const FIRST_RETRY_S = 60;
const LONGEST_RETRY_S = 6 * 3600;
/** So many articles in a row that cannot be had because their host is out of reach end the run. */
const GIVE_UP_AFTER = 5;

/** What looking at the articles that were due came to. */
export interface LookedAll {
  readonly tried: number;
  /** Articles that are tried again in a later run. */
  readonly retried: number;
  /** Why it ended early: the source is out of reach. */
  readonly gaveUp: string | null;
}

/** How the articles of a run are looked at. */
export interface LookAllOptions {
  readonly context: LookContext;
  readonly run: CrawlRun;
  /** Most articles. */
  readonly limit: number;
  /** Counted into. */
  readonly counts: CrawlCounts;
  /** Told after every article; `kept` says that there is an item to send. */
  readonly onLooked: (kept: boolean) => void;
}

/**
 * Looks at the articles of the frontier that are due, those of earlier, interrupted runs too. Each is kept and settled in one
 * transaction, or settled with the reason against it.
 */
export async function lookAtAll({ context, run, limit, counts, onLooked }: LookAllOptions): Promise<LookedAll> {
  const { parts, profile, signal } = context;
  const { frontier } = parts.store;
  let left = limit;
  let tried = 0;
  let retried = 0;
  let down: string[] = [];

  const lookAtOne = async (row: FrontierRow): Promise<boolean> => {
    const lastTry = row.attempts + 1 >= MAX_TRIES;
    const look = await lookAt(context, { row, lastTry });
    if (look.kind === "none" ? look.fetched : look.kind === "unchanged" || look.fetched) counts.fetched++;
    if (look.kind !== "none") {
      down = [];
      return keep(context, { row, runId: run.runId, look, counts });
    }
    const isOver = look.why.state === "retry" && look.why.tried && lastTry;
    const why = isOver ? { ...look.why, state: "failed" as const } : look.why;
    down = why.hostDown ? [...down, why.reason] : [];
    if (why.state === "retry") retried++;
    else counts[why.state]++;
    await settle(context, row, why);
    return false;
  };

  await inLanes(profile.politeness?.concurrency ?? 1, async () => {
    signal.throwIfAborted();
    if (left <= 0 || down.length >= GIVE_UP_AFTER) return false;
    left--;
    const [row] = await frontier.take(profile.name, { limit: 1, owner: run.owner, leaseS: parts.fetchLeaseS });
    if (row === undefined) return false;
    tried++;
    onLooked(await lookAtOne(row));
    return true;
  });
  const gaveUp = down.length >= GIVE_UP_AFTER ? `the source is out of reach (${down.at(-1)})` : null;
  return { tried, retried, gaveUp };
}

interface Keeping {
  readonly row: FrontierRow;
  readonly runId: string;
  readonly look: Exclude<Look, { kind: "none" }>;
  readonly counts: CrawlCounts;
}

/** Keeps an article; whether there is something to send. */
async function keep({ parts, profile }: LookContext, { row, runId, look, counts }: Keeping): Promise<boolean> {
  const { items, validators } = parts.store;
  const { item, contentHash } = look.kind === "item" ? look : look.known;
  const profileId = profile.name;
  const kept = await items.keep({ profileId, runId, url: row.url, item, contentHash, deliver: true });
  if (look.kind === "item") {
    // Not before the item: a 304 must never stand for a page that was not kept.
    if (look.seen !== null) await validators.put(profileId, row.url, look.seen);
    counts.extracted++;
  }
  if (kept === "unchanged") counts.skipped++;
  return kept !== "unchanged";
}

async function settle({ parts, profile }: LookContext, row: FrontierRow, why: Failure): Promise<void> {
  const { state, reason, waitMs } = why;
  const backOff = Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 4 ** Math.min(row.attempts, 10));
  const delayS = state === "retry" ? Math.max(backOff, waitMs / 1000) : undefined;
  await parts.store.frontier.settle(profile.name, row.url, { state, reason, delayS });
}
