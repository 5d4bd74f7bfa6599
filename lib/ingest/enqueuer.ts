import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../service/process/mod.ts";
import type { NewJob, Queues } from "../work/queue/mod.ts";

/** Articles that one wake-up call carries at most. */
const JOB_SIZE = 100;

/** Pause between two additions, in milliseconds: articles that arrive meanwhile are added together. */
const REST_MS = 20;

/** Calls the workers for accepted articles, in the background: their work is queued with them already. */
export type Enqueuer = {
  /** Returns at once. A call that cannot be made costs seconds: the workers look for work by the clock, too. */
  enqueue(articleIds: readonly number[]): void;
  /** Resolves when every article so far has been queued, or could not be. */
  settled(): Promise<void>;
};

/**
 * Makes an enqueuer. While jobs are being added, the articles of further requests are collected and then added
 * together, so that many small requests cost few round trips.
 */
export function createEnqueuer(queues: Pick<Queues, "add">, logger: Logger): Enqueuer {
  let collected: number[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (collected.length > 0) {
      const articleIds = collected;
      collected = [];
      try {
        await queues.add("ingestion", jobsFor(articleIds));
      } catch (error) {
        logger.warn({ err: error, articles: articleIds.length }, "the workers were not called");
      }
      await sleep(REST_MS);
    }
  };
  return {
    enqueue(articleIds) {
      if (articleIds.length === 0) return;
      collected.push(...articleIds);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    settled: () => running ?? Promise.resolve(),
  };
}

function jobsFor(articleIds: readonly number[]): NewJob[] {
  const jobs: NewJob[] = [];
  for (let at = 0; at < articleIds.length; at += JOB_SIZE) {
    const ids = articleIds.slice(at, at + JOB_SIZE);
    jobs.push({ id: `articles-${ids[0]}`, data: { articleIds: ids } });
  }
  return jobs;
}
