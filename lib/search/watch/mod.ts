import { follow, type Follower } from "../../projection/mod.ts";
import type { Store } from "../../store/mod.ts";
import { type WatchOptions, watchSink } from "./sink.ts";

export { asksForEntities } from "./search.ts";
export type { WatchModel } from "./sink.ts";

/** Changes of the log that are matched at a time. */
const BATCH = 64;

/** Names the follower that matches saved searches. */
const WATCH_NAME = "searches";

/** Matches what becomes searchable with the saved searches until it is closed; of several processes one does. */
export function followSearches({
  owner,
  pollMs,
  ...options
}: WatchOptions & { store: Pick<Store, "followers">; owner: string; pollMs?: number | undefined }): Follower {
  const { store, logger } = options;
  const sink = watchSink(options);
  return follow({
    ...{ name: WATCH_NAME, store, sink, logger, batch: BATCH, owner },
    ...(pollMs !== undefined && { pollMs }),
  });
}
