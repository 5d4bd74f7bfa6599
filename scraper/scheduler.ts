import { type LeasedWork, type Logger, pause } from "@isnad/lib/service/process";
import { type DetailedRun, isUnavailable, type Run, type RunCounts, type Store } from "@isnad/lib/store";
import { Cron } from "croner";
import type { Crawler, CrawlProgress, RunOutcome } from "./crawl/types.ts";
import type { ScraperMetrics } from "./deps.ts";
import type { Profiles } from "./profiles/profiles.ts";
import type { Profile } from "./profiles/schema.ts";

/** Says when a profile is due. */
type Due = { schedule: string; timezone: string };

/**
 * Returns the first slot after `after` (ms since 1970), undefined when there is none. Where clocks are put forward, a
 * slot at a fixed time that does not exist comes right after the gap; where they are put back, it comes once.
 */
export function nextSlot(due: Due, after: number): number | undefined {
  return cronOf(due).nextRun(new Date(after))?.getTime();
}

/** Returns the last slot at or before `until`. */
export function lastSlot(due: Due, until: number): number | undefined {
  // What croner gives is before its reference, in whole seconds.
  const reference = new Date((Math.floor(until / 1000) + 1) * 1000);
  return cronOf(due).previousRuns(1, reference)[0]?.getTime();
}

function cronOf({ schedule, timezone }: Due): Cron {
  return new Cron(schedule, { mode: "5-part", timezone });
}

/** The time, and how to wait; tests bring their own. */
type SchedulerClock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
};

type SchedulerDeps = {
  profiles: Pick<Profiles, "all" | "onReload">;
  store: {
    runs: Pick<Store["scraper"]["runs"], "create" | "latest">;
    schedule: Pick<Store["scraper"]["schedule"], "claim">;
  };
  /** The keys of sources that somebody switched off or removed: their profiles are not scheduled. */
  sourcesOff?: () => Promise<{ has(key: string): boolean }>;
  logger: Logger;
  clock?: SchedulerClock;
  /** Called after a run was queued. */
  onQueued?: () => void;
};

/** Queues a run of each enabled profile whose source is not off at each slot of its schedule. */
type Scheduler = {
  /** Does what is due now. */
  tick(): Promise<void>;
  /** Ticks whenever something is due, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
};

/** The clock may be set, and the machine may sleep: nothing is waited for longer than this, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/** Further than this from one tick to the next a clock does not go by itself, in milliseconds. */
const JUMP_MS = MAX_WAIT_MS + 60_000;

/**
 * Says how far a profile's schedule has been followed, and a slot that was claimed but whose run is not queued yet.
 */
type Followed = { due: string; until: number; owed?: number | undefined };

/**
 * Makes the scheduler. A slot is claimed in the database, so that it gives one run whatever the number of processes. Of
 * the slots that passed while no process ran, the last one of each profile is made up for, once, if the profile has
 * been run before but not since; for a profile that comes, comes back or gets another schedule later, slots count from
 * then on.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { profiles, store, logger, onQueued, sourcesOff = async () => new Set<string>() } = deps;
  const clock = deps.clock ?? { now: Date.now, pause };
  const followed = new Map<string, Followed>();
  let started = false;
  let tickedAt: number | undefined;

  /** Follows a clock that went back: what was done in a future that has not come yet is not waited for. */
  const followBack = (now: number): void => {
    const before = tickedAt ?? now;
    tickedAt = now;
    if (Math.abs(now - before) > JUMP_MS) {
      const jump = { from: new Date(before).toISOString(), to: new Date(now).toISOString(), jump_ms: now - before };
      if (now < before) logger.warn(jump, "the clock went back; schedules are followed from its time on");
      else logger.warn(jump, "the clock went ahead, or the machine slept; the last slot that passed is made up for");
    }
    if (now < before) for (const state of followed.values()) state.until = Math.min(state.until, now);
  };

  const start = async (enabled: readonly Profile[], now: number): Promise<void> => {
    const latest = await store.runs.latest(enabled.map(({ name }) => name));
    for (const profile of enabled) {
      const before = latest.get(profile.name);
      const until = before === undefined ? now : Date.parse(before.createdAt);
      followed.set(profile.name, { due: dueOf(profile), until: Math.min(until, now) });
    }
    started = true;
  };

  const follow = async (profile: Profile, now: number): Promise<void> => {
    const state = followed.get(profile.name);
    if (state?.due !== dueOf(profile)) {
      followed.set(profile.name, { due: dueOf(profile), until: now });
      return;
    }
    const slot = lastSlot(profile, now);
    if (slot !== undefined && slot > state.until) {
      const claimed = await store.schedule.claim(profile.name, new Date(slot).toISOString(), now);
      state.until = slot;
      if (claimed) state.owed = slot;
    }
    if (state.owed === undefined) return;
    const { name, provider, source } = profile;
    const slotTime = new Date(state.owed).toISOString();
    const made = await store.runs.create({ profileId: name, provider, trigger: "schedule", sourceKey: source.id });
    state.owed = undefined;
    if ("running" in made) {
      const { runId, status } = made.running;
      logger.info(
        { profile: name, slot: slotTime, run_id: runId, status },
        "slot skipped: the profile is still running",
      );
      return;
    }
    logger.info({ profile: name, slot: slotTime, run_id: made.run.runId }, "run queued by schedule");
    onQueued?.();
  };

  const tick = async (): Promise<void> => {
    const now = clock.now();
    followBack(now);
    const off = await sourcesOff();
    const enabled = profiles.all().filter(({ enabled, source }) => enabled && !off.has(source.id));
    if (!started) await start(enabled, now);
    const names = new Set(enabled.map(({ name }) => name));
    for (const name of followed.keys()) if (!names.has(name)) followed.delete(name);
    for (const profile of enabled) await follow(profile, now);
  };

  const waitMs = (): number => {
    const now = clock.now();
    const next = profiles.all().flatMap((profile) => (profile.enabled ? (nextSlot(profile, now) ?? []) : []));
    return Math.min(MAX_WAIT_MS, ...next.map((slot) => slot - now));
  };

  return {
    tick,
    async run(signal) {
      while (!signal.aborted) {
        try {
          await tick();
        } catch (error) {
          logger.warn({ err: error }, "the schedule could not be followed; it is tried again");
          await clock.pause(1_000, signal);
          continue;
        }
        await untilDueOrReloaded(profiles, clock, waitMs(), signal);
      }
    },
  };
}

