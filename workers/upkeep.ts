import {
  type CachedReader,
  type FollowedVectors,
  namesAmong,
  readReviews,
  signedBytesOf,
  termsOf,
} from "@isnad/lib/claims";
import type { Embedder, PassageReader, Tagger } from "@isnad/lib/models";
import { reembed } from "@isnad/lib/search/sync";
import { type Logger, pause } from "@isnad/lib/service/process";
import { backoffMs } from "@isnad/lib/std";
import type { SourceDays, Store, VolumeVerdict } from "@isnad/lib/store";
import { COPIES_VERSION, STORIES_VERSION } from "@isnad/lib/stories";

/** Articles looked at in one statement. */
const STRETCH = 2_000;

/** Puts those of the next `limit` articles after one on a list that belong there; says which was the last. */
type Enlist = (stretch: {
  afterId: number;
  limit: number;
}) => Promise<{ lastId: number | undefined; enlisted: number }>;

/**
 * Walks all articles by id, one short statement a stretch, and puts them on a list of work: those that were indexed
 * before there was any, or with other rules, or with another model. Cut short, it may begin again. `onProgress` is told
 * of the number put there so far; returns it.
 */
export async function enlistAll(
  enlist: Enlist,
  options: { signal: AbortSignal; stretch?: number | undefined; onProgress?: ((enlisted: number) => void) | undefined },
): Promise<number> {
  let total = 0;
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    options.signal.throwIfAborted();
    const { lastId, enlisted } = await enlist({ afterId, limit: options.stretch ?? STRETCH });
    total += enlisted;
    options.onProgress?.(total);
    afterId = lastId;
  }
  return total;
}

type CatchUpDeps = {
  store: Pick<Store, "articles" | "chunks" | "copies" | "indexing" | "rerank" | "stories">;
  /** Without an embedder, vectors are not caught up. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
  /** Without a reader, no articles are queued for the reranker. */
  reader?: Pick<PassageReader, "modelId"> | undefined;
  logger: Logger;
};

/** Says where the catching up stands. */
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
    const enlist: Enlist = (stretch) => store.rerank.enlist({ ...stretch, modelId });
    await step("rerank", async () => ({ enlisted: await enlistAll(enlist, { signal }), model: modelId }));
  }

  async function copies(): Promise<void> {
    const version = COPIES_VERSION;
    const enlist: Enlist = (stretch) => store.copies.enlist({ ...stretch, version });
    await step("copies", async () => ({ enlisted: await enlistAll(enlist, { signal }), version }));
  }

  async function stories(): Promise<void> {
    const version = STORIES_VERSION;
    const enlist: Enlist = (stretch) => store.stories.enlist({ ...stretch, version });
    await step("stories", async () => ({ enlisted: await enlistAll(enlist, { signal }), version }));
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

/** Makes a look that calls `onRest` once each time that the rest has come to `afterMs`. */
export function restLook(restedMs: () => number, afterMs: number, onRest: () => void): () => void {
  let isTold = false;
  return () => {
    const isRest = restedMs() >= afterMs;
    if (isRest && !isTold) onRest();
    isTold = isRest;
  };
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

/** Holds what the retention needs; articles from longer ago than `days` go. */
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

type ClaimUpkeepDeps = {
  store: Pick<Store, "claims" | "reviews" | "followers">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  /** Without a tagger no names are found in reviews. */
  tagger: Pick<Tagger, "tag"> | undefined;
  reader: CachedReader;
  claims: FollowedVectors;
  /** The name of this process. */
  instance: string;
};

/** The right to read reviews and claims again, which one process has at a time, and for how long. */
const LEASE = "claims-upkeep";
const LEASE_S = 60;

/** Reviews and claims that are read at a time. */
const BATCH = 32;

/**
 * Reads the reviews that are new or that other models read, links them with the claims that they are of, and makes
 * terms and vectors of claims again whose text is another one. One process does so at a time. Returns how many were
 * read.
 */
export async function keepClaims(deps: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  const { store, instance } = deps;
  if (!(await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S }))) return 0;
  return (await renewReviews(deps, signal)) + (await renewClaims(deps, signal));
}

