import { sharedDictionary } from "../translate/load.ts";
import { openForReading } from "./database.ts";
import { KeywordEngine } from "./engine.ts";
import type { KeywordDoc, KeywordQuery } from "./types.ts";

/** A thread with an index of its own over the folder. */
export function start({ dir, mode }: { dir: string; mode: "read" | "write" }, { restarts }: { restarts: number }) {
  // Made anew now, it would still count as what it was when it was opened.
  if (mode === "write" && restarts > 0) openForReading(dir).close();
  // A search that came first would wait for it.
  if (mode === "read") sharedDictionary();
  const engine = new KeywordEngine(dir, mode);
  return {
    fresh: () => engine.fresh,
    upsert: (docs: readonly KeywordDoc[]) => engine.upsert(docs),
    remove: (articleIds: readonly number[]) => engine.remove(articleIds),
    search: (query: KeywordQuery) => engine.search(query),
    allowed: ({ query, articleIds }: { query: Omit<KeywordQuery, "limit">; articleIds: readonly number[] }) =>
      engine.allowed(query, articleIds),
    translation: (text: string) => engine.translation(text),
    ids: ({ afterId, limit }: { afterId: number; limit: number }) => engine.ids(afterId, limit),
    missing: (articleIds: readonly number[]) => engine.missing(articleIds),
    count: () => engine.count(),
    status: () => engine.status(),
    setTier: ({ sourceId, tier }: { sourceId: string; tier: number }) => engine.setTier(sourceId, tier),
    markComplete: () => engine.markComplete(),
    clear: () => engine.clear(),
    close: () => engine.close(),
  };
}
