import type { LeasedWork, Logger } from "@isnad/lib/service/process";
import type { Tagger } from "@isnad/lib/models";
import type { Queues } from "@isnad/lib/work/queue";
import { backoffMs } from "@isnad/lib/std";
import type { ArticleWork, Store } from "@isnad/lib/store";
import type { ArticleTexts } from "../texts.ts";
import { tagArticles } from "./find.ts";

/** What finding entities needs. */
export type EntityDeps = {
  store: Pick<Store, "entities">;
  texts: Pick<ArticleTexts, "of">;
  tagger: Pick<Tagger, "tag" | "modelId">;
  queues: Pick<Queues, "counts">;
  logger: Logger;
  /** Called with every batch. */
  onBatch(outcome: "done" | "failed", articles: number, tookS: number): void;
};

/** Articles of a batch while nothing else waits, and while articles wait to become searchable. */
const BATCH = 32;
const BUSY_BATCH = 4;

/** While articles wait to become searchable, this many times as long as a batch took is left to them. */
const BUSY_REST = 9;

/** Longest rest, in milliseconds: by then there may be no more articles waiting. */
const LONGEST_REST_MS = 10_000;

/** Seconds after which the batch of a process that died is taken by another. */
export const ENTITY_LEASE_S = 30;

const BACKOFF = { baseMs: 60_000, maxMs: 600_000 };

/** UTF-16 units that a second attempt reads of an article; each further one reads a quarter. */
const SECOND_READ = 50_000;

type Batch = { articles: ArticleWork[]; isBusy: boolean };

/**
 * Finds the entities of articles once they are indexed: beside the jobs and behind them, so that an article is
 * searchable no later than without it. What is still to be done is kept in the database, so nothing is lost with a
 * process.
 */
export function entityWork(deps: EntityDeps): LeasedWork<Batch> {
  const { store, texts, tagger, logger, onBatch } = deps;
  return {
    name: "entities",
    async claim(owner) {
      const isBusy = await articlesWait(deps);
      const limit = isBusy ? BUSY_BATCH : BATCH;
      const articles = await store.entities.claim({ owner, leaseS: ENTITY_LEASE_S, limit });
      return articles.length === 0 ? undefined : { articles, isBusy };
    },
    heartbeat: async (owner) => (await store.entities.heartbeat({ owner, leaseS: ENTITY_LEASE_S })) > 0,
    async perform({ articles, isBusy }, { owner, signal }) {
      const startedAt = performance.now();
      const attempts = new Map(articles.map(({ articleId, attempts }) => [articleId, attempts]));
      const whole = await texts.of(articles.map(({ articleId }) => articleId));
      const work = whole.map((text) => ({
        ...text,
        content: readable(text.content, attempts.get(text.articleId) ?? 1),
      }));
      const { done, entities, broken } = await tagArticles({ store, tagger }, work, signal);
      const took = performance.now() - startedAt;
      onBatch("done", done, took / 1000);
      logger.debug({ articles: done, entities, took_ms: Math.round(took) }, "entities");
      if (broken.length > 0) {
        onBatch("failed", broken.length, 0);
        logger.warn({ articles: broken.length, err: broken[0]?.error }, "entities could not be found");
        await putOff(deps, owner, articles, new Set(broken.map(({ articleId }) => articleId)));
      }
      return isBusy ? restAfter(took) : 0;
    },
    release: (owner) => store.entities.release(owner),
    fields: ({ articles }) => ({ articles: articles.length }),
  };
}

/**
 * What an attempt, counted from 1, reads of a content: the first one all of it. A long one that took too long, or ended
 * its process, gets the entities of its beginning instead of none, and does not occupy the model five times as long.
 */
function readable(content: string, attempt: number): string {
  const units = attempt === 1 ? Number.POSITIVE_INFINITY : Math.floor(SECOND_READ / 4 ** (attempt - 2));
  return content.length <= units ? content : content.slice(0, units).toWellFormed();
}

/** How long to rest after a batch that took so long while articles waited to become searchable, in milliseconds. */
export function restAfter(tookMs: number): number {
  return Math.min(tookMs * BUSY_REST, LONGEST_REST_MS);
}

/** Puts off the articles that failed, each by the number of its attempts. */
async function putOff(
  { store }: Pick<EntityDeps, "store">,
  owner: string,
  articles: readonly ArticleWork[],
  broken: ReadonlySet<number>,
): Promise<void> {
  const failed = articles.filter(({ articleId }) => broken.has(articleId));
  const byAttempts = Map.groupBy(failed, ({ attempts }) => attempts);
  for (const [attempts, group] of byAttempts) {
    const ids = group.map(({ articleId }) => articleId);
    await store.entities.retry(owner, { ids, delayS: backoffMs(attempts - 1, BACKOFF) / 1000 });
  }
}

/** Whether articles wait to become searchable. */
export async function articlesWait({ queues }: Pick<EntityDeps, "queues">): Promise<boolean> {
  const counts = await Promise.all([queues.counts("ingestion"), queues.counts("analysis")]);
  return counts.some(({ waiting, active }) => waiting + active > 0);
}
