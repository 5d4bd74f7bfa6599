import { setTimeout as sleep } from "node:timers/promises";
import type { FrontierRow, ItemState } from "@isnad/lib/store";
import { createCategorizer } from "./category.ts";
import { startCounts } from "./counts.ts";
import { deliver } from "./deliver.ts";
import { discoverAll } from "./discover.ts";
import type { Failure } from "./failure.ts";
import { inLanes } from "./in-lanes.ts";
import { type LookContext, lookAt } from "./look.ts";
import type { CrawlParts } from "./parts.ts";
import { outcomeOf } from "./run-outcome.ts";
import type { CrawlContext, CrawlCounts, CrawlProfile, CrawlRun, RunOutcome } from "./types.ts";

const DEFAULT_MAX_ARTICLES = 200;
/** How often an article is tried, over all runs. */
const MAX_TRIES = 3;
const FIRST_RETRY_S = 60;
const LONGEST_RETRY_S = 6 * 3600;
/** The longest wait for a host's turn: profiles may ask for ten minutes between two requests. */
const MAX_TURN_MS = 700_000;
/** So many articles in a row that cannot be had because their host is out of reach end the run. */
const GIVE_UP_AFTER = 5;
/** Kept items that are sent while the run goes on. */
const SEND_EVERY = 50;

/**
 * Goes through a run: listings, articles, delivery. Everything that is found is kept before the next step, so that a run that
 * was cut off anywhere is taken up by the next one. Rejects only when the database fails or the signal aborts.
 */
export async function crawlRun(
  parts: CrawlParts,
  profile: CrawlProfile,
  run: CrawlRun,
  { signal, requestId = run.runId, onCounts }: CrawlContext,
): Promise<RunOutcome> {
  const counts = startCounts(run.counts);
  const tell = () => onCounts?.({ ...counts });
  const found = await discoverAll(parts, profile, { runId: run.runId, signal, maxTurnMs: MAX_TURN_MS });
  counts.discovered += found.discovered;
  tell();
  const push = createPush(() => deliver(parts, { signal, requestId, profileId: profile.name }));
  const looked = await lookAtAll({ parts, profile, run, signal, counts, tell, onKept: push.kept });
  await push.end();
  const items = await settledItems(parts, run.runId, { push, signal });
  const failedBefore = counts.failed;
  counts.duplicate = items.duplicate;
  counts.conflict = items.conflict;
  counts.sent = items.sent + items.duplicate + items.conflict + items.failed;
  counts.failed += items.failed;
  return outcomeOf({
    counts,
    found,
    looked: { ...looked, failed: failedBefore },
    refused: items.failed,
    pending: items.pending,
    pushError: push.error(),
  });
}

const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;

/**
 * The items of the run by state, once none of them is left in the hands of another sender of the same items; after a while,
 * or when the API is out of reach, as they are.
 */
async function settledItems(
  { store, drainMs }: CrawlParts,
  runId: string,
  { push, signal }: { push: ReturnType<typeof createPush>; signal: AbortSignal },
): Promise<Record<ItemState, number>> {
  const until = performance.now() + drainMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LONGEST_LOOK_MS, pause * 2)) {
    const items = await store.items.countsOfRun(runId);
    if (items.pending === 0 || push.error() !== null || performance.now() > until) return items;
    await sleep(pause, undefined, { signal });
    await push.end();
  }
}

/** Sends now and then while a run goes on, one delivery at a time, and once more at its end. */
function createPush(send: () => ReturnType<typeof deliver>) {
  let waiting = 0;
  let error: string | null = null;
  let sending: Promise<void> | undefined;
  const start = () =>
    send().then((answer) => {
      error = answer.error;
      sending = undefined;
    });
  return {
    kept() {
      // While the API is away, what there is to send waits for the end of the run.
      if (++waiting < SEND_EVERY || sending !== undefined || error !== null) return;
      waiting = 0;
      sending = start();
      sending.catch(() => undefined);
    },
    async end() {
      await sending;
      await start();
    },
    error: () => error,
  };
}

interface LookAll {
  readonly parts: CrawlParts;
  readonly profile: CrawlProfile;
  readonly run: CrawlRun;
  readonly signal: AbortSignal;
  readonly counts: CrawlCounts;
  readonly tell: () => void;
  readonly onKept: () => void;
}

/** What looking at the articles that were due came to. */
export interface LookedAll {
  readonly tried: number;
  /** Articles that are tried again in a later run. */
  readonly retried: number;
  /** Why the run ended early: its source is out of reach. */
  readonly gaveUp: string | null;
}

async function lookAtAll({ parts, profile, run, signal, counts, tell, onKept }: LookAll): Promise<LookedAll> {
  const { frontier, items, validators } = parts.store;
  const categorize = createCategorizer(profile, parts.taxonomy);
  const context: LookContext = { parts, profile, signal, categorize, maxTurnMs: MAX_TURN_MS };
  const limit = run.limit ?? profile.limits?.max_articles ?? DEFAULT_MAX_ARTICLES;
  const done = run.counts === undefined ? 0 : run.counts.extracted + run.counts.skipped + run.counts.failed;
  let left = limit - done;
  let tried = 0;
  let retried = 0;
  let down: string[] = [];

  const settleFailure = async (row: FrontierRow, { state, reason, waitMs }: Failure) => {
    if (state !== "retry") return void (await frontier.settle(profile.name, row.url, { state, reason }));
    const backOff = Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 4 ** Math.min(row.attempts, 10));
    const delayS = Math.max(backOff, waitMs / 1000);
    await frontier.settle(profile.name, row.url, { state, reason, delayS });
  };

  const lookAtOne = async (row: FrontierRow): Promise<void> => {
    const lastTry = row.attempts + 1 >= MAX_TRIES;
    const look = await lookAt(context, { row, lastTry });
    if (look.kind === "none") {
      const isOver = look.why.state === "retry" && look.why.tried && lastTry;
      const why = isOver ? { ...look.why, state: "failed" as const } : look.why;
      down = why.hostDown ? [...down, why.reason] : [];
      if (look.fetched) counts.fetched++;
      if (why.state === "retry") retried++;
      else counts[why.state]++;
      return settleFailure(row, why);
    }
    down = [];
    const { item, contentHash } = look.kind === "item" ? look : look.known;
    const kept = await items.keep({
      profileId: profile.name,
      runId: run.runId,
      url: row.url,
      item,
      contentHash,
      deliver: true,
    });
    if (look.kind === "item") {
      if (look.seen !== null) await validators.put(profile.name, row.url, look.seen);
      counts.extracted++;
    }
    if (look.kind === "unchanged" || look.fetched) counts.fetched++;
    if (kept === "unchanged") counts.skipped++;
    else onKept();
  };

  await inLanes(profile.politeness?.concurrency ?? 1, async () => {
    signal.throwIfAborted();
    if (left <= 0 || down.length >= GIVE_UP_AFTER) return false;
    left--;
    const [row] = await frontier.take(profile.name, { limit: 1, owner: run.owner, leaseS: parts.fetchLeaseS });
    if (row === undefined) return false;
    tried++;
    await lookAtOne(row);
    tell();
    return true;
  });
  const gaveUp = down.length >= GIVE_UP_AFTER ? `the source is out of reach (${down.at(-1)})` : null;
  return { tried, retried, gaveUp };
}
