export { type ModelCard, modelCard, modelId, type Task } from "./card.ts";
export { type Classifier, type ClassifierOptions, createClassifier } from "./classify/classifier.ts";
export { scriptLanguage } from "./classify/script.ts";
export { models } from "./command/models.ts";
export { createEmbedder, type Embedder, type EmbedderOptions, type TextKind } from "./embedder.ts";
export { InferenceError, type InferenceErrorCode } from "./errors.ts";
export { createModelHost, type ModelHost, type ModelHostOptions } from "./model-host.ts";
export { openRegistry, type Registry, type RegistryEntry, SHIPPED_MODELS } from "./registry.ts";
export type { Passage } from "./rerank/passage.ts";
export { createReranker, type Reranker, type RerankerOptions } from "./rerank/reranker.ts";
export {
  type ArticleEntity,
  createTagger,
  displayName,
  type Entity,
  mergeEntities,
  nameKey,
  type TaggedSentence,
  type Tagger,
  type TaggerOptions,
  type TokenSentence,
} from "./tag/index.ts";
