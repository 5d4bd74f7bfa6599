import { KeywordThread } from "./thread.ts";
import type { KeywordIndex } from "./types.ts";

export type OpenKeywordOptions = {
  /** The index's folder; made when it is opened for writing. */
  dir: string;
  mode: "read" | "write";
  /** Threads that search at the same time, when it is opened for reading (1). */
  readers?: number;
};

/**
 * Opens the keyword index of a folder in a Worker thread. For writing, an index that is missing, of another version or damaged
 * is replaced by an empty one (`fresh`). For reading, it need not be there yet: a search rejects until it is. Any number of
 * processes may read and write one folder; their transactions wait for each other. Rejects with
 * {@link import("./types.ts").KeywordIndexError}.
 */
export async function openKeywordIndex({ dir, mode, readers = 1 }: OpenKeywordOptions): Promise<KeywordIndex> {
  const thread = new KeywordThread({ dir, mode });
  const others = Array.from({ length: mode === "read" ? readers - 1 : 0 }, () => new KeywordThread({ dir, mode }));
  const fresh = await thread.opened;
  await Promise.all(others.map((other) => other.opened));
  const idlest = () => others.reduce((best, other) => (other.pending < best.pending ? other : best), thread);
  return {
    fresh,
    upsert: (docs) => thread.call("upsert", docs),
    remove: (articleIds) => thread.call("remove", articleIds),
    search: async (query) => {
      const { articleIds, scores } = await idlest().call("search", query);
      return Array.from(articleIds, (articleId, i) => ({ articleId, score: scores[i] ?? 0 }));
    },
    ids: (afterId, limit) => thread.call("ids", afterId, limit),
    missing: (articleIds) => thread.call("missing", articleIds),
    count: () => thread.call("count"),
    status: () => thread.call("status"),
    setTier: (sourceId, tier) => thread.call("setTier", sourceId, tier),
    markComplete: () => thread.call("markComplete"),
    clear: () => thread.call("clear"),
    close: async () => {
      await Promise.all([thread, ...others].map((each) => each.close()));
    },
  };
}
