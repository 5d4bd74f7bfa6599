import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { URL } from "node:url";
import { type ErrorDecoders, openThreads, type ThreadError, type ThreadsLogger } from "../../service/threads/mod.ts";
import { errorMessage } from "../../std/mod.ts";
import type { LogPosition } from "../../store/mod.ts";
import type { start } from "./engine.ts";
import {
  type KeywordAnswer,
  type KeywordHit,
  type KeywordHits,
  type KeywordIndex,
  KeywordIndexError,
} from "./types.ts";

/** Any error of the engine as a {@link KeywordIndexError}. */
export function asKeywordError(error: unknown): KeywordIndexError {
  if (error instanceof KeywordIndexError) return error;
  const message = errorMessage(error);
  return new KeywordIndexError("unavailable", `keyword index: ${message}`, { cause: error });
}

/** Every error of a thread that holds an index as a {@link KeywordIndexError}. */
export const THREAD_ERRORS: ErrorDecoders = {
  KeywordIndexError: (message, { reason }: Pick<KeywordIndexError, "reason">, cause) =>
    new KeywordIndexError(reason, message, { cause }),
  ThreadError: (message, { code }: Pick<ThreadError, "code">, cause) =>
    new KeywordIndexError(code === "closed" ? "closed" : asKeywordError(cause).reason, message, { cause }),
  Error: (message, properties, cause) => asKeywordError(Object.assign(new Error(message, { cause }), properties)),
};

/** One event a line; the first argument holds its fields. */
export type KeywordLogger = ThreadsLogger & Record<"warn", (fields: object, message: string) => void>;

export type OpenKeywordOptions = {
  /** The folder of its snapshot. */
  dir: string;
  /** Whether searches are answered from what there is before it is complete. */
  partial?: boolean;
  /** Answers searches while it is filled, from what there is: who asks says that they are degraded. */
  early?: boolean;
  logger?: KeywordLogger;
  /** The Worker's file. */
  worker?: URL;
};

/** Reads have the same effect when they are made twice. */
const AGAIN = { retry: true };

/**
 * Opens the keyword index of this process in a Worker thread: in memory, with a snapshot in a folder, which is
 * loaded first. A thread that ends is replaced by one that holds nothing until its position is asked for: it loads
 * the snapshot then, and is followed from there. Rejects with {@link KeywordIndexError}.
 */
export async function openKeywordIndex(options: OpenKeywordOptions): Promise<KeywordIndex> {
  const { dir, partial = false, early = false, logger, worker = new URL("./worker.ts", import.meta.url) } = options;
  removeOldIndex(dir, logger);
  const threads = openThreads<typeof start>({
    ...{ name: "keyword index", url: worker, data: { dir, partial, early }, size: 1, errors: THREAD_ERRORS, logger },
  });
  await threads.start();
  async function position(): Promise<LogPosition | undefined> {
    const { position, dropped } = await threads.call("position", undefined, AGAIN);
    if (dropped !== undefined) logger?.warn({ dir, reason: dropped }, "keyword snapshot dropped");
    return position;
  }

  // What it held when it was closed is searched from the start.
  if (!partial) await position();
  return {
    upsert: (docs) => threads.call("upsert", docs),
    remove: (articleIds) => threads.call("remove", articleIds),
    search: async (query) => answerOf(await threads.call("search", query, AGAIN)),
    allowed: (query, articleIds) => threads.call("allowed", { query, articleIds }, AGAIN),
    reading: (query) => threads.call("reading", query, AGAIN),
    supports: (query, articleIds) => threads.call("supports", { query, articleIds }, AGAIN),
    lackingBegun: (query, articleIds) => threads.call("lackingBegun", { query, articleIds }, AGAIN),
    suggest: (query) => threads.call("suggest", query, AGAIN),
    survey: (query) => threads.call("survey", query, AGAIN),
    ids: (afterId, limit) => threads.call("ids", { afterId, limit }),
    position,
    advance: (to) => threads.call("advance", to),
    reset: () => threads.call("reset"),
    complete: () => threads.call("complete"),
    save: async () => void (await threads.call("save")),
    count: () => threads.call("count", undefined, AGAIN),
    status: () => threads.call("status", undefined, AGAIN),
    setTier: (sourceId, tier) => threads.call("setTier", { sourceId, tier }),
    threads: () => threads.state(),
    close: () => threads.close(),
  };
}

/** Removes what an index of version 0.1.0 left in the folder: a database that several processes shared. */
function removeOldIndex(dir: string, logger: OpenKeywordOptions["logger"]): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new KeywordIndexError("unavailable", `keyword index: ${dir} cannot be made`, { cause: error });
  }
  if (!existsSync(join(dir, "keyword.db"))) return;
  for (const name of readdirSync(dir)) {
    if (/^(keyword\.db(-wal|-shm)?|damaged|database|follower\.lock)$/.test(name))
      rmSync(join(dir, name), { force: true });
  }
  logger?.info({ dir }, "the keyword index of an older version was removed; it is made again from the database");
}

/** Returns the documents that were found, one by one. */
export function answerOf({ articleIds, scores, matched, corrections, alternatives }: KeywordHits): KeywordAnswer {
  const hits: KeywordHit[] = [];
  // Some times as fast as Array.from(), and as with at().
  for (let i = 0; i < articleIds.length; i++) hits.push({ articleId: articleIds[i] ?? 0, score: scores[i] ?? 0 });
  const [first] = hits;
  if (first !== undefined && matched !== undefined) first.matched = matched;
  return { hits, corrections, alternatives };
}
