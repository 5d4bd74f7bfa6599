import { KeywordThread } from "./thread.ts";
import type { KeywordIndex } from "./types.ts";

export type OpenKeywordOptions = {
  /** The index's folder; made when it is opened for writing. */
  dir: string;
  mode: "read" | "write";
};

/**
 * Opens the keyword index of a folder in a Worker thread. For writing, an index that is missing, of another version or damaged
 * is replaced by an empty one (`fresh`). For reading, it need not be there yet: a search rejects until it is. Any number of
 * processes may read and write one folder; their transactions wait for each other. Rejects with
 * {@link import("./types.ts").KeywordIndexError}.
 */
export async function openKeywordIndex({ dir, mode }: OpenKeywordOptions): Promise<KeywordIndex> {
  const thread = new KeywordThread({ dir, mode });
  const fresh = await thread.opened;
  return {
    fresh,
    upsert: (docs) => thread.call("upsert", docs),
    remove: (articleIds) => thread.call("remove", articleIds),
    search: (query) => thread.call("search", query),
    ids: (afterId, limit) => thread.call("ids", afterId, limit),
    missing: (articleIds) => thread.call("missing", articleIds),
    count: () => thread.call("count"),
    status: () => thread.call("status"),
    setTier: (sourceId, tier) => thread.call("setTier", sourceId, tier),
    markComplete: () => thread.call("markComplete"),
    clear: () => thread.call("clear"),
    close: () => thread.close(),
  };
}
