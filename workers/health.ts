import type { Dependency } from "@isnad/lib/http";
import type { OptionalModel } from "@isnad/lib/inference";
import type { Queues } from "@isnad/lib/queue";
import type { Store } from "@isnad/lib/store";
import { assertThreadsRun, type ThreadStates } from "@isnad/lib/threads";

/** What the health of the workers depends on; without a model they are degraded, and work. */
export type HealthParts = {
  store: Pick<Store, "ping">;
  queues: Pick<Queues, "ping">;
  embedder: OptionalModel<unknown>;
  tagger: OptionalModel<unknown>;
  /** How the threads of the index, the models, the feed reader and the check of pulled items stand. */
  threads: () => ThreadStates;
};

/** The dependencies of the workers by name. */
export function workerHealth({ store, queues, embedder, tagger, threads }: HealthParts): Record<string, Dependency> {
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
    threads: { check: async () => assertThreadsRun(threads()), critical: false },
  };
}
