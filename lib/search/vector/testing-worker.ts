import { serve } from "../../service/threads/mod.ts";
import { start } from "./start.ts";

/** As the index's own worker, but a search for 13 articles ends the thread. */
serve((data: Parameters<typeof start>[0]) => {
  const handlers = start(data);
  type Search = typeof handlers.search;
  const search = (query: Parameters<Search>[0]) => (query.k === 13 ? process.exit(7) : handlers.search(query));
  return { ...handlers, search };
});
