import {
  checkIfOpen,
  createEmbedder,
  createTagger,
  type Embedder,
  loadOptional,
  MODEL_IDLE_MS,
  type NestedText,
  openRegistry,
  type OptionalModel,
  type RunOptions,
  type Tagger,
} from "@isnad/lib/models";
import type { Logger } from "@isnad/lib/service/process";
import { PartUnavailable } from "../../lib/arabic/attempt.ts";
import { openSenseModel, type SenseModelParts, SENSES_EMBEDDER } from "../../lib/arabic/senses/sense-vectors.ts";

/** The models that run in threads of their own; one whose files are missing or damaged leaves its route unavailable. */
type LinguisticModels = {
  embedder: OptionalModel<Embedder>;
  senses: OptionalModel<SenseModelParts>;
  tagger: OptionalModel<Tagger>;
  close(): Promise<void>;
};

/**
 * Loads them side by side. `dataDir`: where models of the operator are; `tagModel`: the tagger that a setting names.
 */
export async function openModels(options: {
  dataDir: string;
  logger: Logger;
  tagModel?: string | undefined;
}): Promise<LinguisticModels> {
  const { dataDir, logger, tagModel } = options;
  const registry = openRegistry({ dataDir });
  const idleMs = MODEL_IDLE_MS;
  const [embedder, senses, tagger] = await Promise.all([
    loadOptional(
      { task: "embedding", without: "/wsd answers 503" },
      () => createEmbedder({ registry, logger, idleMs, model: SENSES_EMBEDDER }),
      logger,
    ),
    loadOptional(
      { task: "senses", without: "/wsd answers 503" },
      () => openSenseModel({ registry, logger, idleMs }),
      logger,
    ),
    loadOptional(
      { task: "entities", without: "/ner answers 503" },
      () =>
        createTagger({
          registry,
          logger,
          idleMs,
          nestedOnly: true,
          ...(tagModel !== undefined && { model: tagModel }),
        }),
      logger,
    ),
  ]);
  return {
    ...{ embedder, senses, tagger },
    async close() {
      await Promise.all([embedder.model?.close(), senses.model?.encoder.close(), tagger.model?.close()]);
    },
  };
}

/** Finds the entities of texts. */
export type EntityFinder = {
  /** Returns the words of a text and its entities, nested. @throws PartUnavailable without the model */
  nested(text: string, options?: RunOptions): Promise<NestedText>;
  /** Rejects where the model cannot answer; one that rests is not opened for it. */
  check(options: RunOptions): Promise<unknown>;
};

/** Returns the entity finder over a tagger, which may be missing. */
export function openEntities(tagger: OptionalModel<Pick<Tagger, "nested">>): EntityFinder {
  return {
    async nested(text, options) {
      const { model, problem } = tagger;
      if (model === undefined) {
        throw new PartUnavailable(problem.message, { cause: problem });
      }
      const [found = { tokens: [], entities: [] }] = await model.nested([text], options);
      return found;
    },
    async check(options) {
      const { model, problem } = tagger;
      if (model === undefined) throw new PartUnavailable(problem.message, { cause: problem });
      await checkIfOpen(model, () => model.nested(["القاهرة"], options));
    },
  };
}
