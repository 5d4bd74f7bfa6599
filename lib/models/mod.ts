export { GENRES, type Genre, type ModelCard, modelId, modelName, type Task } from "./cards/card.ts";
export { type Classifier, createClassifier } from "./tasks/checkworthiness/classifier.ts";
export { scriptLanguage } from "./tasks/checkworthiness/classifier.ts";
export { createEmbedder, type Embedder } from "./tasks/embed/embedder.ts";
export { InferenceError } from "./runtime/errors.ts";
export type { RunOptions } from "./runtime/model-host.ts";
export { openRegistry, type Registry, type RegistryEntry, SHIPPED_MODELS } from "./cards/registry.ts";
export { textOf } from "./runtime/open-session.ts";
export { checkIfOpen, loadOptional, MODEL_IDLE_MS, NOT_LOADED, type OptionalModel } from "./cards/optional.ts";
export { type Passage, passagesOf, vectorsId } from "./tasks/rerank/passage.ts";
export { createPassageReader, type PassageReader, type PassageReaderOptions } from "./tasks/rerank/passage-reader.ts";
export { createReranker, type Reranker } from "./tasks/rerank/reranker.ts";
export { createSenseEncoder, type SenseEncoder } from "./tasks/senses/sense-encoder.ts";
export { createMachineTranscriber, type MachineTranscriber } from "./tasks/transcribe/machine-transcriber.ts";
export { createMachineTranslator, type MachineTranslator } from "./tasks/translate/machine-translator.ts";
export {
  type ArticleEntity,
  articleEntities,
  createTagger,
  type Entity,
  type NestedEntity,
  type NestedText,
  type Tagger,
} from "./tasks/entities/mod.ts";
