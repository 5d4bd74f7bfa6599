import type { Config } from "@isnad/lib/service/config";
import type { ServiceClient } from "@isnad/lib/service/http";
import type { Embedder, Reranker } from "@isnad/lib/models";
import type { Answerer, Capability, Transcriber, Translator } from "@isnad/lib/answers";
import type { Logger, Registry } from "@isnad/lib/service/process";

/** Holds what the edge worker can do, and by which models. */
export type Capabilities = {
  chat: Capability<Answerer>;
  translate: Capability<Translator>;
  asr: Capability<Transcriber>;
  embed: Capability<Pick<Embedder, "embed">>;
  rerank: Capability<Pick<Reranker, "rerank">>;
};

/** Holds what the edge worker stands on. */
export type EdgeDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  retrieval: ServiceClient;
  capabilities: Capabilities;
};
