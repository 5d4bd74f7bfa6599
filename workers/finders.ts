import type { ServiceClient } from "@isnad/lib/service/http";
import type { OptionalModel, PassageReader, Tagger } from "@isnad/lib/models";
import { classifyMetrics, createRunner, type Logger, type Registry } from "@isnad/lib/service/process";
import type { Queues } from "@isnad/lib/work/queue";
import { paced } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { articleWorkMetrics } from "./article-work-metrics.ts";
import { measured } from "./entities/measured.ts";
import { entityMetrics } from "./entities/metrics.ts";
import { ENTITY_LEASE_S, entityWork } from "./entities/work.ts";
import { RELATION_LEASE_S, relationWork } from "./relations/work.ts";
import { RERANK_LEASE_S, rerankVectorWork } from "./rerank/work.ts";
import type { ArticleTexts } from "./texts.ts";

/** What the finders need. */
export type FinderDeps = {
  store: Pick<Store, "articles" | "entities" | "relations" | "rerank">;
  queues: Pick<Queues, "counts">;
  texts: Pick<ArticleTexts, "of">;
  /** Finds entities; without a tagger articles wait. */
  tagger: Tagger | undefined;
  /** Finds relations; none are found when left out. */
  nlp: Pick<ServiceClient, "post"> | undefined;
  /** Reads articles for the reranker. Left out: none are read. Without a usable model: they wait. */
  reader: OptionalModel<Pick<PassageReader, "read" | "modelId">> | undefined;
  logger: Logger;
  metrics: Registry;
  /** Name of this process among those that run. */
  instance: string;
  /** How often each finder looks for articles without a call of `wake`, in milliseconds. */
  timing: { entitiesMs: number; relationsMs: number; rerankMs: number };
};

/** Work on indexed articles: finding entities and relations, and reading for the reranker. */
export type Finders = {
  /** Whether relations are found. */
  relations: boolean;
  /** Whether articles are read for the reranker. */
  rerankVectors: boolean;
  /** Says that there may be articles to work on. */
  wake(): void;
  /** Works on articles until the signal aborts. */
  run(signal: AbortSignal): Promise<unknown>;
  /** Updates the metrics of the backlogs. */
  measure(): Promise<void>;
};

/** Makes the finders, and registers their metrics. */
export function createFinders(deps: FinderDeps): Finders {
  const { nlp, reader } = deps;
  const finders = [
    entityFinder(deps),
    ...(nlp === undefined ? [] : [relationFinder({ ...deps, nlp })]),
    ...(reader === undefined ? [] : [rerankReader({ ...deps, reader })]),
  ];
  return {
    relations: nlp !== undefined,
    rerankVectors: reader !== undefined,
    wake() {
      for (const { runner } of finders) runner?.wake();
    },
    run: (signal) => Promise.all(finders.map(({ runner }) => runner?.run(signal))),
    async measure() {
      for (const { measure } of finders) await measure();
    },
  };
}

function entityFinder({ store, texts, tagger, queues, logger, metrics, instance, timing }: FinderDeps) {
  const { onBatch, onBacklog } = entityMetrics(metrics, tagger?.modelId);
  const classified = classifyMetrics(metrics);
  const backlog = paced(() => store.entities.backlog());
  return {
    runner:
      tagger &&
      createRunner(entityWork({ store, texts, tagger: measured(tagger, classified), queues, logger, onBatch }), {
        ...{ logger, instance, leaseS: ENTITY_LEASE_S, pollMs: timing.entitiesMs },
      }),
    measure: async () => onBacklog(await backlog()),
  };
}

function relationFinder({
  store,
  texts,
  nlp,
  logger,
  metrics,
  instance,
  timing,
}: FinderDeps & { nlp: Pick<ServiceClient, "post"> }) {
  const { onBatch, onBacklog } = articleWorkMetrics(metrics, { name: "relation", what: "relations", unit: "article" });
  const backlog = paced(() => store.relations.backlog());
  return {
    runner: createRunner(relationWork({ store, texts, nlp, logger, onBatch }), {
      ...{ logger, instance, leaseS: RELATION_LEASE_S, pollMs: timing.relationsMs },
    }),
    measure: async () => onBacklog(await backlog()),
  };
}

function rerankReader({
  store,
  reader,
  queues,
  tagger,
  logger,
  metrics,
  instance,
  timing,
}: FinderDeps & { reader: NonNullable<FinderDeps["reader"]> }) {
  const { onBatch, onBacklog } = articleWorkMetrics(metrics, {
    ...{ name: "rerank_vectors", what: "vectors for the reranker", unit: "article" },
  });
  const backlog = paced(() => store.rerank.backlog());
  const afterEntities = tagger !== undefined;
  return {
    runner:
      reader.model &&
      createRunner(rerankVectorWork({ store, reader: reader.model, queues, afterEntities, logger, onBatch }), {
        ...{ logger, instance, leaseS: RERANK_LEASE_S, pollMs: timing.rerankMs },
      }),
    measure: async () => onBacklog(await backlog()),
  };
}
