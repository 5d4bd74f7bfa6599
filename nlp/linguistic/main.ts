/** `bun run nlp`: the linguistic service, started alone or by `up`. */
import { ensureTokens, loadConfig, VERSION } from "@isnad/lib/config";
import { listen } from "@isnad/lib/http";
import { createEmbedder, createTagger, loadOptional, openRegistry } from "@isnad/lib/inference";
import { aborted, createLogger, createMetrics, runMain, startTracing } from "@isnad/lib/process";
import { openAnalysers } from "./analysers.ts";
import { createApp } from "./app.ts";
import { openEntities } from "./ner.ts";
import { openSenseModel, openSenses } from "./wsd/open.ts";

await runMain(async (signal) => {
  await using opened = new AsyncDisposableStack();
  const config = await ensureTokens(loadConfig(process.env, { service: "nlp" }));
  const logger = createLogger({ service: "nlp", level: config.logLevel });
  const tracing = await startTracing(config.tracing, { name: "nlp", version: VERSION });
  opened.defer(() => tracing.stop());
  const analysers = openAnalysers({ logger, dataDir: config.dataDir });
  opened.defer(() => analysers.close());
  const registry = openRegistry({ dataDir: config.dataDir });
  const embedder = await loadOptional(
    { task: "embedding", without: "/wsd answers 503" },
    () => createEmbedder({ registry, logger }),
    logger,
  );
  opened.defer(() => embedder.model?.close());
  const senses = await loadOptional(
    { task: "senses", without: "/wsd answers 503" },
    () => openSenseModel({ registry, logger }),
    logger,
  );
  opened.defer(() => senses.model?.encoder.close());
  const tagger = await loadOptional(
    { task: "entities", without: "/ner answers 503" },
    () => createTagger({ registry, logger, ...(config.models.tag !== undefined && { model: config.models.tag }) }),
    logger,
  );
  opened.defer(() => tagger.model?.close());
  // The first request is not to wait for the lexicon; a damaged one is told by the log and the health route.
  void analysers.call("morph", { text: "كتب", all: false }).catch(() => {});
  void analysers.call("sentence", { id: 0, fuzzy: false }).catch(() => {});
  const service = createApp({
    ...{ config, logger, metrics: createMetrics(), analysers },
    ...{ senses: openSenses(embedder, senses), entities: openEntities(tagger) },
  });
  const server = await listen(service.app.fetch, {
    host: config.host,
    port: config.ports.nlp,
    drainMs: config.drainMs,
  });
  opened.defer(() => server.stop());
  logger.info({ url: server.url }, "the linguistic service is listening");
  await aborted(signal);
});
