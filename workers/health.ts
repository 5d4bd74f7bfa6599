import { type Dependency, type ServiceClient, writesHealth, type WritesOptions } from "@isnad/lib/service/http";
import type { OptionalModel } from "@isnad/lib/models";
import { assertFollowing, type Follower } from "@isnad/lib/projection";
import type { Queues } from "@isnad/lib/work/queue";
import { assertThreadsRun, type ThreadStates } from "@isnad/lib/service/threads";

/** What the health of the workers depends on; without a model they are degraded, and work. */
export type HealthParts = {
  writes: WritesOptions;
  queues: Pick<Queues, "ping">;
  embedder: OptionalModel<unknown>;
  tagger: OptionalModel<unknown>;
  /** Left out where no article is read for the reranker. */
  reader?: OptionalModel<unknown> | undefined;
  /** The linguistic service; left out where no relations are found. */
  nlp?: Pick<ServiceClient, "ping"> | undefined;
  /** What feeds engines of other processes. */
  followers?: readonly Follower[];
  /** How the threads of the models, the feed reader and the check of pulled items stand. */
  threads: () => ThreadStates;
};

/** The dependencies of the workers by name. */
export function workerHealth(parts: HealthParts): Record<string, Dependency> {
  const { writes, queues, nlp, embedder, tagger, reader, followers = [], threads } = parts;
  const model = ({ problem }: OptionalModel<unknown>): Dependency => ({
    check: async () => {
      if (problem !== undefined) throw problem;
    },
    critical: false,
  });
  return {
    ...writesHealth(writes),
    queue: { check: () => queues.ping(), critical: true },
    embedding: model(embedder),
    entities: model(tagger),
    ...(reader !== undefined && { rerank: model(reader) }),
    ...(nlp !== undefined && { linguistic: { check: (signal) => nlp.ping(signal), critical: false } }),
    ...(followers.length > 0 && { followers: { check: () => assertFollowing(followers), critical: false } }),
    threads: { check: async () => assertThreadsRun(threads()), critical: false },
  };
}
