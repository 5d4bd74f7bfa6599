/** `bun run workers`: the queue workers, started alone or by `up`. */
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { ensureTokens, loadConfig, loadTaxonomy, VERSION } from "@isnad/lib/service/config";
import { aborted, createLogger, createMetrics, makePrivate, runMain, startTracing } from "@isnad/lib/service/process";
import { createService, createServiceClient, listen } from "@isnad/lib/service/http";
import {
  BACKGROUND_IDLE_MS,
  createClassifier,
  createEmbedder,
  createTagger,
  loadOptional,
  MODEL_IDLE_MS,
  openRegistry,
} from "@isnad/lib/models";
import { forgetCached } from "@isnad/lib/std";
import { openQueues } from "@isnad/lib/work/queue";
import { stepAside } from "@isnad/lib/service/threads";
import { followerMetrics } from "@isnad/lib/projection";
import { checkEngines } from "@isnad/lib/search";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { followRemote } from "@isnad/lib/search/sync";
import { hostsForHooks } from "@isnad/lib/web/egress";
import { workerHealth } from "./telemetry.ts";
import { createMail, createSend, notices } from "./outbox/send.ts";
import { webhook } from "./outbox/webhook.ts";
import { openAdapters } from "./pull/puller.ts";
import { openReader } from "./stages/rerank.ts";
import { createWorker } from "./app.ts";
import { watchModel } from "./watch-model.ts";

/** Says how long the search service may take over the vectors of saved searches, in milliseconds. */
const QUERY_VECTORS_MS = 10_000;

