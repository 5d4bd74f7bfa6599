import { type Notifier, type Logger, pause } from "@isnad/lib/process";
import type { Tagger } from "@isnad/lib/inference";
import type { Queues } from "@isnad/lib/queue";
import type { Store } from "@isnad/lib/store";
import { tagArticles } from "./find.ts";

/** What following the analysis needs. */
export type FollowDeps = {
  store: Pick<Store, "entities">;
  tagger: Pick<Tagger, "tag" | "modelId">;
  queues: Pick<Queues, "counts">;
  logger: Logger;
  /** Rung when articles were indexed. */
  notifier: Notifier;
  /** Told of every batch. */
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
};

/** Articles of a batch while nothing else waits, and while articles wait to become searchable. */
const BATCH = 32;
const BUSY_BATCH = 4;

/** While articles wait to become searchable, this many times as long as a batch took is left to them. */
const BUSY_REST = 9;

const LEASE_S = 120;

/**
 * Finds the entities of articles once they are indexed, until the signal aborts: beside the jobs and behind them, so that an
 * article is searchable no later than without it. What is still to be done is kept in the database, so nothing is lost with a process.
 */
export async function followEntities(deps: FollowDeps, idleMs: number, signal: AbortSignal): Promise<void> {
  const { store, tagger, logger, notifier, onBatch } = deps;
  const stop = () => notifier.notify();
  signal.addEventListener("abort", stop, { once: true });
  while (!signal.aborted) {
    try {
      const busy = await isBusy(deps);
      const work = await store.entities.take({ limit: busy ? BUSY_BATCH : BATCH, leaseS: LEASE_S });
      if (work.length === 0) {
        await notifier.wait(idleMs);
        continue;
      }
      const startedAt = performance.now();
      const result = await tagArticles({ store, tagger }, work, signal).catch(async (error: unknown) => {
        await store.entities.putBack(work.map(({ articleId }) => articleId));
        throw error;
      });
      const took = performance.now() - startedAt;
      onBatch("done", result.done, took / 1000);
      if (result.broken.length > 0) {
        onBatch("failed", result.broken.length, 0);
        const [first] = result.broken;
        logger.warn({ articles: result.broken.length, err: first?.error }, "entities could not be found");
      }
      logger.debug({ articles: result.done, entities: result.entities, took_ms: Math.round(took) }, "entities");
      if (busy) await pause(took * BUSY_REST, signal);
    } catch (error) {
      if (signal.aborted) break;
      logger.warn({ err: error }, "entities are tried again");
      await pause(idleMs, signal);
    }
  }
  signal.removeEventListener("abort", stop);
}

/** Whether articles wait to become searchable. */
async function isBusy({ queues }: Pick<FollowDeps, "queues">): Promise<boolean> {
  const counts = await Promise.all([queues.counts("ingestion"), queues.counts("analysis")]);
  return counts.some(({ waiting, active }) => waiting + active > 0);
}
