import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../process/index.ts";
import type { NewJob, Queues } from "../queue/index.ts";

/** Articles that one job carries at most. */
const JOB_SIZE = 100;

/** Rest between two additions, in milliseconds: what arrives meanwhile goes together. */
const REST_MS = 20;

/** Wakes the workers up for accepted articles. */
export type Waker = {
  /** Returns at once; the job is added in the background. What cannot be added is found by the sweeper. */
  wake(articleIds: readonly number[]): void;
  /** Resolves when everything handed over so far has been added, or has failed to be. */
  settled(): Promise<void>;
};

/**
 * Makes a waker over queue `ingestion`. While one addition is under way, the articles of further requests gather and
 * then go together, so that many small requests cost few round trips.
 */
export function createWaker(queues: Pick<Queues, "add">, logger: Logger): Waker {
  let gathered: number[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (gathered.length > 0) {
      const articleIds = gathered;
      gathered = [];
      try {
        await queues.add("ingestion", jobsFor(articleIds));
      } catch (error) {
        logger.warn({ err: error, articles: articleIds.length }, "articles wait for the sweeper");
      }
      await sleep(REST_MS);
    }
  };
  return {
    wake(articleIds) {
      if (articleIds.length === 0) return;
      gathered.push(...articleIds);
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
