export { type ModelCard, modelCard, modelId, type Task } from "./card.ts";
export { createEmbedder, type Embedder, type EmbedderOptions, type TextKind } from "./embedder.ts";
export { InferenceError, type InferenceErrorCode } from "./errors.ts";
export { models } from "./models-command.ts";
export { openRegistry, type Registry, type RegistryEntry, SHIPPED_MODELS } from "./registry.ts";
