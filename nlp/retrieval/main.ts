/** `bun run retrieval`: the retrieval service, started alone or by `up`. */
import { hostname } from "node:os";
import { join } from "node:path";
import { createClaimMatcher } from "@isnad/lib/claims";
import { ensureTokens, loadConfig, loadTaxonomy, VERSION } from "@isnad/lib/service/config";
import { listen } from "@isnad/lib/service/http";
import {
  createClassifier,
  createEmbedder,
  createReranker,
  createTagger,
  loadOptional,
  MODEL_IDLE_MS,
  openRegistry,
} from "@isnad/lib/models";
import {
  aborted,
  createLogger,
  createMetrics,
  every,
  makePrivate,
  metricsPublisher,
  runMain,
  startTracing,
} from "@isnad/lib/service/process";
import { type Follower, followerMetrics, remoteCaughtUp } from "@isnad/lib/projection";
import { checkEngines, openKeyword, openVectors } from "@isnad/lib/search";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { followKeyword } from "@isnad/lib/search/sync";
import { addIndexGauges, createApp } from "./app.ts";
import { noVectors } from "./branches.ts";

/** Tells whether the API shows this metric of the service as its own. */
function isShownByApi(name: string): boolean {
  return name.startsWith("ai_");
}

/** Says how soon the API shows what was measured here, in milliseconds. */
const PUBLISH_MS = 500;

const WITHOUT = "its task answers 503, all else is served";

await runMain(
  async (signal) => {
    await using opened = new AsyncDisposableStack();
    const given = loadConfig(process.env, { service: "retrieval" });
    // Before anything is made or changed.
    await checkEngines(given.engines);
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const { dataDir, models } = config;
    const logger = createLogger({ service: "retrieval", level: config.logLevel });
    const tracing = await startTracing(config.tracing, { name: "retrieval", version: VERSION });
    opened.defer(() => tracing.stop());

    const registry = openRegistry({ dataDir });
    // A setting that names no model is a mistake to be told at once; a damaged model is not.
    if (models.embed !== undefined && !registry.list().some(({ name }) => name === models.embed)) {
      registry.card(models.embed);
    }
    // The models are loaded side by side, while the database is opened.
    const loading = Promise.all([
      loadOptional(
        { task: "embedding", without: WITHOUT },
        () =>
          createEmbedder({
            registry,
            logger,
            idleMs: MODEL_IDLE_MS,
            inCaller: true,
            ...(models.embed !== undefined && { model: models.embed }),
          }),
        logger,
      ),
      loadOptional(
        { task: "check-worthiness", without: WITHOUT },
        () =>
          createClassifier({
            registry,
            logger,
            idleMs: MODEL_IDLE_MS,
            ...config.classify,
            ...(models.classify !== undefined && { model: models.classify }),
          }),
        logger,
      ),
      loadOptional(
        { task: "entities", without: "texts are matched with reviews without regard to names" },
        () =>
          createTagger({
            ...{ registry, logger, idleMs: MODEL_IDLE_MS },
            ...(models.tag !== undefined && { model: models.tag }),
          }),
        logger,
      ),
      loadOptional(
        { task: "rerank", without: WITHOUT },
        () =>
          createReranker({
            registry,
            logger,
            idleMs: MODEL_IDLE_MS,
            ...config.rerank,
            ...(models.rerank !== undefined && { model: models.rerank }),
          }),
        logger,
      ),
    ]);
    // Whoever awaits it hears of a failure.
    loading.catch(() => undefined);
    opened.defer(async () => {
      await Promise.all((await loading).map(({ model }) => model?.close()));
    });

    const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
    opened.defer(() => postgres.release());
    await migrate(postgres.url, { logger });
    const store = openStore(postgres.url, { max: 8, name: "isnad-retrieval", timeoutMs: config.databaseTimeoutMs });
    opened.defer(() => store.close());
    const [embedder, classifier, tagger, reranker] = await loading;
    const { engines } = config;
    const keyword = await openKeyword({ engine: engines.keyword, store, dir: join(dataDir, "keyword"), logger });
    opened.defer(() => keyword.close());
    const followers: Follower[] = [];
    if (engines.keyword.engine === "embedded") {
      const follower = followKeyword({ store, keyword, logger, reportAs: `keyword@${hostname()}` });
      followers.push(follower);
      opened.defer(() => follower.close());
    }
    const dir = join(dataDir, "vectors");
    const vectors =
      embedder.model === undefined
        ? noVectors(embedder)
        : await openVectors({
            ...{ engine: engines.vectors, store, dir, logger },
            ...{ modelId: embedder.model.modelId, dims: embedder.model.dims },
          });
    if (vectors.follower !== undefined) followers.push(vectors.follower);
    opened.defer(() => vectors.close());

    const claims =
      embedder.model &&
      createClaimMatcher({
        ...{ store, logger, embedder: embedder.model, encoder: reranker.model?.encoder, tagger: tagger.model },
        dir: join(dataDir, "reviews"),
      });
    opened.defer(async () => await claims?.close());

    // The workers follow for these.
    const remote = Object.entries(engines).flatMap(([kind, engine]) =>
      "server" in engine ? [`${kind}@${engine.engine}`] : [],
    );

    const metrics = createMetrics();
    addIndexGauges(metrics, { keyword, vectors });
    followerMetrics(metrics, followers);
    const service = createApp({
      config,
      logger,
      metrics,
      store,
      keyword,
      vectors,
      followers,
      remoteCaughtUp: remoteCaughtUp(store, remote),
      embedder,
      classifier,
      reranker,
      claims,
      taxonomyVersion: loadTaxonomy(config.taxonomyFile).version,
      threads: () => ({
        keyword: keyword.threads(),
        vectors: vectors.threads(),
        embedding: embedder.model?.threads(),
        check_worthiness: classifier.model?.threads(),
        entities: tagger.model?.threads(),
        rerank: reranker.model?.threads(),
      }),
    });
    const stopping = new AbortController();
    const publish = metricsPublisher(store.workerMetrics, `retrieval:${hostname()}:${process.pid}`, metrics, {
      only: isShownByApi,
    });
    const publishing = every(PUBLISH_MS, "metrics", publish, logger, stopping.signal);
    opened.defer(async () => {
      stopping.abort();
      await publishing;
    });
    const server = await listen(service.app.fetch, {
      host: config.host,
      port: config.ports.retrieval,
      drainMs: config.drainMs,
    });
    opened.defer(() => server.stop());
    logger.info({ url: server.url, model: embedder.model?.modelId }, "the retrieval service is listening");
    await aborted(signal);
  },
  {
    name: "retrieval",
    summary: "The retrieval service: searches by word and by meaning.",
    portOption: "RETRIEVAL_PORT",
  },
);