async function renewReviews(deps: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  const { store, embedder, tagger, reader, claims, instance } = deps;
  const models = { embedder: embedder.modelId, reader: reader.modelId };
  let count = 0;
  while (!signal.aborted) {
    const unread = await store.reviews.unread(models, BATCH);
    if (unread.length === 0) break;
    const read = await readReviews(
      {
        ...{ store, claims, reader },
        embed: (texts, signal) => embedder.embed(texts, "passage", signal),
        namesIn: async (texts, signal) =>
          tagger === undefined ? texts.map(() => []) : (await tagger.tag(texts, signal)).map(namesAmong),
      },
      unread,
      signal,
    );
    await store.reviews.putRead(models, read);
    await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S });
    count += unread.length;
  }
  return count;
}

async function renewClaims({ store, embedder, instance }: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const stale = await store.claims.stale(embedder.modelId, BATCH);
    if (stale.length === 0) break;
    const vectors = await embedder.embed(
      stale.map(({ text }) => text),
      "passage",
      signal,
    );
    const renewed = stale.map((claim, i) => ({
      ...claim,
      terms: termsOf(claim.text),
      vector: signedBytesOf(vectors[i] ?? new Float32Array()),
    }));
    await store.claims.renew(embedder.modelId, renewed);
    await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S });
    count += stale.length;
  }
  return count;
}

/**
 * Queues all indexed articles whose claims were never looked for: an archive from before there were claims, or from a
 * time without them. Walks from the newest, one short statement a stretch; cut short, it may begin again. Returns how
 * many.
 */
export async function enlistArchive(
  { store, stretch: limit = 2_000 }: { store: Pick<Store, "claims">; stretch?: number },
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.claims.enlist({ below, limit });
    total += enlisted;
    below = lastId;
  }
  return total;
}

/** Articles a day from which on a source is watched: of fewer, a day without any is chance. */
const MIN_USUAL = 8;

/** Weeks of which a source's usual day is made, at least. */
const MIN_WEEKS = 3;

/** Shares of the usual day: at most this is quiet, and from this on it is so no more. */
const QUIET = { from: 0.2, until: 0.5 };

/** Multiples of the usual day: from this on it has doubled, and below this it has no more. */
const DOUBLED = { from: 2, until: 1.5 };

/** Standard deviations (of rare events: the root of their count) by which a day that has doubled is above the usual. */
const DEVIATIONS = 4;

/**
 * Judges the last day of a source against its usual one: the median of the same 24 hours of the last weeks, which one
 * holiday or one day of great news does not move. It must lie outside of all of them, too. What is unusual stays so
 * until it is well back, so that a source at the edge does not flap.
 */
export function judgeVolume({ state, lastDay, before }: Omit<SourceDays, "key" | "name">): VolumeVerdict {
  if (before.length < MIN_WEEKS) return { state: "usual", usual: null };
  const usual = median(before);
  if (isDoubled(lastDay, usual, before)) return { state: "doubled", usual };
  if (isQuiet(lastDay, usual, before)) return { state: "quiet", usual };
  if (state === "quiet" && (lastDay === 0 || lastDay < usual * QUIET.until)) return { state, usual };
  if (state === "doubled" && lastDay >= usual * DOUBLED.until) return { state, usual };
  return { state: "usual", usual };
}

function isQuiet(lastDay: number, usual: number, before: readonly number[]): boolean {
  return usual >= MIN_USUAL && lastDay <= usual * QUIET.from && lastDay < Math.min(...before) / 2;
}

function isDoubled(lastDay: number, usual: number, before: readonly number[]): boolean {
  const least = Math.max(usual * DOUBLED.from, usual + DEVIATIONS * Math.sqrt(usual));
  return usual >= MIN_USUAL && lastDay >= least && lastDay > Math.max(...before);
}

function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? low;
  return (low + high) / 2;
}
