/** `bun run retrieval`: the retrieval service, started alone or by `up`. */
import { join } from "node:path";
import { ensureTokens, loadConfig, loadTaxonomy } from "@isnad/lib/config";
import { aborted, createLogger, createMetrics, listen, runMain } from "@isnad/lib/http";
import { createClassifier, createEmbedder, createReranker, openRegistry } from "@isnad/lib/inference";
import { createVectorIndex, openKeywordIndex } from "@isnad/lib/search";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { createApp } from "./app.ts";
import { addIndexGauges } from "./index-gauges.ts";
import { loadOptional } from "./optional-model.ts";

await runMain(async (signal) => {
  await using opened = new AsyncDisposableStack();
  const config = await ensureTokens(loadConfig(process.env, { service: "retrieval" }));
  const { dataDir, models } = config;
  const logger = createLogger({ service: "retrieval", level: config.logLevel });

  const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
  opened.defer(() => postgres.release());
  await migrate(postgres.url);
  const store = openStore(postgres.url, { max: 8, name: "isnad-retrieval" });
  opened.defer(() => store.close());
  const registry = openRegistry({ dataDir });
  const embedder = await createEmbedder({ registry, ...(models.embed !== undefined && { model: models.embed }) });
  opened.defer(() => embedder.close());
  const classifier = await loadOptional(
    "check-worthiness",
    () => createClassifier({ registry, ...(models.classify !== undefined && { model: models.classify }) }),
    logger,
  );
  opened.defer(() => classifier.model?.close());
  const reranker = await loadOptional(
    "rerank",
    () => createReranker({ registry, ...(models.rerank !== undefined && { model: models.rerank }) }),
    logger,
  );
  opened.defer(() => reranker.model?.close());
  const keyword = await openKeywordIndex({ dir: join(dataDir, "keyword"), mode: "read", readers: 2 });
  opened.defer(() => keyword.close());
  const vectors = await createVectorIndex({
    store,
    dir: join(dataDir, "vectors"),
    modelId: embedder.modelId,
    dims: embedder.dims,
    logger,
  });
  opened.defer(() => vectors.close());

  const metrics = createMetrics();
  addIndexGauges(metrics, { keyword, vectors });
  const service = createApp({
    config,
    logger,
    metrics,
    store,
    keyword,
    vectors,
    embedder,
    classifier,
    reranker,
    taxonomyVersion: loadTaxonomy(config.taxonomyFile).version,
  });
  const server = await listen(service.app.fetch, { host: config.host, port: config.ports.retrieval });
  opened.defer(() => server.stop());
  logger.info({ url: server.url, model: embedder.modelId }, "the retrieval service is listening");
  await aborted(signal);
});
