/** `bun run edge`: the edge worker, started alone or by `up`. */
import { ensureTokens, loadConfig, VERSION } from "@isnad/lib/service/config";
import { createServiceClient, listen } from "@isnad/lib/service/http";
import {
  createEmbedder,
  createMachineTranscriber,
  createMachineTranslator,
  createReader,
  createReranker,
  loadOptional,
  MODEL_IDLE_MS,
  NOT_LOADED,
  type MachineTranslator,
  openRegistry,
} from "@isnad/lib/models";
import { aborted, createLogger, createMetrics, makePrivate, runMain, startTracing } from "@isnad/lib/service/process";
import { createApp } from "./app.ts";
import { chooseCapabilities } from "./capabilities.ts";

/** Time that a search may take, in milliseconds. */
const SEARCH_MS = 10_000;

/** Time that reranking may take at least, in milliseconds: unlike a search, an answer is nothing without it. */
const RERANK_MS = 30_000;

await runMain(
  async (signal) => {
    await using opened = new AsyncDisposableStack();
    const given = loadConfig(process.env, { service: "edge" });
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const logger = createLogger({ service: "edge", level: config.logLevel });
    const tracing = await startTracing(config.tracing, { name: "edge", version: VERSION });
    opened.defer(() => tracing.stop());
    const { dataDir, models, llm } = config;
    const registry = openRegistry({ dataDir });
    const [embedder, reranker] = await Promise.all([
      loadOptional(
        { task: "embedding", without: "built-in answers are 503" },
        () =>
          createEmbedder({
            registry,
            idleMs: MODEL_IDLE_MS,
            ...(models.embed !== undefined && { model: models.embed }),
          }),
        logger,
      ),
      loadOptional(
        { task: "rerank", without: "built-in answers are 503, and chunks keep the order of their meaning" },
        () =>
          createReranker({
            registry,
            idleMs: MODEL_IDLE_MS,
            ...config.rerank,
            timeoutMs: Math.max(RERANK_MS, config.rerank.timeoutMs ?? 0),
            ...(models.rerank !== undefined && { model: models.rerank }),
          }),
        logger,
      ),
    ]);
    opened.defer(() => embedder.model?.close());
    opened.defer(() => reranker.model?.close());

    const reader =
      llm.chat === undefined
        ? await loadOptional(
            { task: "read", without: "built-in answers are 503" },
            () => createReader({ registry, idleMs: MODEL_IDLE_MS, logger }),
            logger,
          )
        : NOT_LOADED;
    opened.defer(() => reader.model?.close());

    const translators: MachineTranslator[] = [];
    for (const { name, card } of registry.list()) {
      if (card?.task !== "translate" || llm.translate !== undefined) continue;
      const { model } = await loadOptional(
        { task: "translate", without: "texts are not translated by it" },
        () => createMachineTranslator({ registry, model: name, logger }),
        logger,
      );
      if (model === undefined) continue;
      opened.defer(() => model.close());
      translators.push(model);
    }

    const hasSpeech = llm.asr === undefined && registry.list().some(({ card }) => card?.task === "transcribe");
    const transcriber = hasSpeech
      ? await loadOptional(
          { task: "transcribe", without: "recordings are answered with 503" },
          () => createMachineTranscriber({ registry, logger }),
          logger,
        )
      : undefined;
    opened.defer(() => transcriber?.model?.close());

    const service = createApp({
      config,
      logger,
      metrics: createMetrics(),
      retrieval: createServiceClient({
        ...{ name: "search service", baseUrl: config.retrievalUrl, timeoutMs: SEARCH_MS },
        internalToken: config.tokens.internal[0],
      }),
      capabilities: chooseCapabilities(config, { embedder, reader, reranker, translators, transcriber }),
    });
    const server = await listen(service.app.fetch, {
      host: config.host,
      port: config.ports.edge,
      drainMs: config.drainMs,
    });
    opened.defer(() => server.stop());
    logger.info({ url: server.url, chat: llm.chat?.model ?? "built-in" }, "the edge worker is listening");
    await aborted(signal);
  },
  {
    name: "edge",
    summary: "The edge worker: answers, translation, speech, chunks by meaning.",
    portOption: "EDGE_PORT",
  },
);
