import { URL } from "node:url";
import { openThreads, type ThreadsLogger } from "../../service/threads/mod.ts";
import { THREAD_ERRORS } from "./faults.ts";
import type { start } from "./start.ts";
import type { KeywordHit, KeywordHits, KeywordIndex } from "./types.ts";

export type OpenKeywordOptions = {
  /** The index's folder; made when it is opened for writing. */
  dir: string;
  mode: "read" | "write";
  /** Threads that search at the same time, when it is opened for reading (1). */
  readers?: number;
  logger?: ThreadsLogger;
  /** The Worker's file. */
  worker?: URL;
};

/** Every call has the same effect when it is made twice. */
const AGAIN = { retry: true };

/**
 * Opens the keyword index of a folder in a Worker thread. For writing, an index that is missing, of another version or
 * damaged is replaced by an empty one (`fresh`). For reading, it need not be there yet: a search rejects until it is.
 * Any number of processes may read and write one folder; their transactions wait for each other. A thread that ends is
 * replaced, and its calls are made again. Rejects with {@link import("./types.ts").KeywordIndexError}.
 */
export async function openKeywordIndex(options: OpenKeywordOptions): Promise<KeywordIndex> {
  const { dir, mode, readers = 1, logger, worker = new URL("./worker.ts", import.meta.url) } = options;
  const threads = openThreads<typeof start>({
    name: "keyword index",
    url: worker,
    data: { dir, mode },
    size: mode === "read" ? readers : 1,
    errors: THREAD_ERRORS,
    logger,
  });
  await threads.start();
  const index: KeywordIndex = {
    fresh: await threads.call("fresh"),
    upsert: (docs) => threads.call("upsert", docs, AGAIN),
    remove: (articleIds) => threads.call("remove", articleIds, AGAIN),
    search: async (query) => {
      return hitsOf(await threads.call("search", query, AGAIN));
    },
    allowed: (query, articleIds) => threads.call("allowed", { query, articleIds }, AGAIN),
    translation: (text) => threads.call("translation", text, AGAIN),
    ids: (afterId, limit) => threads.call("ids", { afterId, limit }, AGAIN),
    missing: (articleIds) => threads.call("missing", articleIds, AGAIN),
    count: () => threads.call("count", undefined, AGAIN),
    status: () => threads.call("status", undefined, AGAIN),
    setTier: (sourceId, tier) => threads.call("setTier", { sourceId, tier }, AGAIN),
    markComplete: () => threads.call("markComplete", undefined, AGAIN),
    clear: () => threads.call("clear", undefined, AGAIN),
    rebuild: (fill) => fill(index),
    threads: () => threads.state(),
    close: () => threads.close(),
  };
  return index;
}

/** The documents that were found, one by one. */
export function hitsOf({ articleIds, scores, matched }: KeywordHits): KeywordHit[] {
  const hits: KeywordHit[] = [];
  // Some times as fast as Array.from(), and as with at().
  for (let i = 0; i < articleIds.length; i++) hits.push({ articleId: articleIds[i] ?? 0, score: scores[i] ?? 0 });
  const [first] = hits;
  if (first !== undefined && matched !== undefined) first.matched = matched;
  return hits;
}
