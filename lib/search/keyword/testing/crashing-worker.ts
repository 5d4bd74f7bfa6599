import { serve } from "../../../service/threads/mod.ts";
import { start } from "../engine.ts";

/** The index's thread, which ends at once when it is asked for `crash`. */
serve((...given: Parameters<typeof start>) => {
  const handlers = start(...given);
  return {
    ...handlers,
    search: (query: Parameters<typeof handlers.search>[0]) => {
      if (query.text === "crash") process.exit(7);
      return handlers.search(query);
    },
  };
});
