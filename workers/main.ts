/** `bun run workers`: the queue workers, started alone or by `up`. */
import { hostname } from "node:os";
import { join } from "node:path";
import { ensureTokens, loadConfig, loadTaxonomy, VERSION } from "@isnad/lib/config";
import { aborted, createLogger, createMetrics, createService, listen, runMain } from "@isnad/lib/http";
import { createEmbedder, openRegistry } from "@isnad/lib/inference";
import { openQueues } from "@isnad/lib/queue";
import { openKeywordIndex } from "@isnad/lib/search";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { openTagger } from "./entities/open-tagger.ts";
import { webhook } from "./outbox/webhook.ts";
import { openAdapters } from "./pull/open.ts";
import { createWorker } from "./worker.ts";

await runMain(async (signal) => {
  await using opened = new AsyncDisposableStack();
  const config = await ensureTokens(loadConfig(process.env));
  const { dataDir, outbox, models } = config;
  const logger = createLogger({ service: "workers", level: config.logLevel });
  const metrics = createMetrics();
  const taxonomy = loadTaxonomy(config.taxonomyFile);

  const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 8, name: "isnad-workers" });
  opened.defer(() => store.close());
  const registry = openRegistry({ dataDir });
  const embedder = await createEmbedder({
    registry,
    ...(models.embed !== undefined && { model: models.embed }),
  });
  opened.defer(() => embedder.close());
  const tagger = await openTagger(registry, models.tag, logger);
  opened.defer(() => tagger?.close());
  const keyword = await openKeywordIndex({ dir: join(dataDir, "keyword"), mode: "write" });
  opened.defer(() => keyword.close());
  const queues = await openQueues({ databaseUrl: postgres.url, redisUrl: config.redisUrl, logger });
  opened.defer(() => queues.close());

  const scraper = { url: config.scraperUrl, token: config.tokens.scraper[0] };
  const pulls = openAdapters({ config, scraper, store, taxonomy });
  opened.defer(() => pulls.close());

  const { allowPrivateHosts, webhookSecret: secret = "" } = outbox;
  const worker = await createWorker({
    store,
    queues,
    keyword,
    embedder,
    tagger,
    taxonomy,
    logger,
    metrics,
    instance: `${hostname()}:${process.pid}`,
    concurrency: config.workers.concurrency,
    pull: { adapters: pulls.adapters, ...config.pull, requireKnownSource: config.ingest.requireKnownSource },
    consumers: [...new Set(outbox.webhookUrls)].map((url) => webhook({ url, secret, allowPrivateHosts })),
  });
  opened.defer(() => worker.stop());

  const { port } = config.workers;
  if (port !== undefined) {
    const service = createService({
      name: "workers",
      version: VERSION,
      config,
      logger,
      metrics,
      deps: {
        database: { check: () => store.ping(), critical: true },
        queue: { check: () => queues.ping(), critical: true },
      },
    });
    const server = await listen(service.app.fetch, { host: config.host, port });
    opened.defer(() => server.stop(500));
  }
  logger.info({ model: embedder.modelId, tagger: tagger?.modelId, port }, "workers are running");
  await Promise.race([aborted(signal), worker.lost]);
});
