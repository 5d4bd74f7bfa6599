import type { Embedder, PassageReader } from "@isnad/lib/models";
import { reembed } from "@isnad/lib/search/sync";
import { COPIES_VERSION, STORIES_VERSION } from "@isnad/lib/stories";
import { type Logger, pause } from "@isnad/lib/service/process";
import { backoffMs } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";

/** Which articles are to be read. */
type EnlistOptions = {
  store: Pick<Store, "rerank">;
  /** The model that reads them. */
  modelId: string;
  signal: AbortSignal;
  /** Articles looked at in one statement (2,000). */
  stretch?: number;
};

/**
 * Puts all indexed articles that have no vectors of the model on the list of those to be read: those that were indexed
 * before there were any, without the setting, or that another model read. Walks all articles by id, one short statement
 * a stretch; cut short, it may begin again. Returns how many were put there.
 */
export async function enlistAll({ store, modelId, signal, stretch: limit = 2_000 }: EnlistOptions): Promise<number> {
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.rerank.enlist({ afterId, limit, modelId });
    total += enlisted;
    afterId = lastId;
  }
  return total;
}

/** Says how articles are put on the list of those to be matched: with `again` all. */
type EnlistCopiesOptions = {
  store: Pick<Store, "copies">;
  signal: AbortSignal;
  again?: boolean;
  stretch?: number;
  /** Told of the number put on the list so far. */
  onProgress?: (enlisted: number) => void;
};

/**
 * Puts the indexed articles that were not matched with others by these rules on the list of those to be matched, as
 * {@link enlistAll} does. Returns how many were put there.
 */
export async function enlistCopies(options: EnlistCopiesOptions): Promise<number> {
  const { store, signal, again, stretch: limit = 2_000, onProgress } = options;
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.copies.enlist({ afterId, limit, version: COPIES_VERSION, again });
    total += enlisted;
    onProgress?.(total);
    afterId = lastId;
  }
  return total;
}

/** Says how articles are put on the list of those to be told apart: with `again` all. */
type EnlistStoriesOptions = Omit<EnlistCopiesOptions, "store"> & { store: Pick<Store, "stories"> };

/**
 * Puts the indexed articles that these rules put into no story on the list of those to be told apart, as
 * {@link enlistAll} does. Returns how many were put there.
 */
export async function enlistStories(options: EnlistStoriesOptions): Promise<number> {
  const { store, signal, again, stretch: limit = 2_000, onProgress } = options;
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.stories.enlist({ afterId, limit, version: STORIES_VERSION, again });
    total += enlisted;
    onProgress?.(total);
    afterId = lastId;
  }
  return total;
}

/** What the projections are brought up to date with. */
type CatchUpDeps = {
  store: Pick<Store, "articles" | "chunks" | "copies" | "indexing" | "rerank" | "stories">;
  /** Without an embedder, vectors are not caught up. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  /** Without a reader, no articles are queued for the reranker. */
  reader?: Pick<PassageReader, "modelId"> | undefined;
  logger: Logger;
};

/** Where the catching up stands. */
export type CatchUpState = Record<"vectors" | "rerank" | "copies" | "stories", "behind" | "current">;

/**
 * Makes what articles lack, in the background and beside the stages: passages of the current embedding model. Beside
 * that, articles that the reranker's model has not read are put on the list of those to be read, and those that were
 * not matched by the current rules on the list of those to be matched. What fails is begun again after a while; what
 * was done stays done.
 */
export async function catchUp(deps: CatchUpDeps, state: CatchUpState, signal: AbortSignal): Promise<void> {
  const { store, embedder, reader, logger } = deps;
  await Promise.all([projections(), rerank(), copies(), stories()]);

  async function projections(): Promise<void> {
    if (embedder === undefined) return;
    await step("vectors", async () => {
      const { embedded, broken } = await reembed({ store, embedder, signal });
      return { embedded, broken: broken.length, model: embedder.modelId };
    });
  }

  async function rerank(): Promise<void> {
    if (reader === undefined) return;
    const { modelId } = reader;
    await step("rerank", async () => ({ enlisted: await enlistAll({ store, modelId, signal }), model: modelId }));
  }

  async function copies(): Promise<void> {
    await step("copies", async () => ({ enlisted: await enlistCopies({ store, signal }), version: COPIES_VERSION }));
  }

  async function stories(): Promise<void> {
    await step("stories", async () => ({ enlisted: await enlistStories({ store, signal }), version: STORIES_VERSION }));
  }

  async function step(name: keyof CatchUpState, work: () => Promise<object>): Promise<void> {
    const done = async (): Promise<void> => {
      const startedAt = performance.now();
      const outcome = await work();
      state[name] = "current";
      logger.info({ ...outcome, took_ms: Math.round(performance.now() - startedAt) }, `${name} caught up`);
    };
    await onceDone(name, done, { logger, signal });
  }
}

/** Does work until it has succeeded once, or the signal aborts; waits longer after each failure. */
export async function onceDone(
  name: string,
  work: () => Promise<void>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, attempt }, `${name} could not catch up`);
      await pause(backoffMs(attempt - 1, { baseMs: 1_000, maxMs: 60_000 }), signal);
    }
  }
}

/** What the retention needs; articles from longer ago than `days` go. */
type RetentionDeps = {
  store: { articles: Pick<Store["articles"], "removeBefore"> };
  logger: Logger;
  days: number;
  signal: AbortSignal;
};

/** Articles deleted in one go at most; the next one is some minutes later. */
const MOST = 10_000;

const DAY_MS = 86_400_000;

/**
 * Deletes articles that are too old, each as any other is deleted: indexes and webhooks hear of it by their events.
 * Returns how many were deleted by this worker; others may be at it too.
 */
export async function pruneAged({ store, logger, days, signal }: RetentionDeps): Promise<number> {
  const before = new Date(Date.now() - days * DAY_MS).toISOString();
  const deleted = await store.articles.removeBefore(before, { limit: MOST, signal });
  if (deleted > 0) logger.info({ deleted, before }, "articles beyond their retention were deleted");
  return deleted;
}
