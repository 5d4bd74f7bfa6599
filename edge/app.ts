import { VERSION } from "@isnad/lib/service/config";
import { createLimiters, createService, remoteKeys, type Service } from "@isnad/lib/service/http";
import { available } from "@isnad/lib/answers";
import { classify, type EdgeDeps } from "./capabilities.ts";
import { createDevItems } from "./rag/dev-items.ts";
import { addAsr } from "./routes/asr.ts";
import { addChat } from "./routes/chat.ts";
import { addEmbed, addTranslate } from "./routes/translate.ts";
import { addLlmHealth } from "./routes/llm-health.ts";
import { addRagDev, addRagQuery } from "./routes/rag.ts";
import { addSummarize } from "./routes/summarize.ts";

const DESCRIPTION = `Answers, chunks of articles by meaning, translation and speech.

Without any setting the built-in models serve: answers are sentences of the articles, quoted with their sources.`;

/** Makes the edge worker over its dependencies. */
export function createApp(deps: EdgeDeps): Service {
  const { config, logger, metrics, retrieval, capabilities } = deps;
  const { chat, embed, rerank } = capabilities;
  const service = createService({
    name: "edge",
    version: VERSION,
    description: DESCRIPTION,
    config,
    logger,
    metrics,
    classify,
    access: {
      roles: [
        {
          tokens: config.tokens.edge,
          place: "x-api-key",
          rights: config.tokens.edgeQuery.length > 0 ? ["edge"] : ["edge", "read"],
        },
      ],
      keys: remoteKeys(config),
    },
    deps: {
      retrieval: { check: (signal) => retrieval.ping(signal), critical: false },
      chat: { check: async (signal) => available(chat).check(signal), critical: false },
      embedding: { check: async (signal) => available(embed).check(signal), critical: false },
      rerank: { check: async (signal) => available(rerank).check(signal), critical: false },
    },
  });
  const { app, access } = service;
  const keyIn = (name: string) => ({ type: "apiKey", in: "header", name }) as const;
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", keyIn("x-api-key"));
  const limiter = createLimiters(metrics, config.limits);
  const devItems = config.appEnv === "local" ? createDevItems() : undefined;
  addLlmHealth(app, { ...deps, access });
  const chatLimiter = limiter("chat", config.limits.chat);
  addChat(app, { ...deps, access, limiter: chatLimiter });
  addSummarize(app, { ...deps, access, limiter: chatLimiter });
  addEmbed(app, { ...deps, access, limiter: chatLimiter });
  addTranslate(app, { ...deps, access, limiter: chatLimiter });
  addAsr(app, { ...deps, access });
  addRagQuery(app, { ...deps, access, devItems, limiter: limiter("rag", config.limits.search) });
  if (devItems !== undefined) {
    app.openAPIRegistry.registerComponent("securitySchemes", "devKey", keyIn("x-dev-key"));
    addRagDev(app, { ...deps, devItems });
  }
  return service;
}
