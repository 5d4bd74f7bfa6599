import { claimDeps, type ClaimParts } from "@isnad/lib/claims";
import {
  BACKGROUND_IDLE_MS,
  type Embedder,
  type OptionalModel,
  type PassageReader,
  type Tagger,
} from "@isnad/lib/models";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { Follower } from "@isnad/lib/projection";
import type { ServiceClient } from "@isnad/lib/service/http";
import { classifyMetrics, every, type Logger, metricsPublisher, type Registry } from "@isnad/lib/service/process";
import type { ThreadStates } from "@isnad/lib/service/threads";
import { createSteadyClock } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { followSearches, type WatchModel } from "@isnad/lib/search/watch";
import { createStages } from "@isnad/lib/work";
import { QUEUE_NAMES, type Queues } from "@isnad/lib/work/queue";
import { type Consumer, startRelay, syncConsumer } from "./outbox/relay.ts";
import { startSearchHooks } from "./outbox/search-hooks.ts";
import type { Send } from "./outbox/send.ts";
import { type PullerSettings, startPulls } from "./pull/puller.ts";
import { stagesOf } from "./stages.ts";
import { measuredTagger } from "./stages/entities.ts";
import { entityModelMetrics, workerMetrics } from "./telemetry.ts";
import {
  catchUp,
  type CatchUpState,
  enlistArchive,
  judgeVolume,
  keepClaims,
  onceDone,
  pruneAged,
  restLook,
} from "./upkeep.ts";
import { articleTexts } from "./stages/run.ts";

/** Holds what a worker stands on. All of it is opened and closed by the caller. */
export type WorkerDeps = {
  store: Store;
  queues: Queues;
  /** Without an embedder, articles are found by word alone; their passages follow once there is one. */
  embedder: Embedder | undefined;
  /** Finds the entities of indexed articles; without a tagger these articles wait. */
  tagger?: Tagger | undefined;
  taxonomy: Taxonomy;
  logger: Logger;
  metrics: Registry;
  /** The name under which its metrics are published. */
  instance: string;
  /** Runs at a time of the stages that a reader waits for. */
  concurrency: number;
  /** Tells whether articles get a summary once they are indexed; needs the embedding model. */
  summarize?: boolean;
  /** Articles older than this are deleted; none when left out. */
  retentionDays?: number | undefined;
  /** The linguistic service, which finds relations in indexed Arabic articles; none are found when left out. */
  nlp?: Pick<ServiceClient, "post"> | undefined;
  /** Reads articles for the reranker. Left out: none are read. Without a usable model: they wait. */
  reader?: OptionalModel<Pick<PassageReader, "read" | "modelId">> | undefined;
  /** Holds what finds claims; left out: none are found. Without a usable model: articles wait. */
  claims?: ClaimParts | undefined;
  /** Called once each time that no stage has run for a minute: what is kept to be quick may go. */
  onRest?: () => void;
  /** Consumers of the outbox beside the built-in one. */
  consumers?: readonly Consumer[];
  /** Has saved searches matched, and their webhooks told by `send`; none are when left out. */
  searches?: { model: WatchModel | undefined; secret: string | undefined; send: Send } | undefined;
  /** Says how sources are pulled; none are when left out. */
  pull?: PullerSettings;
  timing?: Partial<Timing>;
};

/** Intervals of the background tasks, in milliseconds. */
export type Timing = {
  publishMs: number;
  pruneMs: number;
  outboxMs: number;
  pullMs: number;
  /** Says how often stages look for work that nobody called them for. */
  workMs: number;
  /** Says how long no stage runs before what they keep to be quick is given back. */
  restMs: number;
  /** Sets how often reviews are looked for that are to be read. */
  claimsMs: number;
  /** Sets how often it is seen whether an hour is over, so that what came within it is counted. */
  volumesMs: number;
};

const TIMING: Timing = {
  publishMs: 2_000,
  pruneMs: 600_000,
  outboxMs: 2_000,
  pullMs: 2_000,
  workMs: 5_000,
  restMs: BACKGROUND_IDLE_MS,
  claimsMs: 2_000,
  volumesMs: 300_000,
};

/** Events that every consumer has taken are kept this long. */
const OUTBOX_KEPT_S = 7 * 86_400;

/** Says how long pruning itself may take. */
const PRUNE_TAKES_MS = 3_600_000;

/** Records of pulls are kept this long. */
const PULLS_KEPT_S = 30 * 86_400;

/** A running worker. */
export type Worker = {
  /** Says how far the projections have caught up with Postgres. */
  state: Readonly<CatchUpState>;
  /** Follows the log and matches saved searches; undefined where none are matched. */
  searches: Follower | undefined;
  /** The state of the threads that the worker has started. */
  threads(): ThreadStates;
  /** Claims no more work, and gives back what is in flight. */
  stop(): Promise<void>;
};

/**
 * Starts the stages, the outbox relay, the pulls of sources, the publishing of metrics, and the catching up of the
 * projections.
 */
