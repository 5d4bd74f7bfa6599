import { serve } from "../../../service/threads/mod.ts";
import { start } from "../start.ts";
import type { KeywordQuery } from "../types.ts";

/** As the index's own worker, but a search for `crash`, and the tier of a source `crash`, end the thread. */
serve((data: Parameters<typeof start>[0], context: Parameters<typeof start>[1]) => {
  const handlers = start(data, context);
  return {
    ...handlers,
    search: (query: KeywordQuery) => (query.text === "crash" ? process.exit(7) : handlers.search(query)),
    setTier: (change: { sourceId: string; tier: number }) =>
      change.sourceId === "crash" && context.restarts === 0 ? process.exit(7) : handlers.setTier(change),
  };
});
