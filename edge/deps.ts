import type { Config } from "@isnad/lib/config";
import type { ServiceClient } from "@isnad/lib/http";
import type { Embedder, Reranker } from "@isnad/lib/inference";
import type { Answerer, Capability, Transcriber, Translator } from "@isnad/lib/llm";
import type { Logger, Registry } from "@isnad/lib/process";

/** What the edge worker can do, and by which models. */
export type Capabilities = {
  chat: Capability<Answerer>;
  translate: Capability<Translator>;
  asr: Capability<Transcriber>;
  embed: Capability<Pick<Embedder, "embed">>;
  rerank: Capability<Pick<Reranker, "rerank">>;
};

/** What the edge worker stands on. */
export type EdgeDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  retrieval: ServiceClient;
  capabilities: Capabilities;
};