await runMain(
  async (signal) => {
    await using opened = new AsyncDisposableStack();
    opened.use(stepAside());
    const given = loadConfig(process.env);
    // Before anything is made or changed.
    await checkEngines(given.engines);
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const { dataDir, outbox, models } = config;
    const logger = createLogger({ service: "workers", level: config.logLevel });
    const tracing = await startTracing(config.tracing, { name: "workers", version: VERSION });
    opened.defer(() => tracing.stop());
    const metrics = createMetrics();
    const taxonomy = loadTaxonomy(config.taxonomyFile);

    const registry = openRegistry({ dataDir });
    // A setting that names no model is a mistake to be told at once; a damaged model is not.
    if (models.embed !== undefined && !registry.list().some(({ name }) => name === models.embed)) {
      registry.card(models.embed);
    }
    // The models are loaded side by side, while the database is opened.
    const loading = Promise.all([
      loadOptional(
        {
          task: "embedding",
          without: "articles are found by word alone until it is whole and the workers are started again",
        },
        () =>
          createEmbedder({
            ...{ registry, logger, background: true, idleMs: MODEL_IDLE_MS },
            ...(models.embed !== undefined && { model: models.embed }),
          }),
        logger,
      ),
      loadOptional(
        {
          task: "entities",
          without: "articles wait for their entities until it is whole and the workers are started again",
        },
        () =>
          createTagger({
            ...{ registry, logger, background: "idle", timeoutMs: 120_000, idleMs: BACKGROUND_IDLE_MS },
            ...(models.tag !== undefined && { model: models.tag }),
          }),
        logger,
      ),
      config.workers.rerankVectors || config.workers.findClaims
        ? openReader({ registry, logger, ...(models.rerank !== undefined && { model: models.rerank }) })
        : undefined,
      config.workers.findClaims
        ? loadOptional(
            {
              task: "check-worthiness",
              without: "articles wait for their claims until it is whole and the workers are started again",
            },
            () =>
              createClassifier({
                ...{
                  registry,
                  logger,
                  background: "idle",
                  timeoutMs: 120_000,
                  threads: 1,
                  idleMs: BACKGROUND_IDLE_MS,
                },
                ...(models.classify !== undefined && { model: models.classify }),
              }),
            logger,
          )
        : undefined,
    ]);
    // Whoever awaits it hears of a failure.
    loading.catch(() => undefined);
    opened.defer(async () => {
      await Promise.all((await loading).map((loaded) => loaded?.model?.close()));
    });

    const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
    opened.defer(() => postgres.release());
    await migrate(postgres.url, { logger });
    const timeoutMs = config.workers.databaseTimeoutMs;
    const store = openStore(postgres.url, { max: 8, name: "isnad-workers", timeoutMs });
    opened.defer(() => store.close());
    const [embedder, tagger, encoding, classifier] = await loading;
    const reader = config.workers.rerankVectors ? encoding : undefined;
    const { engines } = config;
    const instance = `${hostname()}:${process.pid}`;
    // Embedded indexes are fed by the retrieval service that answers from them.
    const remote = opened.use(await followRemote({ engines, store, model: embedder.model, logger, owner: instance }));
    const queues = await openQueues({ databaseUrl: postgres.url, redisUrl: config.redisUrl, logger, timeoutMs });
    opened.defer(() => queues.close());

    const scraper = { url: config.scraperUrl, token: config.tokens.scraper[0] };
    const pulls = openAdapters({ config, scraper, store, taxonomy, logger });
    opened.defer(() => pulls.close());

    const nlp = config.workers.extractRelations
      ? createServiceClient({
          ...{ name: "linguistic service", baseUrl: config.nlpUrl, timeoutMs: 60_000 },
          internalToken: config.tokens.internal[0],
        })
      : undefined;
    const retrieval = createServiceClient({
      ...{ name: "search service", baseUrl: config.retrievalUrl, timeoutMs: QUERY_VECTORS_MS },
      internalToken: config.tokens.internal[0],
    });
    const { allowPrivateHosts, webhookSecret: secret = "" } = outbox;
    const { urls, events, lang, smtp } = config.notices;
    const told = { notices: { lang, baseUrl: config.publicBaseUrl }, mail: smtp && createMail(smtp) };
    const worker = await createWorker({
      store,
      queues,
      embedder: embedder.model,
      tagger: tagger.model,
      reader,
      taxonomy,
      logger,
      metrics,
      instance,
      onRest: () => {
        forgetCached();
        const { shrink }: { shrink(): void } = createRequire(import.meta.url)("bun");
        shrink();
      },
      concurrency: config.workers.concurrency,
      summarize: config.workers.summarize,
      retentionDays: config.workers.retentionDays,
      nlp,
      claims: classifier && {
        classifier: classifier.model,
        encoder: encoding?.model?.encoder,
        minScore: config.workers.claimsMinScore,
      },
      searches: {
        model: embedder.model && watchModel({ embedder: embedder.model, retrieval, logger }),
        secret: outbox.webhookSecret,
        send: createSend({ ...told, allowPrivateHosts: hostsForHooks({ appEnv: config.appEnv, allowPrivateHosts }) }),
      },
      pull: { adapters: pulls.adapters, ...config.pull, requireKnownSource: config.ingest.requireKnownSource },
      consumers: [
        ...[...new Set(outbox.webhookUrls)].map((url) => webhook({ url, secret, allowPrivateHosts })),
        ...[...new Set(urls)].map((address) => notices({ ...told, address, events, allowPrivateHosts })),
      ],
    });
    opened.defer(() => worker.stop());
    const followers = [...remote.followers, ...(worker.searches === undefined ? [] : [worker.searches])];
    followerMetrics(metrics, followers);

    const { port } = config.workers;
    let url: string | undefined;
    if (port !== undefined) {
      const service = createService({
        name: "workers",
        version: VERSION,
        config,
        logger,
        metrics,
        deps: workerHealth({
          writes: { store, dataDir, logger, metrics },
          nlp,
          queues,
          embedder,
          tagger,
          reader,
          classifier,
          followers,
          threads: () => ({
            embedding: embedder.model?.threads(),
            entities: tagger.model?.threads(),
            rerank: encoding?.model?.threads(),
            check_worthiness: classifier?.model?.threads(),
            feeds: pulls.threads(),
            ...worker.threads(),
          }),
        }),
      });
      const server = await listen(service.app.fetch, { host: config.host, port });
      url = server.url;
      opened.defer(() => server.stop(500));
    }
    logger.info({ model: embedder.model?.modelId, tagger: tagger.model?.modelId, url }, "workers are running");
    await aborted(signal);
  },
  {
    name: "workers",
    summary: "The workers: bring accepted articles on, and pull sources.",
    portOption: "WORKERS_PORT",
  },
);