export async function createWorker(deps: WorkerDeps): Promise<Worker> {
  const { store, queues, embedder, taxonomy, logger, metrics, instance, concurrency } = deps;
  const { tagger, nlp, reader, summarize = false } = deps;
  const finding = deps.claims && { deps: claimDeps({ store, embedder, ...deps.claims }) };
  const timing = { ...TIMING, ...deps.timing };
  const stopping = new AbortController();
  const { signal } = stopping;
  const measures = workerMetrics(metrics);
  const texts = articleTexts(store);
  entityModelMetrics(metrics, tagger?.modelId);
  const measured = tagger && measuredTagger(tagger, classifyMetrics(metrics));
  const stages = createStages({
    store,
    stages: stagesOf({
      store,
      texts,
      taxonomy,
      embedder,
      tagger: measured,
      reader,
      nlp,
      claims: finding,
      summarize,
      concurrency,
    }),
    logger,
    metrics,
    instance,
    pollMs: timing.workMs,
    wakeOthers: (stage, articleIds) => {
      if (stage !== "analysis") return;
      queues
        .add(stage, { id: `articles-${articleIds[0]}`, data: { articleIds: [...articleIds] } })
        .catch((error) => logger.warn({ err: error, stage }, "other workers were not called"));
    },
  });
  const callers = await Promise.all(QUEUE_NAMES.map((name) => queues.work(name, () => stages.wake(name))));

  const consumers = [syncConsumer({ store, embedder }), ...(deps.consumers ?? [])];
  const relay = startRelay({
    outbox: store.outbox,
    consumers,
    logger,
    instance,
    onOutcome: measures.onDelivery,
    idleMs: timing.outboxMs,
  });
  const hooks =
    deps.searches &&
    startSearchHooks({
      hooks: store.searches.hooks,
      send: deps.searches.send,
      secret: deps.searches.secret,
      onOutcome: measures.onDelivery,
      ...{ logger, instance, idleMs: timing.outboxMs },
    });
  const searches =
    deps.searches &&
    followSearches({
      ...{ store, logger, owner: instance, model: deps.searches.model, pollMs: timing.outboxMs },
      onMatches: ({ told }) => {
        if (told > 0) hooks?.wake();
      },
    });
  const names = consumers.map(({ name }) => name);
  const state: CatchUpState = { vectors: "behind", rerank: "behind", copies: "behind", stories: "behind" };
  const put = metricsPublisher(store.workerMetrics, instance, metrics);
  const publish = async () => {
    await stages.measure();
    await put();
  };
  // A clock that has just jumped ahead would have everything deleted.
  const clockHeld = createSteadyClock(timing.pruneMs + PRUNE_TAKES_MS);
  const prune = async () => {
    await store.outbox.prune({ consumers: names, olderThanS: OUTBOX_KEPT_S });
    await store.log.prune({ olderThanS: OUTBOX_KEPT_S });
    await store.followers.prune();
    await store.admission.prune();
    await store.rateLimits.prune();
    await store.pulls.prune({ olderThanS: PULLS_KEPT_S });
    const mended = await store.mendFutures();
    if (Object.keys(mended).length > 0) {
      logger.warn({ mended }, "the clock ran ahead for a while; what waited for that time is due now");
    }
    const isSteady = clockHeld();
    if (deps.retentionDays !== undefined && isSteady)
      await pruneAged({ store, logger, days: deps.retentionDays, signal });
  };
  const unlisten = store.log.listen(() => relay.wake());
  unlisten.catch((error) =>
    logger.warn({ err: error }, "changes are not announced; the outbox is looked into by the clock"),
  );
  const lookForRest = restLook(stages.restedMs, timing.restMs, deps.onRest ?? (() => {}));
  const tasks = [
    every(timing.publishMs, "metrics", publish, logger, signal),
    every(timing.pruneMs, "prune", prune, logger, signal),
    every(timing.workMs, "rest", async () => lookForRest(), logger, signal),
    every(timing.volumesMs, "volumes of sources", watchSources, logger, signal),
    catchUp({ store, embedder, reader: reader?.model, logger }, state, signal),
    stages.run(signal),
    ...claimTasks(),
  ];

  /** Does what is done for claims beside their stage. */
  function claimTasks(): Promise<unknown>[] {
    if (finding?.deps === undefined) return [];
    const { models, claims } = finding.deps;
    const { embedder, reader } = models;
    const upkeep = { store, embedder, reader, claims, instance, tagger };
    const enlist = async (): Promise<void> => {
      const enlisted = await enlistArchive({ store }, signal);
      if (enlisted > 0) logger.info({ articles: enlisted }, "articles of the archive wait for their claims");
    };
    return [
      onceDone("claims of the archive", enlist, { logger, signal }),
      every(timing.claimsMs, "claims", () => keepClaims(upkeep, signal), logger, signal),
    ];
  }

  /** Tells of sources that bring far less or far more than they do on such a day. */
  async function watchSources(): Promise<void> {
    const changes = await store.sourceStates.watchVolumes(judgeVolume);
    for (const { key, state } of changes) logger.info({ source: key, state }, "volume of a source changed");
    if (changes.length > 0) relay.wake();
  }

  const pulls =
    deps.pull && startPulls(deps.pull, { store, queues, logger, instance, pollMs: timing.pullMs, ...measures.pulls });

  return {
    state,
    searches,
    threads: () => ({ item_check: pulls?.threads() }),
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await Promise.all([
        ...callers.map((caller) => caller.close()),
        ...[relay.stop(), searches?.close(), hooks?.stop(), pulls?.stop(), ...tasks],
      ]);
      const ends = await Promise.allSettled([unlisten.then((end) => end()), publish()]);
      for (const end of ends) if (end.status === "rejected") logger.warn({ err: end.reason }, "stop");
    },
  };
}
