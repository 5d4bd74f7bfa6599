export { GENRES, type Genre, type ModelCard, modelCard, modelId, modelName, type Task } from "./models/card.ts";
export { type Classifier, type ClassifierOptions, createClassifier } from "./tasks/checkworthiness/classifier.ts";
export { scriptLanguage } from "./tasks/checkworthiness/script.ts";
export { createEmbedder, type Embedder, type EmbedderOptions, type TextKind } from "./tasks/embed/embedder.ts";
export { InferenceError, type InferenceErrorCode } from "./runtime/errors.ts";
export { createModelHost, type ModelHost, type ModelHostOptions } from "./runtime/model-host.ts";
export { openRegistry, type Registry, type RegistryEntry, SHIPPED_MODELS } from "./models/registry.ts";
export { textOf } from "./runtime/open-session.ts";
export { loadOptional, NOT_LOADED, type OptionalModel } from "./models/optional.ts";
export { type Passage, passagesOf, vectorsId } from "./tasks/rerank/passage.ts";
export { createPassageReader, type PassageReader, type PassageReaderOptions } from "./tasks/rerank/passage-reader.ts";
export { createReranker, type Reranker, type RerankerOptions } from "./tasks/rerank/reranker.ts";
export { createSenseEncoder, type SenseEncoder, type SenseEncoderOptions } from "./tasks/senses/sense-encoder.ts";
export type { SenseInput } from "./tasks/senses/sense-model.ts";
export {
  createMachineTranscriber,
  type MachineTranscriber,
  type MachineTranscriberOptions,
} from "./tasks/transcribe/machine-transcriber.ts";
export {
  createMachineTranslator,
  type MachineTranslator,
  type MachineTranslatorOptions,
} from "./tasks/translate/machine-translator.ts";
export {
  type ArticleEntity,
  articleEntities,
  createTagger,
  type Entity,
  type NestedEntity,
  type NestedText,
  type TaggedSentence,
  type Tagger,
  type TaggerOptions,
  type TokenSentence,
} from "./tasks/entities/index.ts";
