import { randomUUID } from "node:crypto";
import { Notifier, type Logger, pause } from "@isnad/lib/process";
import { type DetailedRun, isUnavailable, type Store } from "@isnad/lib/store";
import type { Crawler } from "../crawl/types.ts";
import type { ScraperMetrics } from "../metrics.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { executeRun } from "./execute.ts";

/** What the runner stands on. */
export type RunnerDeps = {
  store: Pick<Store["scraper"]["runs"], "claim" | "giveUp" | "heartbeat" | "finish" | "release">;
  profiles: Pick<Profiles, "get">;
  crawler: Pick<Crawler, "crawl">;
  logger: Logger;
  metrics: Pick<ScraperMetrics, "runEnded" | "progressed">;
  /** Name of this process among those that run. */
  instance: string;
  /** Runs at a time. */
  concurrency: number;
  leaseS: number;
  /** How often it looks for runs that nobody told it of, in milliseconds. */
  pollMs?: number;
};

/** Takes up runs, queued ones and those whose process has died. */
export type Runner = {
  /** Says that a run was queued. */
  wake(): void;
  /** Runs what there is until the signal aborts; resolves when what was under way is given back. */
  run(signal: AbortSignal): Promise<void>;
};

const POLL_MS = 2_000;

/** Makes a runner; nothing is taken up before `run`. */
export function createRunner(deps: RunnerDeps): Runner {
  const { store, profiles, logger, metrics, instance, concurrency, leaseS, pollMs = POLL_MS } = deps;
  const notifier = new Notifier();
  const underWay = new Set<Promise<void>>();

  const giveUp = async (): Promise<void> => {
    for (const run of await store.giveUp()) {
      const { runId, profileId, provider, trigger, attempts, error } = run;
      metrics.runEnded(run, { status: "failed" }, (Date.now() - Date.parse(run.startedAt ?? run.createdAt)) / 1000);
      logger.error({ run_id: runId, profile: profileId, provider, trigger, attempts, error }, "run given up");
    }
  };

  const claim = async (): Promise<{ run: DetailedRun; owner: string } | undefined> => {
    const owner = `${instance}/${randomUUID()}`;
    try {
      await giveUp();
      const run = await store.claim(owner, { leaseS });
      return run && { run, owner };
    } catch (error) {
      if (isUnavailable(error)) logger.warn({ reason: String(error) }, "database cannot be reached");
      else logger.error({ err: error }, "runs could not be claimed");
      return undefined;
    }
  };

  const execute = async (claimed: { run: DetailedRun; owner: string }, signal: AbortSignal): Promise<void> => {
    const { run } = claimed;
    const start = performance.now();
    const fields = { run_id: run.runId, profile: run.profileId, provider: run.provider, trigger: run.trigger };
    logger.info(fields, "run started");
    try {
      const ended = await executeRun(deps, { ...claimed, profile: profiles.get(run.profileId) }, signal);
      const seconds = (performance.now() - start) / 1000;
      const s = Math.round(seconds * 10) / 10;
      if (ended.outcome === undefined) {
        logger.info({ ...fields, s, reason: ended.reason }, "run left to be taken up again");
        if (ended.reason === "database") await pause(pollMs, signal);
        return;
      }
      const { status, counts, error } = ended.outcome;
      metrics.runEnded(run, ended.outcome, seconds);
      logger[status === "failed" ? "warn" : "info"]({ ...fields, s, status, ...counts, error }, "run ended");
    } catch (error) {
      logger.error({ ...fields, err: error }, "the run's end could not be written; it is taken up again");
    }
  };

  return {
    wake: () => notifier.notify(),
    async run(signal) {
      const stop = (): void => notifier.notify();
      signal.addEventListener("abort", stop, { once: true });
      const working = new AbortController();
      while (!signal.aborted) {
        const claimed = underWay.size < concurrency ? await claim() : undefined;
        if (claimed === undefined) {
          await notifier.wait(pollMs);
          continue;
        }
        const work = execute(claimed, working.signal).finally(() => {
          underWay.delete(work);
          notifier.notify();
        });
        underWay.add(work);
      }
      // Only now: what is given back while a claim is on its way would be claimed here again.
      working.abort(signal.reason);
      await Promise.all(underWay);
    },
  };
}
