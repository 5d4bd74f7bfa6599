import type { ModelCard, Task } from "../../lib/models/cards/card.ts";
import { createClassifier } from "../../lib/models/tasks/checkworthiness/classifier.ts";
import { createEmbedder } from "../../lib/models/tasks/embed/embedder.ts";
import type { Registry } from "../../lib/models/cards/registry.ts";
import { createReranker } from "../../lib/models/tasks/rerank/reranker.ts";
import { createTagger } from "../../lib/models/tasks/entities/tagger.ts";
import { createMachineTranscriber } from "../../lib/models/tasks/transcribe/machine-transcriber.ts";
import { createMachineTranslator } from "../../lib/models/tasks/translate/machine-translator.ts";

/** How a model of a task is started, and the architectures that this version runs for it. */
type Runner = {
  architectures: readonly NonNullable<ModelCard["architecture"]>[];
  start(options: { registry: Registry; model: string }): Promise<{ close(): Promise<void> }>;
};

const RUNNERS: Partial<Record<Task, Runner>> = {
  embed: { architectures: ["weighted-bag", "encoder"], start: createEmbedder },
  rerank: { architectures: ["dual-encoder", "cross-encoder"], start: createReranker },
  classify: { architectures: ["encoder-classifier"], start: createClassifier },
  translate: { architectures: ["encoder-decoder"], start: createMachineTranslator },
  transcribe: { architectures: ["encoder-decoder"], start: createMachineTranscriber },
  tag: { architectures: ["encoder-chain"], start: createTagger },
};

/** What the linguistic service runs by name: there is one model for the task, and none to choose. */
const FIXED: Partial<Record<Task, ModelCard["architecture"]>> = {
  morph: "linear",
  relations: "linear",
  senses: "encoder-attention",
};

/** Whether this version has what runs such a model. */
export function canRun({ task, architecture }: Pick<ModelCard, "task" | "architecture">): boolean {
  if (architecture === undefined) return false;
  return FIXED[task] === architecture || RUNNERS[task]?.architectures.includes(architecture) === true;
}

/** Whether `models use` can make another model the one for a task. */
export function canChoose(task: Task): boolean {
  return task in RUNNERS;
}

/**
 * Starts a model as its service does, and ends it again. @throws InferenceError when it cannot be started, saying why
 */
export async function tryOut(registry: Registry, name: string): Promise<void> {
  const running = await RUNNERS[registry.card(name).task]?.start({ registry, model: name });
  await running?.close();
}