function dueOf({ schedule, timezone }: Profile): string {
  return `${schedule} ${timezone}`;
}

/** A reload may bring a slot that comes earlier than what is waited for. */
async function untilDueOrReloaded(
  profiles: Pick<Profiles, "onReload">,
  clock: SchedulerClock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const reloaded = new AbortController();
  const off = profiles.onReload(() => reloaded.abort());
  try {
    await clock.pause(ms, AbortSignal.any([signal, reloaded.signal]));
  } finally {
    off();
  }
}

/** Holds what the work on runs needs. */
export type RunDeps = {
  store: Pick<Store["scraper"]["runs"], "claim" | "giveUp" | "heartbeat" | "finish" | "release">;
  profiles: Pick<Profiles, "get">;
  crawler: Pick<Crawler, "crawl">;
  logger: Logger;
  metrics: Pick<ScraperMetrics, "runEnded" | "progressed">;
  /** Seconds without a heartbeat after which another process takes a run over. */
  leaseS: number;
};

/** Longest time between two heartbeats, in milliseconds: they also write the errors that users read. */
export const RUN_HEARTBEAT_MS = 2_000;

/** A run in progress: its progress, and the part of it that is written. */
type RunInWork = { readonly run: DetailedRun; progress: CrawlProgress; written: CrawlProgress["details"] };

/** Queued runs, and runs whose process has died, as leased work. */
export function runWork(deps: RunDeps): LeasedWork<RunInWork> {
  const { store, logger, metrics, leaseS } = deps;
  return {
    name: "runs",
    async claim(owner) {
      await giveUp(deps);
      const run = await store.claim(owner, { leaseS });
      return run && { run, progress: { counts: run.counts, details: run }, written: run };
    },
    async heartbeat(owner, held) {
      const { details } = held.progress;
      const news = details === held.written ? {} : { details };
      const isOwn = await store.heartbeat(held.run.runId, owner, { leaseS, ...news });
      if (isOwn) held.written = details;
      return isOwn;
    },
    async perform(held, { owner, signal }) {
      const { run } = held;
      const start = performance.now();
      logger.info(fieldsOf(run), "run started");
      const onProgress = (now: CrawlProgress): void => {
        metrics.progressed(run.profileId, held.progress, now);
        held.progress = now;
      };
      const outcome = await crawl(deps, held, { owner, signal, onProgress });
      const { details } = held.progress;
      const seconds = (performance.now() - start) / 1000;
      const s = Math.round(seconds * 10) / 10;
      if (!(await store.finish(run.runId, owner, { ...outcome, details }))) {
        logger.warn({ ...fieldsOf(run), s }, "the run's end is not written: another process has it");
        return 0;
      }
      const { status, counts, error } = outcome;
      onProgress({ counts, details });
      metrics.runEnded(run, outcome, seconds);
      logger[status === "failed" ? "warn" : "info"]({ ...fieldsOf(run), s, status, ...counts, error }, "run ended");
      return 0;
    },
    release: (owner, { run, progress }) => store.release(run.runId, owner, progress),
    fields: ({ run }) => fieldsOf(run),
  };
}

function fieldsOf({ runId, profileId, provider, trigger }: Run): Record<string, unknown> {
  return { run_id: runId, profile: profileId, provider, trigger };
}

/** Ends the runs that ended their process each time. */
async function giveUp({ store, logger, metrics }: RunDeps): Promise<void> {
  for (const run of await store.giveUp()) {
    const { attempts, error } = run;
    metrics.runEnded(run, { status: "failed" }, (Date.now() - Date.parse(run.startedAt ?? run.createdAt)) / 1000);
    logger.error({ ...fieldsOf(run), attempts, error }, "run given up");
  }
}

/** Returns the crawl's outcome; an error that is neither the signal's nor the database's ends the run. */
async function crawl(
  { crawler, profiles }: RunDeps,
  held: RunInWork,
  { owner, signal, onProgress }: { owner: string; signal: AbortSignal; onProgress: (progress: CrawlProgress) => void },
): Promise<RunOutcome> {
  const { run } = held;
  const profile = profiles.get(run.profileId);
  if (profile === undefined) return failed(`there is no profile ${run.profileId}`, run.counts);
  try {
    return await crawler.crawl(profile, { ...run, owner }, { signal, onProgress });
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error;
    return failed(String(error), held.progress.counts);
  }
}

function failed(error: string, counts: RunCounts): RunOutcome {
  return { status: "failed", counts, error };
}
