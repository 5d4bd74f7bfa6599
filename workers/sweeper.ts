import type { Logger } from "@isnad/lib/service/process";
import type { Queues } from "@isnad/lib/work/queue";
import type { Store } from "@isnad/lib/store";

/** What a sweep needs. */
export type SweepDeps = {
  store: Pick<Store, "articles">;
  queues: Pick<Queues, "add" | "counts">;
  logger: Logger;
};

/** After how long a wake-up call counts as lost, and how much one sweep does. */
export type SweepLimits = {
  /** Seconds, while the queue is empty: then no job can be on its way. */
  whenIdleS: number;
  /** Seconds, while nothing waits but something is in work: it may be this article, after a long wait. */
  whenActiveS: number;
  /** Seconds, while jobs wait: the article's may well be one of them. */
  whenBusyS: number;
  /** Articles a queue and sweep. */
  limit: number;
  /** The same while jobs wait: few, so that sweeping never makes a backlog longer to speak of. */
  busyLimit: number;
};

export const SWEEP_LIMITS: SweepLimits = {
  whenIdleS: 10,
  whenActiveS: 30,
  whenBusyS: 300,
  limit: 5_000,
  busyLimit: 500,
};

/** Articles a job. */
const BATCH = 100;

const steps = [
  { queue: "ingestion", state: "accepted" },
  { queue: "analysis", state: "normalized" },
] as const;

/**
 * Adds jobs for the articles whose wake-up call was lost: between the commit of a request and the adding of its job,
 * between two steps, or with the queue itself. A call too many does no harm: the rows decide what is done. Returns the
 * number of articles.
 */
export async function sweep({ store, queues, logger }: SweepDeps, limits: SweepLimits = SWEEP_LIMITS): Promise<number> {
  let swept = 0;
  for (const { queue, state } of steps) {
    const { waiting, delayed, active } = await queues.counts(queue);
    const busy = waiting + delayed > 0;
    const olderThanS = busy ? limits.whenBusyS : active > 0 ? limits.whenActiveS : limits.whenIdleS;
    const limit = busy ? limits.busyLimit : limits.limit;
    const ids = await store.articles.stale({ state, olderThanS, limit });
    if (ids.length === 0) continue;
    const jobs = [];
    for (let i = 0; i < ids.length; i += BATCH) {
      const articleIds = ids.slice(i, i + BATCH);
      jobs.push({ id: `sweep-${articleIds[0]}-${articleIds.length}`, data: { articleIds } });
    }
    await queues.add(queue, jobs);
    await store.articles.touchQueued(ids);
    swept += ids.length;
    logger.warn({ queue, articles: ids.length, waiting }, "lost wake-up calls were repeated");
  }
  return swept;
}
