import type { Dependency } from "@isnad/lib/service/http";
import type { OptionalModel } from "@isnad/lib/models";
import type { Queues } from "@isnad/lib/work/queue";
import type { Store } from "@isnad/lib/store";
import { assertThreadsRun, type ThreadStates } from "@isnad/lib/service/threads";

/** What the health of the workers depends on; without a model they are degraded, and work. */
export type HealthParts = {
  store: Pick<Store, "ping">;
  queues: Pick<Queues, "ping">;
  embedder: OptionalModel<unknown>;
  tagger: OptionalModel<unknown>;
  /** Left out where no article is read for the reranker. */
  reader?: OptionalModel<unknown> | undefined;
  /** How the threads of the index, the models, the feed reader and the check of pulled items stand. */
  threads: () => ThreadStates;
};

/** The dependencies of the workers by name. */
export function workerHealth(parts: HealthParts): Record<string, Dependency> {
  const { store, queues, embedder, tagger, reader, threads } = parts;
  const model = ({ problem }: OptionalModel<unknown>): Dependency => ({
    check: async () => {
      if (problem !== undefined) throw problem;
    },
    critical: false,
  });
  return {
    database: { check: () => store.ping(), critical: true },
    queue: { check: () => queues.ping(), critical: true },
    embedding: model(embedder),
    entities: model(tagger),
    ...(reader !== undefined && { rerank: model(reader) }),
    threads: { check: async () => assertThreadsRun(threads()), critical: false },
  };
}
