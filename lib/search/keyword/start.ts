import type { LogPosition } from "../../store/mod.ts";
import { sharedDictionary } from "../translate/load.ts";
import { KeywordEngine } from "./engine.ts";
import type { KeywordDoc, KeywordQuery } from "./types.ts";

/** A thread with an index whose snapshot is in a folder. */
export function start({ dir, partial }: { dir: string; partial: boolean }) {
  // A search that came first would wait for it.
  sharedDictionary();
  const engine = new KeywordEngine(dir, { partial });
  return {
    position: () => engine.position(),
    reset: () => engine.reset(),
    upsert: (docs: readonly KeywordDoc[]) => engine.upsert(docs),
    remove: (articleIds: readonly number[]) => engine.remove(articleIds),
    advance: (to: LogPosition) => engine.advance(to),
    complete: () => engine.complete(),
    save: () => engine.save(),
    search: (query: KeywordQuery) => engine.search(query),
    allowed: ({ query, articleIds }: { query: Omit<KeywordQuery, "limit">; articleIds: readonly number[] }) =>
      engine.allowed(query, articleIds),
    translation: (text: string) => engine.translation(text),
    ids: ({ afterId, limit }: { afterId: number; limit: number }) => engine.ids(afterId, limit),
    count: () => engine.count(),
    status: () => engine.status(),
    setTier: ({ sourceId, tier }: { sourceId: string; tier: number }) => engine.setTier(sourceId, tier),
    close: () => engine.close(),
  };
}
