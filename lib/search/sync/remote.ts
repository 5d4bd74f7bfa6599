import { type Follower, follow } from "../../projection/mod.ts";
import type { Engines } from "../../service/config/mod.ts";
import type { Store } from "../../store/mod.ts";
import { openKeyword, openVectorSink } from "../engines/open.ts";
import type { KeywordLogger } from "../keyword/open.ts";
import type { VectorLogger } from "../vector/vector-index.ts";
import { followKeyword } from "./keyword-sink.ts";

export type RemoteFollowersOptions = {
  engines: Engines;
  store: Store;
  /** The embedding model; without one no vectors are followed. */
  model: { modelId: string; dims: number } | undefined;
  logger: KeywordLogger & VectorLogger;
  /** The name under which this process writes; no other one has it. */
  owner: string;
  pollMs?: number;
};

/** The followers of what engines of other processes hold, and how to end them. */
export type RemoteFollowers = AsyncDisposable & { followers: Follower[] };

/**
 * Follows the log into every engine of another process that is set; of all processes that do, one feeds each engine
 * at a time. Rejects with `EngineSettingError` where one cannot be used.
 */
export async function followRemote(options: RemoteFollowersOptions): Promise<RemoteFollowers> {
  const { engines, store, model, logger, owner, pollMs } = options;
  await using opened = new AsyncDisposableStack();
  const followers: Follower[] = [];
  const polling = pollMs === undefined ? {} : { pollMs };
  if (engines.keyword.engine !== "embedded") {
    const keyword = await openKeyword({ engine: engines.keyword, store, dir: "", logger });
    opened.defer(() => keyword.close());
    const name = `keyword@${engines.keyword.engine}`;
    followers.push(followKeyword({ store, keyword, logger, owner, reportAs: name, ...polling }));
  }
  const sink = model && (await openVectorSink({ engine: engines.vectors, store, logger, ...model }));
  if (sink !== undefined) {
    opened.defer(() => sink.close());
    const reportAs = `vectors@${engines.vectors.engine}`;
    followers.push(follow({ name: "vectors", store, sink, logger, owner, reportAs, ...polling }));
  }
  for (const follower of followers) opened.defer(() => follower.close());
  const kept = opened.move();
  return { followers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
